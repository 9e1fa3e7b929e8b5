import { calls } from '../../generated/client/calls.ts';
import { bodyBytes } from './body.ts';
import { alarm, type Clock, systemClock, unlessAborted } from './clock.ts';
import {
  AbortedError,
  ApiError,
  ConnectionError,
  DeveloperApiError,
  type FailedCall,
  isStatus,
  RateLimitWaitError,
  TimeoutError,
  UnexpectedAnswerError,
} from './errors.ts';
import { Pacer } from './pacing.ts';
import { LONGEST_ASKED_MS, retryDelayMs } from './retry.ts';
import type { Answer, OperationId } from './types.ts';
import { VERSION } from './version.ts';

const EXCERPT_LENGTH = 200;
/** A page of employees has less than a megabyte. */
const LONGEST_ANSWER_BYTES = 32 * 2 ** 20;
const LONGEST_TURN_MS = 600_000;

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
  /** How long to wait for one answer, its body and a function that gives the key included. */
  readonly timeoutMs?: number | undefined;
  /** How long a request may wait for its turn under the rate limit, ten minutes unless stated; 0 if it may not. */
  readonly maxWaitMs?: number | undefined;
  /** How often a request is sent again where that is safe. */
  readonly maxRetries?: number | undefined;
}

/** Options of calls that take an `Idempotency-Key`. */
export interface KeyedCallOptions extends CallOptions {
  /** Names the attempt across restarts of your program. Without it the client makes one for each call. */
  readonly idempotencyKey?: string | undefined;
}

/** What the client needs of a `fetch`, by its structure: one of another make fits. */
export type Fetch = (
  url: string,
  init: {
    method?: string;
    headers?: Record<string, string>;
    body?: string | Uint8Array<ArrayBuffer> | null;
    signal?: AbortSignal;
    redirect?: 'manual';
  },
) => Promise<FetchedResponse>;

export interface FetchedResponse {
  readonly status: number;
  readonly headers: { forEach(each: (value: string, name: string) => void): void };
  /** A stream of bytes. */
  readonly body: unknown;
}

/** `console`, or what is like it. */
export interface Logger {
  debug?(message: string, report: AttemptReport): void;
  warn?(message: string, report: AttemptReport): void;
  error?(message: string, thrown: unknown): void;
}

export interface ClientOptions {
  /** The secret of the key, or a function that gives it, for example after a rotation. */
  readonly apiKey: string | (() => string | Promise<string>);
  /** Where the service is, such as `https://api.docflow.example`; the paths of the contract follow. */
  readonly baseUrl: string;
  readonly timeoutMs?: number | undefined;
  readonly maxRetries?: number | undefined;
  readonly maxWaitMs?: number | undefined;
  /** Whether requests wait for the rate limit before they are sent; true unless stated. */
  readonly isPaced?: boolean | undefined;
  /** Instead of the global one, for a proxy, an authority of your own or a test. */
  readonly fetch?: Fetch | undefined;
  /** Is called after each time that a request was sent. What it throws is logged. */
  readonly onAttempt?: ((report: AttemptReport) => void) | undefined;
  /** Is told of each attempt (`debug`), each repetition (`warn`) and what your functions throw (`error`); by default `console` of the last. */
  readonly logger?: Logger | undefined;
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
  /** What to say to the caller where nothing tells what became of it. */
  readonly advice?: string | undefined;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
  readonly requestId: string;
}

/** How an operation is called, as it is generated. */
interface CallForm {
  readonly method: string;
  readonly path: string;
  readonly takesIdempotencyKey?: true;
}

export interface CallInput {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: object | undefined;
  readonly body?: unknown;
  /** Where the contract says so though it is no GET. */
  readonly isRepeatable?: boolean;
  readonly advice?: string;
}

interface FetchedAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Undefined if it is too long. */
  readonly bytes: Uint8Array<ArrayBuffer> | undefined;
  /** With which it was asked for. */
  readonly key: string;
}

const answers = new WeakMap<object, RawAnswer>();

/** The whole answer, with its headers and request id, of which a call or a page of a list gave the body. */
export const answerOf = (body: object): RawAnswer | undefined => answers.get(body);

/** Sends requests: in their turn, with a time-out, and again where that is safe. */
export class Transport {
  readonly clock: Clock;
  readonly fetch: Fetch;
  readonly timeoutMs: number;
  readonly #origin: string;
  readonly #baseUrl: string;
  readonly #apiKey: ClientOptions['apiKey'];
  readonly #options: ClientOptions;
  readonly #pacer: Pacer;

