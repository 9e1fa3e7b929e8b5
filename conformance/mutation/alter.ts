/** The basic alterations from which faults are built. Each changes one thing and leaves everything else unchanged. */
import { type ErrorName, errors, type OperationId } from '../../generated/contract.ts';
import { headerOf, jsonFrom } from '../http/exchange.ts';
import type { KeyName } from '../profile/schema.ts';
import { contractLists } from '../rules/shared/contract-inputs.ts';
import type { Alter, Fault, Forward, Memory, ProxiedAnswer, ProxiedRequest } from './fault.ts';

// biome-ignore lint/suspicious/noExplicitAny: faults change any JSON that passes.
export type Json = any;
type Which = OperationId | readonly OperationId[] | ((asked: ProxiedRequest) => boolean);

/** Whether a request is one of these. */
function matches(which: Which, asked: ProxiedRequest): boolean {
  if (typeof which === 'function') return which(asked);
  return asked.operation !== undefined && [which].flat().includes(asked.operation);
}

/** Replaces all headers of this name by one, or removes them. */
export function setHeader(message: Pick<ProxiedAnswer, 'headers'>, name: string, value: string | undefined): void {
  message.headers = message.headers.filter(([given]) => given.toLowerCase() !== name.toLowerCase());
  if (value !== undefined) message.headers.push([name, value]);
}

export const parse = (body: Buffer): Json => jsonFrom(body);

export const jsonBody = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

/** Whether an error has this textual code. */
export const isFor =
  (reason: string) =>
  (answer: ProxiedAnswer): boolean =>
    reasonOf(answer) === reason;

/** The textual code of an error answer. */
export const reasonOf = (answer: ProxiedAnswer): string | undefined => parse(answer.body)?.details?.[0]?.reason;

/** The key that a request has. */
export const keyOf = (asked: ProxiedRequest): string | undefined => headerOf(asked, 'x-api-key');

/** Whether a request has one of the keys of this name. */
export function isWith(name: KeyName, asked: ProxiedRequest, memory: Memory): boolean {
  for (let index = 0, key = ''; ; index++) {
    key = memory.key(name, index);
    if (key === '' || key === keyOf(asked)) return key !== '';
  }
}

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

const isOk = ({ status }: ProxiedAnswer): boolean => status === 200;

/** Whether an answer, and its request, are of those to be changed. */
type When = (answer: ProxiedAnswer, asked: ProxiedRequest, memory: Memory) => boolean;
type Change = (
  answer: ProxiedAnswer,
  asked: ProxiedRequest,
  memory: Memory,
  forward: Forward,
) => ProxiedAnswer | Promise<ProxiedAnswer>;

/** Gives another answer where `when` holds for the target's; all others pass. */
export const onAnswer =
  (which: Which, when: When, change: Change): Alter =>
  async (asked, forward, memory) => {
    const answer = await forward(asked);
    return matches(which, asked) && when(answer, asked, memory) ? change(answer, asked, memory, forward) : answer;
  };

/** Of any request or answer. */
export const everything = (): boolean => true;
export const refused = ({ status }: ProxiedAnswer): boolean => status >= 400;
export const isAbsent = ({ status }: ProxiedAnswer): boolean => status === 404;

/** Looks at every answer to these requests, and may give another. */
export const after = (which: Which, change: Change): Alter => onAnswer(which, everything, change);

/** The last objects on the way to a field such as `document.status` or `steps[].index`, and the name of the field. */
function holdersIn(json: Json, path: string): [holders: Json[], name: string] {
  const names = path.replaceAll('[]', '.*').split('.');
  const step = (all: Json[], name: string): Json[] =>
    name === '*' ? all.flatMap((list) => list ?? []) : all.map((one) => one?.[name]);
  const holders = names.slice(0, -1).reduce(step, [json]);
  return [holders.filter((one) => typeof one === 'object' && one !== null), names.at(-1) ?? ''];
}

/**
 * Sets a field such as `document.status` or `steps[].index`. A function gets the value of before, and is called where there is one.
 */
export const put =
  (path: string, value: string | number | boolean | null | readonly unknown[] | ((before: Json) => unknown)) =>
  (json: Json): void => {
    const [holders, name] = holdersIn(json, path);
    for (const holder of holders)
      if (typeof value !== 'function') holder[name] = value;
      else if (holder[name] != null) holder[name] = value(holder[name]);
  };

/** Removes fields such as `secret` or `items[].type`. */
export const drop =
  (...paths: string[]) =>
  (json: Json): void => {
    for (const [holders, name] of paths.map((path) => holdersIn(json, path)))
      for (const holder of holders) delete holder[name];
  };

/** Changes the JSON of answers; `change` may return another value. */
export const answers = (
  which: Which,
  change: (json: Json, asked: ProxiedRequest, memory: Memory, answer: ProxiedAnswer) => unknown,
  when: When = isOk,
): Alter =>
  onAnswer(which, when, (answer, asked, memory) => {
    const json = parse(answer.body);
    if (json === undefined) return answer;
    return { ...answer, body: jsonBody(change(json, asked, memory, answer) ?? json) };
  });

/** Shows another value of a field in answers; as `put` sets it. */
export const showing = (which: Which, ...field: Parameters<typeof put>): Alter => answers(which, put(...field));

/** Changes the JSON of errors that have this code. */
export const refusals = (reason: string, change: (json: Json, answer: ProxiedAnswer) => unknown): Alter =>
  answers(everything, (json, _asked, _memory, answer) => change(json, answer), isFor(reason));

