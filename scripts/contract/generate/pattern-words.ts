import { asArray, type Contract, ContractError, entriesOf, type JsonObject } from '../read.ts';
import { type Demand, patternsOf } from '../rules-patterns.ts';
import { heading, literal } from './literal.ts';

/**
 * The text of generated/pattern-words.ts: what each pattern demands, in words. The validators report the pattern of a
 * single demand where a pattern has several (`withDemands`).
 * @throws ContractError for a pattern without words
 */
export function patternWordsModule(contract: Contract): string {
  const words: JsonObject = {};
  for (const { pattern, demands, place } of patternsOf(contract)) {
    if (demands.length === 0) throw new ContractError(`${place.join('/')}: the pattern has no x-pattern-words.`);
    for (const demand of demands) words[demand.pattern] = demand.words;
    words[pattern] ??= demands.map((demand) => demand.words).join(' and ');
  }
  return `${heading('what the patterns of the contract demand, in words')}
/** By pattern: the end of a sentence that begins with the name of the field. */
export const patternWords: Readonly<Record<string, string>> = ${literal(words)};
`;
}

/**
 * A schema whose pattern is preceded by one pattern for each demand, so that an error tells which was broken. Ajv judges
 * `allOf` before the keywords beside it, so the limits on the length go there, too: they are told first.
 */
export function withDemands(schema: JsonObject, demands: readonly Demand[]): JsonObject {
  if (demands.length < 2) return schema;
  const { pattern, ...rest } = schema;
  const lengths = Object.fromEntries(entriesOf(rest).filter(([key]) => key === 'minLength' || key === 'maxLength'));
  for (const key of Object.keys(lengths)) delete rest[key];
  const patterns = [...demands.map((demand) => demand.pattern), pattern].map((each) => ({ pattern: each }));
  return { ...rest, allOf: [...asArray(rest.allOf), lengths, ...patterns] };
}
