/**
 * Checks of an answer and a walk against the contract, shared by all scenarios. Runs both in k6 and in Node. Problems are texts for people, without personal data; an empty text means
 * that there is none.
 */
import { type ErrorName, errors } from '../generated/contract.ts';

/** What the profile says about errors of the target, where the contract depends on a decision. */
export interface ErrorFacts {
  /** JSON pointer of the textual code. */
  readonly pointer: string;
  readonly invalidArgumentStatus: number;
  readonly own: Readonly<Partial<Record<ErrorName, { status?: number; code?: string; number?: number }>>>;
}

/** The parsed body; undefined if it is not JSON. */
export function jsonOf(body: unknown): unknown {
  try {
    return JSON.parse(String(body));
  } catch {
    return undefined;
  }
}

function atPointer(value: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((at, name) => (typeof at === 'object' && at !== null ? Reflect.get(at, name) : undefined), value);
}

/** Status, textual code and number of an error, as this target gives them. */
export function expectedError(
  name: ErrorName,
  { invalidArgumentStatus, own }: ErrorFacts,
): { status: number; code: string; number: number } {
  const { httpStatus, reason, rpcCode } = errors[name];
  const status = name === 'INVALID_ARGUMENT' ? invalidArgumentStatus : httpStatus;
  return { status, code: reason, number: rpcCode, ...own[name] };
}

/** Checks that an answer is the expected error: status, code, number, and a message. */
export function errorProblem(status: number, body: unknown, name: ErrorName, facts: ErrorFacts): string {
  const expected = expectedError(name, facts);
  if (status !== expected.status) return `${name} must be ${expected.status}, and ${status} came`;
  const json = jsonOf(body);
  const code = atPointer(json, facts.pointer);
  if (code !== expected.code) return `${name} must carry ${expected.code}, and ${shown(code)} came`;
  const { code: number, message } = json as { code?: unknown; message?: unknown };
  if (number !== expected.number) return `${name} must have code ${expected.number}, and ${shown(number)} came`;
  if (typeof message !== 'string' || message === '') return `${name} came without a message`;
  return '';
}

/** Codes and numbers are not personal data; anything longer may be. */
const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 80 ? 'something else' : text;
};

/** Checks that an answer is a success with an object. */
export function successProblem(status: number, body: unknown, facts: ErrorFacts): string {
  const json = jsonOf(body);
  if (status < 200 || status > 299)
    return `success was due, and ${status} ${shown(atPointer(json, facts.pointer))} came`;
  return typeof json === 'object' && json !== null && !Array.isArray(json)
    ? ''
    : `${status} came without a JSON object`;
}

/** A page of a list. */
export interface Page {
  readonly ids: readonly string[];
  readonly nextToken: string;
}

/** Rows and token of a list's answer. @returns undefined if the answer is not a list */
export function pageOf(body: unknown, rows: string): Page | undefined {
  const json = jsonOf(body) as { next_page_token?: unknown } | undefined;
  const list: unknown = atPointer(json, `/${rows}`);
  const token = json?.next_page_token;
  if (!Array.isArray(list) || typeof token !== 'string') return undefined;
  const ids = list.map((row) => (row as { id?: unknown } | null)?.id);
  return ids.every((id) => typeof id === 'string') ? { ids, nextToken: token } : undefined;
}

/**
 * A walk over all pages of a list. It checks: no row twice, no page too long, no token twice, no empty page before the
 * end.
 */
export class Walk {
  readonly #limit: number;
  readonly #rows = new Set<string>();
  readonly #tokens = new Set<string>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** How many rows arrived. */
  get size(): number {
    return this.#rows.size;
  }

  /** Takes the next page. @returns what is wrong with it, or '' */
  add({ ids, nextToken }: Page): string {
    if (ids.length > this.#limit) return `a page of ${ids.length} rows came for a limit of ${this.#limit}`;
    if (nextToken !== '' && this.#tokens.has(nextToken)) return 'a page token came twice in one walk';
    if (nextToken !== '' && ids.length === 0) return 'an empty page came before the end of the list';
    const before = this.#rows.size;
    for (const id of ids) this.#rows.add(id);
    this.#tokens.add(nextToken);
    return this.#rows.size === before + ids.length ? '' : 'a row came twice in one walk';
  }
}

/** The token with one character changed in the middle, where no encoding ignores bits. */
export function altered(token: string): string {
  const at = Math.floor(token.length / 2);
  return token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
}
