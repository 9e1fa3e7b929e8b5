import { examples } from './examples.ts';
import type { Rule } from './finding.ts';
import { rateLimit } from './rate-limit.ts';
import type { Contract, Decision } from './read.ts';
import { decisions, errorCatalogue, errorTable } from './rules-catalogues.ts';
import { patternWords } from './rules-patterns.ts';
import { closed, explainedValues, optionalNull, personalData, roomForAll } from './rules-schemas.ts';

/** The house rules, by the names that redocly.yaml and messages use. */
export const houseRules: Readonly<Record<string, Rule>> = {
  'error-catalogue': errorCatalogue,
  'error-table': errorTable,
  'rate-limit': rateLimit,
  decisions,
  'explained-values': explainedValues,
  'room-for-all': roomForAll,
  'pattern-words': patternWords,
  closed,
  'optional-null': optionalNull,
  'personal-data': personalData,
  examples,
};

/** The part of Redocly's context that the rules need. */
interface Context {
  location: { child(keys: (string | number)[]): unknown };
  report(problem: { message: string; location: unknown }): void;
}

/** Turns a house rule into a rule of Redocly that runs once, on the whole document, which is one file. */
function visitor(rule: Rule) {
  return () => ({
    Root: {
      leave(root: unknown, { location, report }: Context): void {
        try {
          for (const { place, message } of rule(root as Contract)) {
            report({ message, location: location.child([...place]) });
          }
        } catch (error) {
          // The rules rest on the form of a contract, whose faults Redocly reports beside this.
          report({ message: `Not judged: ${error instanceof Error ? error.message : error}`, location });
        }
      },
    },
  });
}

interface NodeType {
  readonly properties: Readonly<Record<string, unknown>>;
}

const text = { type: 'string' };

/** The form of our marks, which Redocly's own rules then judge: those of the catalogue of errors and of the decisions. */
const marked = (types: Readonly<Record<string, NodeType>>) => ({
  ...types,
  Root: withMarks(types.Root, { 'x-unrouted-responses': 'Responses', 'x-decisions': 'Decisions' }),
  Example: withMarks(types.Example, { 'x-http-status': { type: 'integer' }, 'x-remedy': text }),
  Decisions: { properties: {}, additionalProperties: 'Decision' },
  Decision: {
    properties: {
      title: text,
      text,
      about: { enum: ['service'] },
      kind: { enum: ['fills'] },
      departures: 'Departures',
    },
    required: ['title', 'text'],
    // What it does to the source: it fills a gap, or it departs from it.
    requiredOneOf: ['kind', 'departures'],
    allowed: ({ departures }: Decision) => (departures ? ['title', 'text', 'about', 'departures'] : undefined),
  },
  Departures: { properties: {}, items: 'Departure' },
  Departure: {
    properties: { kind: { enum: ['beyond', 'against'] }, source: text, instead: text },
    required: ['kind', 'source', 'instead'],
  },
});

const withMarks = (type: NodeType | undefined, marks: NodeType['properties']) => ({
  ...type,
  properties: { ...type?.properties, ...marks },
});

/** Redocly requires that a plugin is the default export. */
export default function house() {
  return {
    id: 'house',
    typeExtension: { oas3: marked },
    rules: { oas3: Object.fromEntries(Object.entries(houseRules).map(([name, rule]) => [name, visitor(rule)])) },
  };
}