/** Changes status or headers of answers. */
export const heads = (
  which: Which,
  change: (answer: ProxiedAnswer, asked: ProxiedRequest, memory: Memory) => void,
  when: When = isOk,
): Alter =>
  onAnswer(which, when, (answer, asked, memory) => {
    change(answer, asked, memory);
    return answer;
  });

/** Gives answers another status; without `when`, those of successes. */
export const status = (code: number, when?: When, which: Which = everything): Alter =>
  heads(which, (answer) => Object.assign(answer, { status: code }), when);

/** Sets a header of answers, or removes it; without `when`, of all. A function changes the value that is there. */
export const header = (
  name: string,
  value: string | undefined | ((before: string) => string),
  when: When = everything,
): Alter =>
  heads(
    everything,
    (answer) => {
      const before = headerOf(answer, name);
      if (typeof value !== 'function') setHeader(answer, name, value);
      else if (before !== undefined) setHeader(answer, name, value(before));
    },
    when,
  );

/** Answers with an error of the catalogue, without forwarding. */
export const denies =
  (which: Which, name: ErrorName): Alter =>
  async (asked, forward) =>
    matches(which, asked) ? madeError(name) : forward(asked);

/** Answers with an error of the catalogue where `when` holds, after the request has taken effect. */
export const failing = (when: When, name: ErrorName): Alter => onAnswer(everything, when, () => madeError(name));

/** What storage answers to a form. */
export const storageAnswer = (code: number): ProxiedAnswer => ({ status: code, headers: [], body: Buffer.alloc(0) });

/** Storage takes any form, whatever is wrong with it. */
export const anyForm = after(everything, (answer, asked) =>
  asked.method === 'POST' && refused(answer) ? storageAnswer(204) : answer,
);

/** What the fault keeps under a name; made on first use. */
export function noted<T>({ notes }: Pick<Memory, 'notes'>, name: string, first: () => T): T {
  if (!notes.has(name)) notes.set(name, first());
  return notes.get(name) as T;
}

/** Counts under a name. @returns how often it was counted, this time included */
export function counted({ notes }: Memory, name = 'n'): number {
  const times = Number(notes.get(name) ?? 0) + 1;
  notes.set(name, times);
  return times;
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

/** Asks with another value of a field; as `put` sets it. */
export const asking = (which: Which, ...field: Parameters<typeof put>): Alter => bodies(which, put(...field));

/** Replaces the keys of a name by the key `full` wherever they are sent; 'any' replaces every key. */
export const keyed = (which: Which, from: KeyName | 'any'): Alter =>
  asks(which, (asked, memory) => {
    if (from === 'any' || isWith(from, asked, memory)) setHeader(asked, 'X-API-Key', memory.key('full'));
  });

/** Answers with success where the target refused: the last success of the operation, or a made-up one. */
export const accepts = (which: Which, when: When = refused, body: unknown = {}): Alter =>
  onAnswer(which, when, (_answer, asked, memory) => memory.successes.get(asked.operation ?? '') ?? made(200, body));

/** Answers with an error where the target accepted, after the request has taken effect. */
export const refuses = (
  which: Which,
  name: ErrorName,
  when: (asked: ProxiedRequest, memory: Memory) => boolean = () => true,
): Alter =>
  onAnswer(
    which,
    (answer, asked, memory) => isOk(answer) && when(asked, memory),
    () => madeError(name),
  );

/** Answers with the last success of the operation, without forwarding. */
export const pretends =
  (which: Which): Alter =>
  async (asked, forward, memory) =>
    (matches(which, asked) && memory.successes.get(asked.operation ?? '')) || forward(asked);

/** The same request with another value of a header, or without it. */
export function withHeader(asked: ProxiedRequest, name: string, value: string | undefined): ProxiedRequest {
  const again = copy(asked);
  setHeader(again, name, value);
  return again;
}

/** Performs a refused request with the key `full`, and still answers with the refusal. */
export const anyway = (which: Which, when: When): Alter =>
  onAnswer(which, when, async (answer, asked, memory, forward) => {
    await forward(withHeader(asked, 'X-API-Key', memory.key('full')));
    return answer;
  });

/** Answers with an earlier state: always the first success of the same target. */
export const stale = (which: Which): Alter =>
  onAnswer(which, isOk, (answer, asked, memory) => noted(memory, `stale ${asked.target}`, () => answer));

/** After an answer for which `of` holds, gives the same answer to every later request with its key and its target. */
export const sticky = (of: (answer: ProxiedAnswer) => boolean): Alter =>
  after(everything, (answer, asked, memory) => {
    const name = `stuck ${keyOf(asked)} ${asked.target}`;
    if (of(answer)) memory.notes.set(name, answer);
    return (memory.notes.get(name) as ProxiedAnswer | undefined) ?? answer;
  });

/** Combines two alterations; the second is nearer to the target. */
export const both =
  (outer: Alter, inner: Alter): Alter =>
  (asked, forward, memory) =>
    outer(asked, (next) => inner(next, forward, memory), memory);

/** The rows of a list, and the property that holds them. */
export function rowsOf(json: Json): { name: string; rows: Json[] } {
  const name = contractLists.find(({ rows: one }) => Array.isArray(json?.[one]))?.rows ?? '';
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

/** A fault in requests or their answers. */
export const fault = (id: string, rule: string, breaks: string, alter: Alter): Fault => ({ id, rule, breaks, alter });
