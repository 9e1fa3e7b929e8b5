import type { ErrorReason } from '../../generated/client/calls.ts';
import type { FieldViolation, Status, StatusDetail } from '../../generated/client/types.gen.ts';
import { shownText } from './text.ts';

/** Which call it is, or which failed. It holds no values of the request, so it can be logged. */
export interface FailedCall {
  /** The operationId, or the method and path of a free request. */
  readonly operation: string;
  /** `X-Request-Id` of the last attempt; quote it when you ask for help. '' where it was not one request. */
  readonly requestId: string;
  /** How many times the request was sent so far. */
  readonly attempts: number;
  /** Whether an attempt before this one may have taken effect, since nothing told what became of it. */
  readonly mayHaveTakenEffect?: boolean | undefined;
  /** What to say to the caller where nothing tells what became of it. */
  readonly advice?: string | undefined;
}

/** Statuses of answers, of the service or a proxy, after which the request may have taken effect. */
const UNCLEAR = [500, 502, 503, 504];

/** Whatever goes wrong with a call is one of its subclasses; `name` tells which. */
export abstract class DeveloperApiError extends Error implements FailedCall {
  readonly operation: string;
  readonly requestId: string;
  readonly attempts: number;
  readonly mayHaveTakenEffect: boolean;
  /** Whether the last attempt may have taken effect, since nothing told what became of it. */
  readonly isUnclear: boolean;

  constructor(what: string, call: FailedCall, isUnclear = false, cause?: unknown) {
    const sent = call.attempts > 1 && `sent ${call.attempts} times`;
    const facts = [call.requestId && `request ${call.requestId}`, sent, isUnclear && call.advice];
    const shown = facts.filter(Boolean).join(', ');
    const message = `${call.operation}: ${shownText(what)}${shown && ` (${shownText(shown)})`}`;
    super(message, cause === undefined ? undefined : { cause });
    this.operation = call.operation;
    this.requestId = call.requestId;
    this.attempts = call.attempts;
    this.mayHaveTakenEffect = call.mayHaveTakenEffect ?? false;
    this.isUnclear = isUnclear;
  }
}

/** The service refused the request. Decide by `reason` and `status`; do not parse the message. */
export class ApiError extends DeveloperApiError {
  override readonly name = 'ApiError';
  /** The HTTP status. */
  readonly status: number;
  /** The canonical gRPC number. */
  readonly code: number;
  /** The textual code. A later release of the service may answer with others. */
  readonly reason: ErrorReason | (string & {});
  readonly details: readonly StatusDetail[];
  /** Facts that belong to the reason, such as `required_scope`. */
  readonly metadata: Readonly<Record<string, string | undefined>>;
  /** The parameters or fields that are wrong, with `INVALID_ARGUMENT`. */
  readonly fieldViolations: readonly FieldViolation[];
  /** How long to wait before the request is repeated, where the service says it. */
  readonly retryAfterMs: number | undefined;
  /** The page of the docs that says when the error occurs and what to do, for people; '' where the deployment names none. */
  readonly helpUrl: string;

  constructor(status: number, body: Status, headers: Headers, call: FailedCall) {
    const info = detail(body.details, 'ErrorInfo');
    super(`${status} ${info?.reason ?? body.code}: ${body.message}`, call, UNCLEAR.includes(status));
    this.status = status;
    this.code = body.code;
    this.reason = info?.reason ?? '';
    this.details = body.details;
    this.metadata = info?.metadata ?? {};
    this.fieldViolations = detail(body.details, 'BadRequest')?.field_violations ?? [];
    this.helpUrl = detail(body.details, 'Help')?.links?.[0]?.url ?? '';
    const delay = /^(\d+(?:\.\d+)?)s$/.exec(detail(body.details, 'RetryInfo')?.retryDelay ?? '')?.[1];
    this.retryAfterMs = delay === undefined ? retryAfterMs(headers) : Number(delay) * 1000;
  }
}

