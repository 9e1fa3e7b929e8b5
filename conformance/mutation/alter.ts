/** The basic alterations from which faults are built. Each changes one thing and leaves everything else unchanged. */
import { type ErrorName, errors } from '../../generated/errors.ts';
import type { OperationId } from '../../generated/operations.ts';
import type { KeyName } from '../profile/schema.ts';
import type { Alter, Memory, ProxiedAnswer, ProxiedRequest } from './fault.ts';

// biome-ignore lint/suspicious/noExplicitAny: faults change any JSON that passes.
export type Json = any;
export type Which = OperationId | readonly OperationId[] | ((asked: ProxiedRequest) => boolean);

export function matches(which: Which, asked: ProxiedRequest): boolean {
  if (typeof which === 'function') return which(asked);
  return asked.operation !== undefined && [which].flat().includes(asked.operation);
}

export const headerOf = ({ headers }: Pick<ProxiedAnswer, 'headers'>, name: string): string | undefined =>
  headers.find(([given]) => given.toLowerCase() === name.toLowerCase())?.[1];

/** Replaces all headers of this name by one, or removes them. */
export function setHeader(message: Pick<ProxiedAnswer, 'headers'>, name: string, value: string | undefined): void {
  message.headers = message.headers.filter(([given]) => given.toLowerCase() !== name.toLowerCase());
  if (value !== undefined) message.headers.push([name, value]);
}

