/**
 * The one error type, and its translation into the body on the wire (D-4). The catalogue comes from the contract: a
 * handler names the error, never the status.
 */
import { type ErrorName, errors } from '../../generated/contract.ts';

/**
 * One wrong field: its path as the caller wrote it, or `body`, `query` or `request` for the whole of it; and what is wrong
 * with it. The description goes on where the field's name ends: both together are a sentence.
 */
export interface Violation {
  readonly field: string;
  readonly description: string;
}

/** Why something cannot be done now, for the operator; callers do not learn it. */
export const unavailableCauses = [
  /** No server takes commands, or the connection was lost. */
  'database_away',
  /** A command, a majority or a connection took too long. */
  'database_slow',
  /** The database takes no such command: no rights, or no space. */
  'database_refuses',
  /** Others changed the rows of a write each time that it was tried. */
  'contention',
  /** The tenant's turn at a share did not come. */
  'share',
  'storage',
  /** A thread that prints was lost, or took too long. */
  'printing',
  /** The program that judges signatures was not there any more, or gave no verdict. */
  'openssl',
  /** Only of /readyz. */
  'not_ready',
] as const;
export type UnavailableCause = (typeof unavailableCauses)[number];

/** What an error may add to its catalogue entry. */
interface ErrorExtras {
  /** Replaces the catalogue's message; English, for developers, without personal data. */
  readonly message?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly violations?: readonly Violation[];
  /** Milliseconds after which a retry makes sense. */
  readonly retryAfterMs?: number;
  /** Replaces the catalogue's status where HTTP has a more exact one. */
  readonly httpStatus?: number;
  /** Further headers of the answer. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Of UNAVAILABLE; see {@link unavailableError}. */
  readonly cause?: UnavailableCause;
}

/** A refusal that the caller gets to see. */
export class ApiError extends Error {
  readonly errorName: ErrorName;
  readonly extras: ErrorExtras;

  constructor(errorName: ErrorName, extras: ErrorExtras = {}) {
    super(extras.message ?? errors[errorName].message);
    this.name = 'ApiError';
    this.errorName = errorName;
    this.extras = extras;
  }

  /** The textual code, as it stands in the answer. */
  get reason(): string {
    return errors[this.errorName].reason;
  }

  get httpStatus(): number {
    return this.extras.httpStatus ?? errors[this.errorName].httpStatus;
  }
}

/** The errors that are about the call itself. */
export type CallErrorName = Exclude<ErrorName, 'UNAVAILABLE'>;

/** Ends the request with an error of the contract's catalogue (D-5). */
export function fail(name: CallErrorName, extras?: ErrorExtras): never {
  throw new ApiError(name, extras);
}

/** The error UNAVAILABLE, which always has a cause. */
export function unavailableError(cause: UnavailableCause, extras: ErrorExtras): ApiError {
  return new ApiError('UNAVAILABLE', { ...extras, cause });
}

/** Ends the request with METHOD_NOT_ALLOWED. @param allowed the methods of the path, for the Allow header */
export function failMethod(allowed: readonly string[]): never {
  return fail('METHOD_NOT_ALLOWED', { headers: { Allow: allowed.join(', ') } });
}

/** Ends the request with INVALID_ARGUMENT for one field. */
export function failField(field: string, description: string): never {
  return failFields([{ field, description }]);
}

/** The most fields that an answer names. */
export const MAX_VIOLATIONS = 20;
const MAX_FIELD_LENGTH = 64;

/** What a violation names in place of a field. */
export const WHOLES: readonly string[] = ['body', 'query', 'request'];

function sentenceOf({ field, description }: Violation): string {
  // A description that suggests another name ends as a question.
  return `${WHOLES.includes(field) ? 'The ' : ''}${field} ${description}${description.endsWith('?') ? '' : '.'}`;
}

/**
 * The error INVALID_ARGUMENT. It names each wrong field once, with the first fault found in it; its message is about the
 * first of them. Names are cut to 64 characters, the list to 20 fields.
 */
export function invalidFields(violations: readonly Violation[]): ApiError {
  const shown = new Map<string, Violation>();
  for (const { field, description } of violations) {
    const name = printable(field) || '""';
    if (!shown.has(name)) shown.set(name, { field: name, description });
    if (shown.size === MAX_VIOLATIONS) break;
  }
  const [first] = shown.values();
  return new ApiError('INVALID_ARGUMENT', {
    message: first && sentenceOf(first),
    violations: [...shown.values()],
  });
}

/** Ends the request with INVALID_ARGUMENT, see {@link invalidFields}. */
export function failFields(violations: readonly Violation[]): never {
  throw invalidFields(violations);
}

/** Ends the request with INVALID_ARGUMENT if there are violations. */
export function refuseIfAny(violations: readonly Violation[]): void {
  if (violations.length > 0) failFields(violations);
}

/** A field name that is safe to echo: no control or invisible characters, at most 64 of them. */
function printable(name: string): string {
  const cut = name.length > MAX_FIELD_LENGTH ? `${name.slice(0, MAX_FIELD_LENGTH - 1).toWellFormed()}…` : name;
  return cut.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '\u{fffd}');
}

const TYPE = 'type.googleapis.com/google.rpc.';

/** What the errors of a deployment have in common. */
export interface ErrorSource {
  /** `domain` of every ErrorInfo. */
  readonly domain: string;
  /** Where readers reach the docs, which have a page for each error; without it, errors link nowhere. */
  readonly docsUrl?: string;
}

/** The error body of the wire (D-4): ErrorInfo first and once, each further detail at most once. */
export function errorBody(error: ApiError, requestId: string, { domain, docsUrl }: ErrorSource): object {
  const { rpcCode, page } = errors[error.errorName];
  const { metadata = {}, violations, retryAfterMs } = error.extras;
  const details: object[] = [{ '@type': `${TYPE}ErrorInfo`, reason: error.reason, domain, metadata }];
  if (violations !== undefined) details.push({ '@type': `${TYPE}BadRequest`, field_violations: violations });
  if (retryAfterMs !== undefined) {
    details.push({ '@type': `${TYPE}RetryInfo`, retryDelay: `${(Math.ceil(retryAfterMs) / 1000).toFixed(3)}s` });
  }
  details.push({ '@type': `${TYPE}RequestInfo`, request_id: requestId });
  if (docsUrl !== undefined) {
    const link = { description: 'When this error occurs, and what to do', url: `${docsUrl}#/${page}` };
    details.push({ '@type': `${TYPE}Help`, links: [link] });
  }
  return { code: rpcCode, message: error.message, details };
}

/** Headers that go with an error, besides those of every answer. */
export function errorHeaders(error: ApiError): Record<string, string> {
  const headers: Record<string, string> = { ...error.extras.headers };
  if (error.extras.retryAfterMs !== undefined) {
    headers['Retry-After'] = String(Math.max(1, Math.ceil(error.extras.retryAfterMs / 1000)));
  }
  if (error.httpStatus === 401) headers['WWW-Authenticate'] = 'ApiKey realm="developer"';
  return headers;
}
