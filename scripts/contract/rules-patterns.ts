/** What the patterns of the contract demand, in words (`x-pattern-words`). */
import type { Finding } from './finding.ts';
import { type AnyNode, type Contract, entriesOf, isData, type KeyPath, nodesIn, type Schema } from './read.ts';

/** One thing that a pattern demands. */
export interface Demand {
  /** The end of a sentence that begins with the name of the field. */
  readonly words: string;
  /** Matches what meets this demand, whatever it is with the others; the whole pattern if it is the only demand. */
  readonly pattern: string;
  /** Values that break this demand: one for each way that the words name. */
  readonly refuses: readonly string[];
}

/** A schema with a pattern. */
interface PatternedSchema {
  readonly place: KeyPath;
  readonly pattern: string;
  /** In the order in which they are told; none where the contract does not say them. */
  readonly demands: readonly Demand[];
}

/** Every schema of the contract that has a pattern. */
export function patternsOf(contract: Contract): PatternedSchema[] {
  return [...nodesIn(contract, isData)].flatMap(([node, place]) => {
    const { pattern } = node;
    // A property may have this name.
    return typeof pattern === 'string' ? [{ place, pattern, demands: demandsOf(node, pattern) }] : [];
  });
}

/** What a schema demands of text by its pattern. */
export const demandsOf = ({ 'x-pattern-words': words = [] }: Schema | AnyNode, whole: string): Demand[] =>
  words.map(({ demands, pattern = whole, refuses }) => ({ words: demands, pattern, refuses }));

/**
 * A schema whose pattern is preceded by one pattern for each demand, so that an error tells which was broken. Ajv judges
 * `allOf` before the keywords beside it, so the limits on the length go there, too: they are told first.
 */
export function withDemands(schema: Schema, demands: readonly Demand[]): Schema {
  if (demands.length < 2) return schema;
  const { pattern, allOf = [], minLength, maxLength, ...rest } = schema;
  const lengths = Object.fromEntries(entriesOf({ minLength, maxLength }));
  const patterns = [...demands.map((demand) => demand.pattern), pattern].map((each) => ({ pattern: each }));
  return { ...rest, allOf: [...allOf, lengths, ...patterns] };
}

/** Every pattern says in words what it demands, and each demand has values that break it. */
export function patternWords(contract: Contract): Finding[] {
  const told = new Map<string, string>();
  return patternsOf(contract).flatMap(({ place, pattern, demands }) => {
    const report = (message: string): Finding => ({ place, message: `The pattern ${pattern} ${message}` });
    const words = demands.map((demand) => demand.words).join(' and ');
    if (words === '') {
      return [report('does not say what it demands. Add x-pattern-words, with `demands` and `refuses`.')];
    }
    const others = told.get(pattern) ?? words;
    told.set(pattern, words);
    if (others !== words) return [report(`demands "${others}" elsewhere. Use the same words.`)];
    return demands.flatMap((demand) => faultsOf(demand, pattern, demands.length).map(report));
  });
}

/** What is wrong with a demand, as the end of a sentence. */
function faultsOf({ words, pattern, refuses }: Demand, whole: string, count: number): string[] {
  const faults: string[] = [];
  if (!words.startsWith('must ')) faults.push(`demands "${words}". Begin with "must".`);
  if (count > 1 && pattern === whole) faults.push(`has several demands. Give "${words}" a pattern of its own.`);
  if (refuses.length === 0) faults.push(`has no value in \`refuses\` that breaks "${words}".`);
  for (const value of refuses) {
    const accepting = [whole, pattern].some((each) => new RegExp(each, 'u').test(value));
    if (accepting) faults.push(`accepts ${JSON.stringify(value)}, which should break "${words}".`);
  }
  return faults;
}
