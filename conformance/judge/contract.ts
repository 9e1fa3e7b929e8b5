/**
 * Judges exchanges by the contract: which operation was called, whether the status is documented, whether the body
 * fits.
 */
import {
  type ErrorName,
  errors,
  type OperationId,
  operations,
  personalDataFields,
  prefix,
} from '../../generated/contract.ts';
import contract from '../../generated/openapi.json' with { type: 'json' };
import type { Validate, ValidationError } from '../../generated/validators.d.ts';
import { atPointer, type Exchange, headerOf, jsonOf, secondsToWait } from '../http/exchange.ts';
import { asWeSpell } from '../profile/spelling.ts';
import type { Values } from '../profile/values.ts';
import { validators, errorBody as validErrorBody } from './validators.ts';

const table = Object.values(operations).map((operation) => ({
  id: operation.operationId,
  method: operation.method.toUpperCase(),
  pattern: new RegExp(`^${operation.path.replace(/\{[^}]+\}/g, '[^/?#]+').replaceAll('.', String.raw`\.`)}$`),
  literals: (operation.path.match(/\{/g) ?? []).length,
}));

/** Escapes that make a path match no operation: of slashes, dots and NUL, and malformed ones. */
const ODD_ESCAPE = /%(?![0-9a-f]{2})|%(2f|5c|2e|00)/i;

/** The operation that a request line addresses, or undefined; the query is ignored. */
export function operationOf(method: string, target: string): OperationId | undefined {
  const path = target.split('?', 1)[0] ?? '';
  if (ODD_ESCAPE.test(path)) return undefined;
  const matching = table.filter((row) => row.method === method && row.pattern.test(path));
  return matching.sort((a, b) => a.literals - b.literals)[0]?.id;
}

interface ExpectedError {
  readonly name: ErrorName;
  readonly status: number;
  readonly code: string;
  readonly number: number;
}

/** An error of the catalogue, with what the profile says about it for this target. */
export function expectedError(name: ErrorName, values: Values): ExpectedError {
  const { httpStatus, reason, rpcCode } = errors[name];
  const own = values.errors?.[name];
  const status = own?.status ?? (name === 'INVALID_ARGUMENT' ? values.invalid_argument_status : httpStatus);
  return { name, status, code: own?.code ?? reason, number: own?.number ?? rpcCode };
}

/** The textual code of an error answer, or undefined. */
export function codeOf(exchange: Exchange, values: Values): string | undefined {
  const code = atPointer(jsonOf(exchange), values.error_code_pointer);
  return typeof code === 'string' ? code : undefined;
}

/** An answer in a few words. An error without the code that it must have is said to have none. */
export function briefOf(exchange: Exchange, values: Values): string {
  const { status } = exchange;
  const code = codeOf(exchange, values);
  if (code !== undefined) return `${status} ${code}`;
  return status < 400 ? String(status) : `${status} without a code`;
}

/** Whether an answer has the status and the textual code of one of these errors. */
export function isOneOf(exchange: Exchange, names: readonly ErrorName[], values: Values): boolean {
  const expected = names.map((name) => expectedError(name, values));
  return expected.some(({ status, code }) => status === exchange.status && code === codeOf(exchange, values));
}

/** Whether an answer is the 503 after which the contract says to send the request again. */
export const isUnavailable = (exchange: Exchange, values: Values): boolean =>
  secondsToWait(exchange) !== undefined && isOneOf(exchange, ['UNAVAILABLE'], values);

/** What is wrong at one place of a body. */
export interface Flaw {
  /** Its JSON Pointer, also if nothing is there. */
  readonly at: string;
  readonly is: 'missing' | 'added' | 'wrong';
  readonly says: string;
}

/** A place of a body as the contract writes it, such as `employees[].person`. */
const placeOf = (pointer: string): string =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => (/^\d+$/.test(part) ? '[]' : `.${part}`))
    .join('')
    .replace(/^\./, '');

function flawOf({ instancePath, keyword, params, message = keyword }: ValidationError): Flaw {
  const { missingProperty: missing, additionalProperty, unevaluatedProperty: added = additionalProperty } = params;
  if (typeof missing === 'string') return { at: `${instancePath}/${missing}`, is: 'missing', says: 'is missing' };
  if (typeof added === 'string') return { at: `${instancePath}/${added}`, is: 'added', says: 'is not in the contract' };
  return { at: instancePath, is: 'wrong', says: message };
}