/** An answer that the service does not give: the HTML page of a proxy, a redirect, a body that is no JSON or too long. */
export class UnexpectedAnswerError extends DeveloperApiError {
  override readonly name = 'UnexpectedAnswerError';
  readonly status: number;
  readonly contentType: string;
  /** How the body begins. */
  readonly excerpt: string;
  readonly retryAfterMs: number | undefined;

  constructor(status: number, headers: Headers, excerpt: string, call: FailedCall, what?: string) {
    const contentType = shownText(headers.get('content-type') ?? '');
    const got = what ?? `a body that is not the service's (${contentType || 'without a type'})`;
    super(`${status} with ${got}`, call, UNCLEAR.includes(status));
    this.status = status;
    this.contentType = contentType;
    this.excerpt = shownText(excerpt);
    this.retryAfterMs = retryAfterMs(headers);
  }
}

/** The connection could not be made, or it broke. A write may have taken effect all the same: read before you repeat. */
export class ConnectionError extends DeveloperApiError {
  override readonly name = 'ConnectionError';

  constructor(cause: unknown, call: FailedCall) {
    const { code } = ((cause as Error | undefined)?.cause ?? cause ?? {}) as { code?: unknown };
    super(`the connection failed${typeof code === 'string' ? ` (${code})` : ''}`, call, true, cause);
  }
}

/** Nothing came within the time-out. A write may have taken effect all the same: read before you repeat. */
export class TimeoutError extends DeveloperApiError {
  override readonly name = 'TimeoutError';
  readonly timeoutMs: number;

  constructor(timeoutMs: number, call: FailedCall, what = 'no answer') {
    super(`${what} within ${timeoutMs} ms`, call, true);
    this.timeoutMs = timeoutMs;
  }
}

/** The request would have had to wait longer for its turn under the rate limit than `maxWaitMs`; it was not sent. */
export class RateLimitWaitError extends DeveloperApiError {
  override readonly name = 'RateLimitWaitError';
  readonly maxWaitMs: number;

  constructor(maxWaitMs: number, call: FailedCall) {
    super(`no turn under the rate limit within ${maxWaitMs} ms`, call);
    this.maxWaitMs = maxWaitMs;
  }
}

/** The caller's AbortSignal was aborted; `cause` is its reason. */
export class AbortedError extends DeveloperApiError {
  override readonly name = 'AbortError';

  constructor(reason: unknown, call: FailedCall) {
    super('aborted', call, false, reason);
  }
}

/** Storage, which is not the service, refused a file that was sent with a presigned form or fetched by a URL. */
export class StorageError extends DeveloperApiError {
  override readonly name = 'StorageError';
  readonly status: number;
  /** The code of S3 in its answer, such as `EntityTooLarge`; '' where there is none. */
  readonly storageCode: string;

  constructor(status: number, storageCode: string, call: FailedCall, what?: string) {
    super(`storage ${what ?? `answered ${status}${storageCode && ` ${storageCode}`}`}`, call, status >= 500);
    this.status = status;
    this.storageCode = storageCode;
  }
}

type DetailName = 'ErrorInfo' | 'BadRequest' | 'RetryInfo' | 'RequestInfo' | 'Help';
type DetailOf<Name extends DetailName> = Extract<StatusDetail, { '@type': `type.googleapis.com/google.rpc.${Name}` }>;

function detail<Name extends DetailName>(details: readonly StatusDetail[], name: Name): DetailOf<Name> | undefined {
  const type = `type.googleapis.com/google.rpc.${name}`;
  return details.find((each) => each?.['@type'] === type) as DetailOf<Name> | undefined;
}

/** Whether a body has the form of an error of the service. */
export function isStatus(body: unknown): body is Status {
  const { code, message, details } = (body ?? {}) as Partial<Status>;
  return typeof code === 'number' && typeof message === 'string' && Array.isArray(details);
}

/** `Retry-After` in seconds or as a date. */
function retryAfterMs(headers: Headers): number | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