  constructor(options: ClientOptions) {
    const { protocol, origin, pathname } = new URL(options.baseUrl);
    if (!/^https?:$/.test(protocol)) throw new TypeError('baseUrl must begin with https:// or http://');
    // The paths of the contract carry the whole prefix.
    this.#origin = origin;
    this.#baseUrl = origin + pathname.replace(/\/+$/, '').replace(/\/developer\/v1$/, '');
    this.#apiKey = options.apiKey;
    this.#options = options;
    this.clock = options.clock ?? systemClock;
    this.timeoutMs = options.timeoutMs ?? 60_000;
    this.fetch = options.fetch ?? ((url, init) => globalThis.fetch(url, init));
    this.#pacer = new Pacer(this.clock);
  }

  /** Calls an operation. @returns the body of its answer */
  async call<Id extends OperationId>(id: Id, input: CallInput = {}, options?: KeyedCallOptions): Promise<Answer<Id>> {
    return (await this.raw(id, input, options)).body as Answer<Id>;
  }

  /** Calls an operation. @returns its whole answer */
  raw(id: OperationId, input: CallInput = {}, options: KeyedCallOptions = {}): Promise<RawAnswer> {
    const { query, body, advice } = input;
    const { method, path: template, takesIdempotencyKey }: CallForm = calls[id];
    const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => segment(name, input.path?.[name]));
    const isRepeatable = input.isRepeatable ?? (method === 'GET' || takesIdempotencyKey === true);
    const headers: Record<string, string> = takesIdempotencyKey
      ? { 'Idempotency-Key': options.idempotencyKey ?? crypto.randomUUID() }
      : {};
    return this.send({ operation: id, method, path, query, body, headers, isRepeatable, advice }, options);
  }

  /** Sends a request in its turn, until it succeeds or sending it again is not safe or not useful any more. */
  send(request: FreeRequest, options: CallOptions = {}): Promise<RawAnswer> {
    return this.repeated(request, options, async (call) => {
      await this.#turn(options, call);
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
        if (this.#isPaced) this.#pacer.ended(headers);
      }
    });
  }

  get #isPaced(): boolean {
    return this.#options.isPaced ?? true;
  }

  /** Waits for a turn under the rate limit. */
  async #turn({ signal, maxWaitMs }: CallOptions, call: FailedCall): Promise<void> {
    if (!this.#isPaced) return;
    const mostMs = maxWaitMs ?? this.#options.maxWaitMs ?? LONGEST_TURN_MS;
    const isTaken = await this.#unlessAborted(this.#pacer.turn(mostMs, signal), signal, call);
    if (!isTaken) throw new RateLimitWaitError(mostMs, call);
  }

  /** Does something again as long as it fails, that is safe, and the caller's options allow it. */
  async repeated<T extends { readonly status: number }>(
    { operation, isRepeatable, advice }: Pick<FreeRequest, 'operation' | 'isRepeatable' | 'advice'>,
    options: CallOptions,
    once: (call: FailedCall) => Promise<T>,
  ): Promise<T> {
    const { maxRetries = 4, random = Math.random } = this.#options;
    const rules = { maxRetries: options.maxRetries ?? maxRetries, isRepeatable, random };
    let mayHaveTakenEffect = false;
    for (let attempts = 1; ; attempts += 1) {
      const call = { operation, requestId: crypto.randomUUID(), attempts, mayHaveTakenEffect, advice };
      const startedMs = this.clock.now();
      const report = (status: number | undefined, error?: DeveloperApiError, retryInMs?: number) =>
        this.#report({ ...call, durationMs: this.clock.now() - startedMs, status, error, retryInMs });
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
        mayHaveTakenEffect ||= error.isUnclear;
      }
      await this.#unlessAborted(this.clock.sleep(retryInMs, options.signal), options.signal, call);
    }
  }

  /** Tells the caller's function and logger of an attempt. What they throw changes nothing of the call. */
  #report(report: AttemptReport): void {
    const { onAttempt, logger = ERRORS_ONLY } = this.#options;
    const { operation, status, error, retryInMs } = report;
    try {
      logger.debug?.(`${operation}: ${status ?? error?.name}`, report);
      if (retryInMs !== undefined) logger.warn?.(`${error?.message} is sent again`, report);
      onAttempt?.(report);
    } catch (thrown) {
      logger.error?.('onAttempt or the logger threw', thrown);
    }
  }

  /** Sends a form. A `fetch` of another make gets its bytes, since it need not know the Blob of this runtime. */
  async post(url: string, form: Blob, signal: AbortSignal): Promise<FetchedResponse> {
    const init = { method: 'POST', headers: { 'Content-Type': form.type }, signal };
    if (this.#options.fetch === undefined) return globalThis.fetch(url, { ...init, body: form });
    return this.fetch(url, { ...init, body: new Uint8Array(await form.arrayBuffer()) });
  }

  /** Waits between calls of one piece of work. @throws AbortedError */
  pause(ms: number, operation: string, signal: AbortSignal | undefined): Promise<void> {
    const call = { operation, requestId: '', attempts: 1 };
    return this.#unlessAborted(this.clock.sleep(ms, signal), signal, call);
  }

  /** Turns the rejection of what a signal ends into the error of the client. */
  async #unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined, call: FailedCall): Promise<T> {
    try {
      return await work;
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
    const limits = { call, timeoutMs, signal };
    const key = await limited(limits, (ending) => unlessAborted(this.#key(), ending), unchanged);
    // What cannot be sent is a mistake of the caller and not of the network, so it is found before the attempt.
    const url = this.#baseUrl + path + queryText(query);
    if (new URL(url).origin !== this.#origin) throw new TypeError(`the path leads away from ${this.#origin}`);
    const fields = new Headers({
      Accept: 'application/json',
      'User-Agent': `developer-api-client/${VERSION}`,
      'X-Request-Id': call.requestId,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...request.headers,
      'X-API-Key': key,
    });
    const headers = Object.fromEntries(fields);
    const text = body === undefined ? null : JSON.stringify(body);
    return limited(limits, async (ending) => {
      // A redirect would carry the key to another place.
      const init = { method, headers, body: text, signal: ending, redirect: 'manual' } as const;
      const response = await this.fetch(url, init);
      const got = new Headers();
      response.headers.forEach((value, name) => {
        got.append(name, value);
      });
      const bytes = await unlessAborted(bodyBytes(response.body, LONGEST_ANSWER_BYTES), ending);
      return { status: response.status, headers: got, bytes, key };
    });
  }

  async #key(): Promise<string> {
    const key = typeof this.#apiKey === 'function' ? await this.#apiKey() : this.#apiKey;
    // What fetch says about a header that cannot be sent contains its value.
    if (!isSendableKey(key)) throw new TypeError('apiKey must be a text of visible ASCII characters');
    return key;
  }

  #judged({ status, headers, bytes, key }: FetchedAnswer, sent: FailedCall): RawAnswer {
    const requestId = headers.get('x-request-id') ?? sent.requestId;
    const call = { ...sent, requestId };
    if (bytes === undefined) throw new UnexpectedAnswerError(status, headers, '', call, 'too long a body');
    const text = new TextDecoder().decode(bytes);
    let body: unknown;
    try {
      body = JSON.parse(text);
    } catch {
      body = undefined;
    }
    if (status >= 200 && status < 300 && typeof body === 'object' && body !== null) {
      const answer = { status, headers, body, requestId };
      answers.set(body, answer);
      return answer;
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

const ERRORS_ONLY: Logger = { error: (...said) => console.error(...said) };

const unchanged = (error: unknown) => error;

/**
 * Does what a signal can end, within a time.
 * @param failure what to throw for an error of the work that is none of the client's
 */
export async function limited<T>(
  { call, timeoutMs, signal }: Limits,
  work: (ending: AbortSignal) => Promise<T>,
  failure: (error: unknown) => unknown = (error) => new ConnectionError(error, call),
): Promise<T> {
  const ending = new AbortController();
  const abort = () => ending.abort(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort, { once: true });
  let isLate = false;
  const stop = alarm(timeoutMs, () => {
    isLate = true;
    ending.abort();
  });
  try {
    return await work(ending.signal);
  } catch (error) {
    if (isLate) throw new TimeoutError(timeoutMs, call);
    if (error instanceof DeveloperApiError) throw error;
    throw signal?.aborted ? new AbortedError(signal.reason, call) : failure(error);
  } finally {
    stop();
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