export function parse(body: Buffer): Json {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

export const jsonBody = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

/** The textual code of an error answer. */
export const reasonOf = (answer: ProxiedAnswer): string | undefined => parse(answer.body)?.details?.[0]?.reason;

export const keyOf = (asked: ProxiedRequest): string | undefined => headerOf(asked, 'x-api-key');

const copy = (asked: ProxiedRequest): ProxiedRequest => ({ ...asked, headers: asked.headers.map(([a, b]) => [a, b]) });

/** A made-up answer, in the form that the target would give. */
export function made(status: number, body: unknown): ProxiedAnswer {
  return {
    status,
    headers: [
      ['Content-Type', 'application/json'],
      ['Cache-Control', 'no-store'],
      ['X-Content-Type-Options', 'nosniff'],
      ['X-Request-Id', '3f6bb7a4-9b0e-4a3c-8d55-0a64c1b52e10'],
    ],
    body: jsonBody(body),
  };
}

/** A made-up error of the catalogue. @param field the field that an INVALID_ARGUMENT names as violated */
export function madeError(name: ErrorName, field = 'body'): ProxiedAnswer {
  const { httpStatus, reason, rpcCode } = errors[name];
  const kind = 'type.googleapis.com/google.rpc.';
  const violations = { '@type': `${kind}BadRequest`, field_violations: [{ field, description: 'is not right' }] };
  const info = { '@type': `${kind}ErrorInfo`, reason, domain: 'developer-api.hr-docflow', metadata: {} };
  const request = { '@type': `${kind}RequestInfo`, request_id: '3f6bb7a4-9b0e-4a3c-8d55-0a64c1b52e10' };
  return made(httpStatus, {
    code: rpcCode,
    message: 'The request cannot be served as it is.',
    details: [info, ...(name === 'INVALID_ARGUMENT' ? [violations] : []), request],
  });
}

/** Changes the JSON of answers; `change` may return another value. */
export function answers(
  which: Which,
  change: (json: Json, asked: ProxiedRequest, memory: Memory, answer: ProxiedAnswer) => unknown,
  when: (answer: ProxiedAnswer) => boolean = ({ status }) => status === 200,
): Alter {
  return async (asked, forward, memory) => {
    const answer = await forward(asked);
    if (!matches(which, asked) || !when(answer)) return answer;
    const json = parse(answer.body);
    if (json === undefined) return answer;
    const changed = change(json, asked, memory, answer) ?? json;
    return { ...answer, body: jsonBody(changed) };
  };
}

export const everything = (): boolean => true;
export const refused = ({ status }: ProxiedAnswer): boolean => status >= 400;

/** Changes the JSON of errors that have this code. */
export const refusals = (reason: string, change: (json: Json, answer: ProxiedAnswer) => unknown): Alter =>
  answers(
    everything,
    (json, _asked, _memory, answer) => change(json, answer),
    (answer) => reasonOf(answer) === reason,
  );

/** Replaces one error by another of the catalogue. */
export const mistaken = (reason: string, name: ErrorName, which: Which = everything): Alter => {
  return async (asked, forward) => {
    const answer = await forward(asked);
    return matches(which, asked) && reasonOf(answer) === reason ? madeError(name) : answer;
  };
};

/** Changes status or headers of answers. */
export function heads(
  which: Which,
  change: (answer: ProxiedAnswer, asked: ProxiedRequest, memory: Memory) => void,
  when: (answer: ProxiedAnswer) => boolean = ({ status }) => status === 200,
): Alter {
  return async (asked, forward, memory) => {
    const answer = await forward(asked);
    if (matches(which, asked) && when(answer)) change(answer, asked, memory);
    return answer;
  };
}

/** Changes requests before they are forwarded. */
export function asks(which: Which, change: (asked: ProxiedRequest, memory: Memory) => void): Alter {
  return async (asked, forward, memory) => {
    const changed = copy(asked);
    if (matches(which, asked)) change(changed, memory);
    return forward(changed);
  };
}

/** Changes the JSON of requests. */
export const bodies = (which: Which, change: (json: Json, asked: ProxiedRequest, memory: Memory) => unknown): Alter =>
  asks(which, (asked, memory) => {
    const json = parse(asked.body);
    if (typeof json !== 'object' || json === null) return;
    asked.body = jsonBody(change(json, asked, memory) ?? json);
  });

/** Changes the query of requests. */
export const queries = (
  which: Which,
  change: (query: URLSearchParams, asked: ProxiedRequest, memory: Memory) => void,
): Alter =>
  asks(which, (asked, memory) => {
    const [path = '', text = ''] = asked.target.split('?', 2);
    const query = new URLSearchParams(text);
    change(query, asked, memory);
    const changed = query.toString();
    asked.target = changed === '' ? path : `${path}?${changed}`;
  });

/** Removes parameters from the query. */
export const without = (which: Which, ...names: string[]): Alter =>
  queries(which, (query) => {
    for (const name of names) query.delete(name);
  });

/** Replaces the first key by another wherever it is sent; 'any' replaces every key. */
export const keyed = (which: Which, from: KeyName | 'any', to: KeyName): Alter =>
  asks(which, (asked, memory) => {
    if (from === 'any' || keyOf(asked) === memory.key(from)) setHeader(asked, 'X-API-Key', memory.key(to));
  });

/** Answers with success where the target refused: the last success of the operation, or a made-up one. */
export function accepts(
  which: Which,
  when: (answer: ProxiedAnswer, asked: ProxiedRequest, memory: Memory) => boolean = (answer) => refused(answer),
  body: unknown = {},
): Alter {
  return async (asked, forward, memory) => {
    const answer = await forward(asked);
    if (!matches(which, asked) || !when(answer, asked, memory)) return answer;
    return memory.successes.get(asked.operation ?? '') ?? made(200, body);
  };
}

export const acceptsReason = (reason: string, which: Which = everything): Alter =>
  accepts(which, (answer) => reasonOf(answer) === reason);

/** Answers with an error where the target accepted, after the request has taken effect. */
export function refuses(
  which: Which,
  name: ErrorName,
  when: (asked: ProxiedRequest, memory: Memory) => boolean = () => true,
): Alter {
  return async (asked, forward, memory) => {
    const answer = await forward(asked);
    return matches(which, asked) && answer.status === 200 && when(asked, memory) ? madeError(name) : answer;
  };
}

/** Answers with success without forwarding: the last success, or a made-up one. */
export function pretends(which: Which, body?: (asked: ProxiedRequest, memory: Memory) => unknown): Alter {
  return async (asked, forward, memory) => {
    const last = memory.successes.get(asked.operation ?? '');
    if (!matches(which, asked) || (body === undefined && last === undefined)) return forward(asked);
    return body ? made(200, body(asked, memory)) : (last as ProxiedAnswer);
  };
}

/** Performs everything twice and gives one answer. */
export const twice =
  (which: Which, change: (asked: ProxiedRequest, memory: Memory) => void = () => {}): Alter =>
  async (asked, forward, memory) => {
    const answer = await forward(asked);
    if (matches(which, asked) && answer.status === 200) {
      const again = copy(asked);
      change(again, memory);
      await forward(again);
    }
    return answer;
  };

/** Performs a refused request with another key, and still answers with the refusal. */
export const anyway =
  (which: Which, key: KeyName, when: (answer: ProxiedAnswer) => boolean = refused): Alter =>
  async (asked, forward, memory) => {
    const answer = await forward(asked);
    if (matches(which, asked) && when(answer)) {
      const again = copy(asked);
      setHeader(again, 'X-API-Key', memory.key(key));
      await forward(again);
    }
    return answer;
  };

/** Performs a refused request with another key, and answers with the result. */
export const permits =
  (which: Which, key: KeyName, when: (answer: ProxiedAnswer, asked: ProxiedRequest) => boolean): Alter =>
  async (asked, forward, memory) => {
    const answer = await forward(asked);
    if (!matches(which, asked) || !when(answer, asked)) return answer;
    const again = copy(asked);
    setHeader(again, 'X-API-Key', memory.key(key));
    return forward(again);
  };

/** Answers with an earlier state: always the first success of the same target. */
export const stale =
  (which: Which): Alter =>
  async (asked, forward, memory) => {
    const answer = await forward(asked);
    if (!matches(which, asked) || answer.status !== 200) return answer;
    const name = `stale ${asked.target}`;
    const first = memory.notes.get(name) as ProxiedAnswer | undefined;
    if (first === undefined) memory.notes.set(name, answer);
    return first ?? answer;
  };

/** Combines two alterations; the second is nearer to the target. */
export const both =
  (outer: Alter, inner: Alter): Alter =>
  (asked, forward, memory) =>
    outer(asked, (next) => inner(next, forward, memory), memory);

/** The properties that hold the rows of lists. */
const ROWS = ['employees', 'documents', 'document_types', 'document_categories', 'document_templates', 'items'];
export function rowsOf(json: Json): { name: string; rows: Json[] } {
  const name = ROWS.find((one) => Array.isArray(json?.[one])) ?? '';
  return { name, rows: name === '' ? [] : json[name] };
}

/** Changes the rows of a list. */
export const rows = (
  which: Which,
  change: (list: Json[], json: Json, asked: ProxiedRequest, memory: Memory) => Json[],
): Alter =>
  answers(which, (json, asked, memory) => {
    const { name, rows: list } = rowsOf(json);
    if (name !== '') json[name] = change(list, json, asked, memory);
  });

/** Changes every employee, document or other object, whether single or in a list. */
export const each = (which: Which, change: (one: Json, asked: ProxiedRequest, memory: Memory) => void): Alter =>
  answers(which, (json, asked, memory) => {
    for (const one of rowsOf(json).rows) change(one, asked, memory);
    for (const name of ['employee', 'document', 'file', 'document_template']) {
      if (json?.[name]) change(json[name], asked, memory);
    }
  });