/** The object that holds what a pointer names, if there is one, and the name. */
export function holderOf(body: unknown, pointer: string): [holder: Record<string, unknown> | undefined, name: string] {
  const end = pointer.lastIndexOf('/');
  const holder = end < 0 ? undefined : atPointer(body, pointer.slice(0, end));
  const isObject = typeof holder === 'object' && holder !== null;
  return [isObject ? (holder as Record<string, unknown>) : undefined, pointer.slice(end + 1)];
}

/** What is wrong with a body. Where the profile allows added fields, they are ignored unless they are personal data. */
export function flawsOf(validate: Validate, value: unknown, values: Values): Flaw[] {
  const copy = values.added_fields === 'allowed' ? structuredClone(value) : value;
  for (let overlooked = 0; overlooked < 1000; overlooked++) {
    if (validate(copy)) return [];
    const flaws = (validate.errors ?? []).map(flawOf);
    const ignored = flaws.find(({ is, at }) => is === 'added' && !(holderOf(copy, at)[1] in personalDataFields));
    if (values.added_fields !== 'allowed' || ignored === undefined) return flaws;
    for (const { is, at } of flaws) {
      const [holder, name] = holderOf(copy, at);
      if (is === 'added' && placeOf(at) === placeOf(ignored.at)) delete holder?.[name];
    }
  }
  return [{ at: '', is: 'added', says: 'holds more than 1000 added fields' }];
}

/** How many places a text names. */
const MOST_PLACES = 8;

/** Flaws in words, each place once; none if there are none. */
export function textsOf(flaws: readonly Flaw[]): string[] {
  const places = Map.groupBy(flaws, ({ at }) => placeOf(at));
  const texts = [...places].map(([place, of]) => {
    const all = [...new Set(of.map(({ says }) => says))];
    return `${place || 'the body'} ${all.join(', ')}`;
  });
  const more = texts.length - MOST_PLACES;
  return [...texts.slice(0, MOST_PLACES), ...(more > 0 ? [`and ${more} more places`] : [])];
}

/** What is wrong with the answer of an operation, by the contract and the target's spelling of values. */
export function answerFlaws(operationId: OperationId, body: unknown, values: Values): Flaw[] {
  return flawsOf(validators[operationId].answer, asWeSpell(operationId, body, values), values);
}

/**
 * Whether the answer says that the operation is not built yet. An instance with such an operation is not conformant.
 */
export function isNotBuilt(exchange: Exchange, values: Values): boolean {
  return (
    exchange.status === errors.NOT_IMPLEMENTED.httpStatus && codeOf(exchange, values) === errors.NOT_IMPLEMENTED.reason
  );
}

/** Errors that any path may answer, whether or not an operation exists there. */
const EVERYWHERE: readonly ErrorName[] = [
  'API_KEY_INVALID',
  'FEATURE_FLAG_OFF',
  'RATE_LIMIT_EXCEEDED',
  'PATH_NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'HEADERS_TOO_LARGE',
  'INVALID_ARGUMENT',
  'INTERNAL',
  'UNAVAILABLE',
];

/**
 * Whether a request is refused because it did not go on (D-33): the one status besides its own that INVALID_ARGUMENT has.
 * A machine that stands still sends any body too slowly.
 */
const isTooSlow = (exchange: Exchange, values: Values): boolean =>
  (exchange.wire || exchange.requestBody !== undefined) &&
  exchange.status === 408 &&
  codeOf(exchange, values) === errors.INVALID_ARGUMENT.reason;

