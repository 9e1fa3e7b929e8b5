/** The modules of what the contract lists: errors, decisions, words of patterns, the limit. */
import { placesOfDecisions } from '../places.ts';
import { rateLimitOf } from '../rate-limit.ts';
import { type Contract, catalogueOf, entriesOf, type Json } from '../read.ts';
import { patternsOf } from '../rules-patterns.ts';
import { heading, literal, rowsOf, union } from './literal.ts';

/** The name of the page of the docs that explains an error. @param reason its textual code */
export const errorPage = (reason: string): string => `error-${reason.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`;

/** The text of generated/errors.ts: the catalogue of errors, in the contract's order. */
export function errorsModule(contract: Contract): string {
  const rows = catalogueOf(contract).map(
    ({ name, reason, code: rpcCode, status: httpStatus, message }): [string, Json] => {
      return [name, { name, reason, rpcCode, httpStatus, message, page: errorPage(reason) }];
    },
  );
  return `${heading('the catalogue of errors')}
export type ErrorName = ${union(rows.map(([name]) => name))};

export interface CatalogueError {
  readonly name: ErrorName;
  /** The textual code, \`details[0].reason\` of the body. Two errors may share one. */
  readonly reason: string;
  /** Canonical gRPC number, \`code\` of the body. */
  readonly rpcCode: number;
  readonly httpStatus: number;
  readonly message: string;
  /** The name of its page in the docs. */
  readonly page: string;
}

export const errors: Readonly<Record<ErrorName, CatalogueError>> = {
${rowsOf(rows)}
};
`;
}

/** The text of generated/decisions.ts: every decision with the places of the contract that rest on it. */
export function decisionsModule(contract: Contract): string {
  const places = placesOfDecisions(contract);
  const rows = entriesOf(contract['x-decisions']).map(([id, { title, text }]): [string, Json] => {
    return [id, { title, text: text.trim(), places: (places.get(id) ?? []).map(({ name }) => name) }];
  });
  return `${heading('the decisions that complete the description')}
export type DecisionId = ${union(rows.map(([id]) => id))};

export interface Decision {
  readonly title: string;
  /** Markdown. */
  readonly text: string;
  /** Where the contract rests on it: operations, parameters, schemas and their properties, headers, events. */
  readonly places: readonly string[];
}

export const decisions: Readonly<Record<DecisionId, Decision>> = {
${rowsOf(rows)}
};
`;
}

/**
 * The text of generated/pattern-words.ts: what each pattern demands, in words. The validators report the pattern of a
 * single demand where a pattern has several (`withDemands`).
 */
export function patternWordsModule(contract: Contract): string {
  const words: Record<string, string> = {};
  for (const { pattern, demands } of patternsOf(contract)) {
    for (const demand of demands) words[demand.pattern] = demand.words;
    words[pattern] ??= demands.map((demand) => demand.words).join(' and ');
  }
  return `${heading('what the patterns of the contract demand, in words')}
/** By pattern: the end of a sentence that begins with the name of the field. */
export const patternWords: Readonly<Record<string, string>> = ${literal(words)};
`;
}

/** The limit of a key, as a declaration. */
export function rateLimitText(contract: Contract): string {
  return `/** A bucket of \`burst\` tokens, refilled continuously by \`perSecond\` tokens a second; each request takes one. */
export const rateLimit = ${literal({ ...rateLimitOf(contract) })} as const;
`;
}

/** The text of generated/rate-limit.ts. */
export const rateLimitModule = (contract: Contract): string =>
  `${heading('the rate limit of a key')}\n${rateLimitText(contract)}`;
