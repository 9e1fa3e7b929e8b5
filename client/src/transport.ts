import { calls } from '../../generated/client/calls.ts';
import { type Clock, systemClock } from './clock.ts';
import {
  AbortedError,
  ApiError,
  ConnectionError,
  DeveloperApiError,
  type FailedCall,
  isStatus,
  TimeoutError,
  UnexpectedAnswerError,
} from './errors.ts';
import { Pacer } from './pacing.ts';
import { LONGEST_ASKED_MS, retryDelayMs } from './retry.ts';
import type { Answer, OperationId } from './types.ts';
import { VERSION } from './version.ts';

const EXCERPT_LENGTH = 200;

/** One time that a request was sent, for logs and metrics. It holds no key and no value of the request. */
export interface AttemptReport extends FailedCall {
  /** Waiting for its turn included. */
  readonly durationMs: number;
  /** Undefined where no answer came. */
  readonly status: number | undefined;
  readonly error: DeveloperApiError | undefined;
  /** After which time it is sent again; undefined if it is not. */
  readonly retryInMs: number | undefined;
}

/** Options that a call can have as well as the whole client. */
export interface CallOptions {
  /** Ends the call, also while it waits for its turn or for a retry. */
  readonly signal?: AbortSignal | undefined;
  /** How long to wait for one answer, its body included. Waiting for the rate limit does not count. */
  readonly timeoutMs?: number | undefined;
  /** How often a request is sent again where that is safe. */
  readonly maxRetries?: number | undefined;
}

/** Options of calls that take an `Idempotency-Key`. */
export interface KeyedCallOptions extends CallOptions {
  /** Names the attempt across restarts of your program. Without it the client makes one for each call. */
  readonly idempotencyKey?: string | undefined;
}

export interface ClientOptions {
  /** The secret of the key, or a function that gives it, for example after a rotation. */
  readonly apiKey: string | (() => string | Promise<string>);
  /** Where the service is, such as `https://api.docflow.example`; the paths of the contract follow. */
  readonly baseUrl: string;
  readonly timeoutMs?: number | undefined;
  readonly maxRetries?: number | undefined;
  /** Instead of the global one, for a proxy or a test. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Is called after each time that a request was sent. */
  readonly onAttempt?: ((report: AttemptReport) => void) | undefined;
  /** For tests. */
  readonly clock?: Clock | undefined;
  /** For tests: numbers from 0 to 1, by which retries are spread. */
  readonly random?: (() => number) | undefined;
}

/** A request before the key and the identifiers are added. */
export interface FreeRequest {
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly query?: object | undefined;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Whether sending it twice does no more than sending it once. */
  readonly isRepeatable: boolean;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
  readonly requestId: string;
}

export interface CallInput {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: object | undefined;
  readonly body?: unknown;
  /** Where the contract says so though it is no GET. */
  readonly isRepeatable?: boolean;
}

interface FetchedAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** With which it was asked for. */
  readonly key: string;
}

/** Sends requests: in their turn, with a time-out, and again where that is safe. */
export class Transport {
  readonly clock: Clock;
  readonly fetch: typeof globalThis.fetch;
  readonly timeoutMs: number;
  readonly #baseUrl: string;
  readonly #apiKey: ClientOptions['apiKey'];
  readonly #options: ClientOptions;
  readonly #pacer: Pacer;

  constructor(options: ClientOptions) {
    const { protocol, origin, pathname } = new URL(options.baseUrl);
    if (!/^https?:$/.test(protocol)) throw new TypeError('baseUrl must begin with https:// or http://');
    // The paths of the contract carry the whole prefix.
    this.#baseUrl = origin + pathname.replace(/\/+$/, '').replace(/\/developer\/v1$/, '');
    this.#apiKey = options.apiKey;
    this.#options = options;
    this.clock = options.clock ?? systemClock;
    this.timeoutMs = options.timeoutMs ?? 60_000;
    this.fetch = options.fetch ?? ((...args) => globalThis.fetch(...args));
    this.#pacer = new Pacer(this.clock);
  }

  /** Calls an operation. @returns the body of its answer */
  async call<Id extends OperationId>(id: Id, input: CallInput = {}, options?: KeyedCallOptions): Promise<Answer<Id>> {
    return (await this.raw(id, input, options)).body as Answer<Id>;
  }