/** What is wrong with an exchange by the contract; empty if nothing is. */
export function judge(exchange: Exchange, values: Values): string[] {
  if (exchange.method === 'HEAD') return exchange.body.length === 0 ? [] : ['a HEAD was answered with a body'];
  const { operationId, status } = exchange;
  const found: string[] = [];
  const body = jsonOf(exchange);
  if (operationId !== undefined && status === 200) {
    found.push(...textsOf(answerFlaws(operationId, body, values)));
  } else if (status >= 400) {
    found.push(...textsOf(flawsOf(validErrorBody, body, values)));
    const documented = operationId === undefined ? EVERYWHERE : operations[operationId].errors;
    const code = codeOf(exchange, values) ?? '(no code)';
    const isAnywhere = exchange.wire || !exchange.target.startsWith(prefix);
    const known: ErrorName[] = [...documented, 'NOT_IMPLEMENTED', ...(isAnywhere ? EVERYWHERE : [])];
    const named = known.map((name) => expectedError(name, values)).filter((error) => error.code === code);
    const place = operationId ?? 'a path without an operation';
    if (!isTooSlow(exchange, values) && !named.some((error) => error.status === status))
      found.push(`${status} ${code} is not documented for ${place}`);
    else if (!named.some(({ number }) => number === atPointer(body, '/code')))
      found.push(`another number than its own came with ${code}`);
  } else if (operationId !== undefined || exchange.target.startsWith(`${prefix}/`)) {
    found.push(`${status} is not documented${operationId ? ` for ${operationId}` : ''}`);
  }
  return [...found, ...headerComplaints(exchange, values)];
}

/** Whether an answer says when to repeat the request. */
export const asksToRepeat = (status: number, code: string | undefined) =>
  status === 429 || status === 503 || code === errors.IDEMPOTENCY_IN_PROGRESS.reason;

function headerComplaints(exchange: Exchange, values: Values): string[] {
  if (!exchange.target.startsWith(`${prefix}/`)) return [];
  const { status } = exchange;
  const code = codeOf(exchange, values);
  const admitted = ![401, 408, 431].includes(status) && code !== errors.FEATURE_FLAG_OFF.reason && !exchange.wire;
  const counted = values.rate_fields === 'ietf' && admitted && exchange.key !== undefined && status < 500;
  const needed = [
    ...values.answer_headers,
    ...(status === 401 ? ['www-authenticate'] : []),
    ...(asksToRepeat(status, code) ? ['retry-after'] : []),
    ...(counted ? ['ratelimit', 'ratelimit-policy'] : []),
  ];
  const missing = needed.filter((name) => headerOf(exchange, name) === undefined);
  if (!/^application\/json(;|$)/i.test(headerOf(exchange, 'content-type') ?? ''))
    missing.push('content-type: application/json');
  return [...missing.map((name) => `the header ${name} is missing`), ...headerFormComplaints(exchange, values)];
}

interface DeclaredHeader {
  schema?: { pattern?: string; const?: string; minimum?: number };
}

/** The part of the contract about headers; an answer refers to them by their names. */
interface HeaderContract {
  headers: Readonly<Record<string, DeclaredHeader>>;
  responses: Readonly<Record<string, { headers?: Readonly<Record<string, DeclaredHeader & { $ref?: string }>> }>>;
}

/** Headers whose values a profile declares, or whose rules know them better. */
const JUDGED_ELSEWHERE = ['ratelimit-policy'];

/** Whether a value fits; undefined for a header of which the contract says no more than its type. */
function formOf({ schema = {} }: DeclaredHeader): ((value: string) => boolean) | undefined {
  const { pattern, const: only, minimum } = schema;
  if (only !== undefined) return (value) => value === only;
  if (pattern !== undefined) {
    const form = new RegExp(pattern);
    return (value) => form.test(value);
  }
  return minimum === undefined ? undefined : (value) => /^\d+$/.test(value) && Number(value) >= minimum;
}

/** By the name of the header in small letters. */
const forms = new Map<string, (value: string) => boolean>();

const { headers: declared, responses } = contract.components as unknown as HeaderContract;

for (const { headers = {} } of Object.values(responses)) {
  for (const [written, header] of Object.entries(headers)) {
    const name = written.toLowerCase();
    const { $ref } = header;
    const form = formOf($ref === undefined ? header : (declared[$ref.slice($ref.lastIndexOf('/') + 1)] ?? {}));
    if (form !== undefined && !JUDGED_ELSEWHERE.includes(name)) forms.set(name, form);
  }
}

/** Which headers of an answer have a value that the contract does not allow, or let pages of other origins read it. */
function headerFormComplaints(exchange: Exchange, { rate_fields }: Values): string[] {
  const wrong = [...forms].flatMap(([name, fits]) => {
    const value = headerOf(exchange, name);
    if (value === undefined || fits(value) || (name === 'ratelimit' && rate_fields !== 'ietf')) return [];
    return [`the value of the header ${name} is not one that the contract allows`];
  });
  const inviting = exchange.headers.filter(([name]) => /^access-control-/i.test(name));
  return [...wrong, ...inviting.map(([name]) => `the header ${name} came`)];
}
