import { examples } from './examples.ts';
import type { Rule } from './finding.ts';
import { rateLimit } from './rate-limit.ts';
import type { Contract } from './read.ts';
import { decisionKinds, decisions, errorCatalogue, errorTable, usedComponents } from './rules-catalogues.ts';
import { patternWords } from './rules-patterns.ts';
import { closed, explainedValues, optionalNull, personalData, roomForAll } from './rules-schemas.ts';

/** The house rules, by the names that redocly.yaml and messages use. */
export const houseRules: Readonly<Record<string, Rule>> = {
  'error-catalogue': errorCatalogue,
  'error-table': errorTable,
  'rate-limit': rateLimit,
  decisions,
  'decision-kinds': decisionKinds,
  'explained-values': explainedValues,
  'room-for-all': roomForAll,
  'pattern-words': patternWords,
  closed,
  'optional-null': optionalNull,
  'personal-data': personalData,
  'used-components': usedComponents,
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

/** Redocly requires that a plugin is the default export. */
export default function house() {
  return {
    id: 'house',
    rules: { oas3: Object.fromEntries(Object.entries(houseRules).map(([name, rule]) => [name, visitor(rule)])) },
  };
}