  /** Calls an operation. @returns its whole answer */
  raw(id: OperationId, input: CallInput = {}, options: KeyedCallOptions = {}): Promise<RawAnswer> {
    const { method, path: template, takesIdempotencyKey } = calls[id];
    const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => segment(name, input.path?.[name]));
    const isRepeatable = input.isRepeatable ?? (method === 'GET' || takesIdempotencyKey);
    const headers: Record<string, string> = takesIdempotencyKey
      ? { 'Idempotency-Key': options.idempotencyKey ?? crypto.randomUUID() }
      : {};
    return this.send(
      { operation: id, method, path, query: input.query, body: input.body, headers, isRepeatable },
      options,
    );
  }

  /** Sends a request in its turn, until it succeeds or sending it again is not safe or not useful any more. */
  send(request: FreeRequest, options: CallOptions = {}): Promise<RawAnswer> {
    return this.repeated(request, options, async (call) => {
      await this.#unlessAborted(this.#pacer.turn(options.signal), options.signal, call);
      let headers: Headers | undefined;
      try {
        const fetched = await this.#fetched(request, call, options);
        headers = fetched.headers;
        return this.#judged(fetched, call);
      } catch (error) {
        if ((error instanceof ApiError || error instanceof UnexpectedAnswerError) && error.status === 429) {
          this.#pacer.refused(Math.min(error.retryAfterMs ?? 1000, LONGEST_ASKED_MS));
        }
        throw error;
      } finally {
        this.#pacer.ended(headers);
      }
    });
  }

  /** Does something again as long as it fails, that is safe, and the caller's options allow it. */
  async repeated<T extends { readonly status: number }>(
    { operation, isRepeatable }: Pick<FreeRequest, 'operation' | 'isRepeatable'>,
    options: CallOptions,
    once: (call: FailedCall) => Promise<T>,
  ): Promise<T> {
    const { maxRetries = 4, random = Math.random, onAttempt } = this.#options;
    const rules = { maxRetries: options.maxRetries ?? maxRetries, isRepeatable, random };
    for (let attempts = 1; ; attempts += 1) {
      const call = { operation, requestId: crypto.randomUUID(), attempts };
      const startedMs = this.clock.now();
      const report = (status: number | undefined, error?: DeveloperApiError, retryInMs?: number) =>
        onAttempt?.({ ...call, durationMs: this.clock.now() - startedMs, status, error, retryInMs });
      let retryInMs: number | undefined;
      try {
        const done = await once(call);
        report(done.status);
        return done;
      } catch (error) {
        if (!(error instanceof DeveloperApiError)) throw error;
        retryInMs = retryDelayMs(error, rules);
        report('status' in error ? Number(error.status) : undefined, error, retryInMs);
        if (retryInMs === undefined) throw error;
      }
      await this.#unlessAborted(this.clock.sleep(retryInMs, options.signal), options.signal, call);
    }
  }

  /** Waits between calls of one piece of work. @throws AbortedError */
  pause(ms: number, operation: string, signal: AbortSignal | undefined): Promise<void> {
    const call = { operation, requestId: '', attempts: 1 };
    return this.#unlessAborted(this.clock.sleep(ms, signal), signal, call);
  }

  /** Turns the rejection of what a signal ends into the error of the client. */
  async #unlessAborted(work: Promise<void>, signal: AbortSignal | undefined, call: FailedCall): Promise<void> {
    try {
      await work;
    } catch (error) {
      throw signal?.aborted ? new AbortedError(signal.reason, call) : error;
    }
  }

  /** Sends the request once and reads the whole body. */
  async #fetched(
    request: FreeRequest,
    call: FailedCall,
    { signal, timeoutMs = this.timeoutMs }: CallOptions,
  ): Promise<FetchedAnswer> {
    const { method, path, query, body } = request;
    const key = await this.#key();
    // What cannot be sent is a mistake of the caller and not of the network, so it is found before the attempt.
    const url = this.#baseUrl + path + queryText(query);
    const headers = new Headers({
      Accept: 'application/json',
      'User-Agent': `developer-api-client/${VERSION}`,
      'X-Request-Id': call.requestId,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...request.headers,
      'X-API-Key': key,
    });
    const text = body === undefined ? null : JSON.stringify(body);
    return limited({ call, timeoutMs, signal }, async (ending) => {
      // A redirect would carry the key to another place.
      const response = await this.fetch(url, { method, headers, body: text, signal: ending, redirect: 'manual' });
      return { status: response.status, headers: response.headers, text: await response.text(), key };
    });
  }

  async #key(): Promise<string> {
    const key = typeof this.#apiKey === 'function' ? await this.#apiKey() : this.#apiKey;
    // What fetch says about a header that cannot be sent contains its value.
    if (!isSendableKey(key)) throw new TypeError('apiKey must be a text of visible ASCII characters');
    return key;
  }

  #judged({ status, headers, text, key }: FetchedAnswer, sent: FailedCall): RawAnswer {
    const requestId = headers.get('x-request-id') ?? sent.requestId;
    const call = { ...sent, requestId };
    let body: unknown;
    try {
      body = JSON.parse(text);
    } catch {
      body = undefined;
    }
    if (status >= 200 && status < 300 && typeof body === 'object' && body !== null) {
      return { status, headers, body, requestId };
    }
    if (isStatus(body)) throw new ApiError(status, body, headers, call);
    // A proxy may show the request that it refused.
    const excerpt = text.replaceAll(key, '…').slice(0, EXCERPT_LENGTH);
    throw new UnexpectedAnswerError(status, headers, excerpt, call);
  }
}

/** Whether a header can carry the key. */
export const isSendableKey = (key: unknown): boolean => typeof key === 'string' && /^[\x21-\x7e]+$/.test(key);

export interface Limits {
  readonly call: FailedCall;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** Does what a signal can end, within a time. @throws DeveloperApiError for whatever goes wrong in it */
export async function limited<T>(
  { call, timeoutMs, signal }: Limits,
  work: (ending: AbortSignal) => Promise<T>,
): Promise<T> {
  const ending = new AbortController();
  const abort = () => ending.abort(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort, { once: true });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    ending.abort();
  }, timeoutMs);
  try {
    return await work(ending.signal);
  } catch (error) {
    if (isLate) throw new TimeoutError(timeoutMs, call);
    if (error instanceof DeveloperApiError) throw error;
    throw signal?.aborted ? new AbortedError(signal.reason, call) : new ConnectionError(error, call);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

function segment(name: string, value: string | undefined): string {
  // Nothing, and dots, would lead to another operation.
  if (!value || value === '.' || value === '..') throw new TypeError(`${name} is not an id`);
  return encodeURIComponent(value);
}

function queryText(query: object = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    [value].flat().flatMap((each) => (each === undefined || each === null ? [] : [[name, textOf(each)]])),
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}

const textOf = (value: unknown) => (value instanceof Date ? value.toISOString() : String(value));
