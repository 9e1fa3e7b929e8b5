/** Calls to the target with one key (or none): pacing, the header, and short names for what tests ask most often. */
import { type Answers, type OperationId, operations, prefix } from '../../generated/contract.ts';
import type { ExchangeContext } from '../engine/exchange-context.ts';
import { LATEST_MS } from '../engine/pacer.ts';
import { isUnavailable, operationOf } from '../judge/contract.ts';
import { Answer } from './answer.ts';
import { exchangeOverHttp, NoAnswer, type WireAnswer } from './client.ts';
import { type Exchange, type Headers, jsonFrom, userAgentOf } from './exchange.ts';
import { answersOverWire, exchangeOverWire } from './wire.ts';

export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

export interface Call {
  method?: string;
  /** Below the prefix, with a leading slash; sent unchanged. */
  path: string;
  /** True: the path is the whole request target. */
  absolute?: boolean;
  query?: Query | string;
  headers?: Readonly<Record<string, string>> | Headers;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent unchanged. */
  raw?: Buffer | string;
  contentType?: string | null;
  chunkBytes?: number;
  expectContinueMs?: number;
  freshConnection?: boolean;
  /** Called when half of the body was sent; the other half follows when it settles. */
  halfway?: () => Promise<unknown>;
  timeoutMs?: number;
  /** It asks for no more than a share, in a rule in which others do. */
  isPatient?: boolean;
  /** The name of this check among `CHECKS_IN_FRONT`, if a terminator may refuse the request. */
  inFront?: string;
  /**
   * Called when the answer has arrived. The answer is judged when the promise settles, so judging delays no other
   * answer.
   */
  onAnswer?: () => Promise<void>;
}

export interface Page<Row> {
  rows: Row[];
  token: string;
  total: string | undefined;
  answer: Answer;
}

/** A list is an operation whose answer has a `next_page_token`. */
export type ListId = {
  [Id in OperationId]: Answers[Id] extends { next_page_token: string } ? Id : never;
}[OperationId];
/** What the only array of a list's answer holds. */
export type RowOf<Id extends ListId> = Id extends unknown
  ? Extract<Answers[Id][keyof Answers[Id]], readonly unknown[]>[number]
  : never;
export type EmployeeRow = RowOf<'listEmployees'>;

/** `a=1&b=x&b=y`, every value encoded. */
function queryString(query: Query | string): string {
  if (typeof query === 'string') return query;
  return Object.entries(query)
    .flatMap(([name, value]) => (value === undefined ? [] : [value].flat().map((one) => [name, String(one)] as const)))
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
}

/** The id of the endpoint that the answer to a creation shows; '' if it shows none. */
export function endpointIn({ status, body }: Pick<WireAnswer, 'status' | 'body'>): string {
  const said = jsonFrom(body) as { webhook_endpoint?: { id?: unknown } } | undefined;
  const id = said?.webhook_endpoint?.id;
  return status === 200 && typeof id === 'string' ? id : '';
}

/** How often a read is repeated that the target cannot answer yet. */
const MOST_REPEATS = 2;

/** For how long after a late answer the target may still refuse what it counted together, in milliseconds. */
const LATE_FOR_MS = 2_000;

const mayBeUnavailable = (context: ExchangeContext, { isPatient }: Call) =>
  context.mayBeUnavailable && isPatient !== true;

/** A request as it was sent. */
type SentRequest = Pick<Exchange, 'method' | 'target' | 'key' | 'wire' | 'inFront'> & {
  readonly headers: Headers;
  readonly body: Buffer | undefined;
};

/** How requests are sent. */
interface CallerOptions {
  /** The variables of equivalent keys; none for requests without a key. */
  readonly names: readonly string[];
  /** Whether all of them are used in turn. */
  readonly spread?: boolean;
  /** Whether requests wait for no permit. */
  readonly unpaced?: boolean;
  readonly baseUrl?: string;
}

/** Calls to the target for one rule. */
export class Api {
  readonly context: ExchangeContext;
  readonly #options: CallerOptions;
  #chosen: Promise<string> | undefined;

  constructor(context: ExchangeContext, options: CallerOptions) {
    this.context = context;
    this.#options = options;
  }

  get #baseUrl(): string {
    return this.#options.baseUrl ?? this.context.profile.base_url;
  }

  /**
   * Waits for a permit.
   * @returns the variable name of the key to use, or undefined without a key
   * @throws Error if the check has to end
   */
  async #admitted(): Promise<string | undefined> {
    this.context.mustGoOn();
    const key = await this.#permitted();
    this.context.mustGoOn();
    return key;
  }

  async #permitted(): Promise<string | undefined> {
    const { run } = this.context;
    const { names, spread, unpaced } = this.#options;
    if (unpaced) return names[0];
    if (names.length === 0) {
      await run.permit(['anonymous']);
      return undefined;
    }
    if (spread) return run.permit(names);
    if (this.#chosen !== undefined) return run.permit([await this.#chosen]);
    this.#chosen = run.permit(names);
    return this.#chosen;
  }

  async send(call: Call): Promise<Answer> {
    for (let repeats = 0; ; repeats++) {
      const { answer, sent } = await this.#exchanged(call);
      const exchange = this.#exchangeOf(answer, sent);
      // Neither has had an effect, so both may be repeated.
      if (repeats === 0 && this.#isRefusedForLateness(exchange)) this.context.run.drain();
      else if (repeats < MOST_REPEATS && this.#mayComeBack(call, exchange))
        await this.context.waitUntilAvailable(exchange);
      else return this.#recorded(exchange);
    }
  }

  #recorded(exchange: Exchange): Answer {
    return new Answer(this.context, this.context.record(exchange));
  }

  /** Whether it is a read that the contract says to repeat later. */
  #mayComeBack(call: Call, exchange: Exchange): boolean {
    const { context } = this;
    if (this.#options.unpaced || mayBeUnavailable(context, call)) return false;
    if (exchange.method !== 'GET' || call.onAnswer) return false;
    return isUnavailable(exchange, context.values);
  }

  /** Whether the pacer's requests came to the target later than the pacer allows for. */
  #isRefusedForLateness({ status, key = '', sentAtMs, receivedAtMs }: Exchange): boolean {
    const { lateKeys } = this.context.run;
    if (receivedAtMs - sentAtMs >= LATEST_MS) lateKeys.set(key, receivedAtMs);
    const isLate = receivedAtMs - (lateKeys.get(key) ?? Number.NEGATIVE_INFINITY) < LATE_FOR_MS;
    return status === 429 && isLate && !this.#options.unpaced && !this.context.mayBeRefused;
  }

  async #exchanged(call: Call) {
    const method = call.method ?? 'GET';
    const query = call.query === undefined ? '' : queryString(call.query);
    const target = `${call.absolute ? '' : prefix}${call.path}${query && `?${query}`}`;
    const key = await this.#admitted();
    const headers: Headers = [];
    if (key !== undefined) headers.push(['X-API-Key', this.context.secretOf(key)]);
    headers.push(...(Array.isArray(call.headers) ? call.headers : Object.entries(call.headers ?? {})));
    let body: Buffer | undefined;
    if (call.raw !== undefined) body = typeof call.raw === 'string' ? Buffer.from(call.raw) : call.raw;
    else if (call.body !== undefined) body = Buffer.from(JSON.stringify(call.body));
    const type = call.contentType === undefined ? 'application/json' : call.contentType;
    if (body && type !== null) headers.push(['Content-Type', type]);
    const sent: Headers = [['User-Agent', userAgentOf(this.context.rule.id)], ...headers];
    const request = { method, target, headers, body, key, wire: false, inFront: call.inFront };
    const called = operationOf(method, target) ?? `${method} ${call.path}`;
    const { silence } = this.context.run;
    const mayBeChance = !silence.isKnown(called);
    const exchange = (timeoutMs: number | undefined) =>
      exchangeOverHttp({ ...call, timeoutMs, baseUrl: this.#baseUrl, method, target, headers: sent, body });
    const answer = await this.#answered(request, mayBeChance, () =>
      silence.answer(called, call.timeoutMs, (timeoutMs) =>
        this.#noted({ method, path: call.path, key }, () => exchange(timeoutMs)),
      ),
    );
    await call.onAnswer?.();
    return { answer, sent: request };
  }

  /** @throws NoAnswer if there is none; then that request is the one that decided */
  async #answered(
    request: SentRequest,
    mayBeChance: boolean,
    exchange: () => Promise<WireAnswer>,
  ): Promise<WireAnswer> {
    const sentAtMs = performance.now();
    try {
      return await exchange();
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      if (mayBeChance) this.context.doubtBecause(`a request had no answer: ${error.message}`);
      const none = { status: 0, headers: [], body: Buffer.alloc(0), sentAtMs, receivedAtMs: performance.now() };
      this.context.last = this.#exchangeOf(none, request);
      throw error;
    }
  }

  /** Sends a request. If it makes or deletes a webhook endpoint, the run knows, so that none is left behind. */
  async #noted(
    { method, path, key }: { method: string; path: string; key: string | undefined },
    exchange: () => Promise<WireAnswer>,
  ): Promise<WireAnswer> {
    const { run } = this.context;
    const [, deleted] = /^\/webhook_endpoints\/([^/]+)$/.exec(method === 'DELETE' ? path : '') ?? [];
    if (deleted !== undefined) {
      const answer = await exchange();
      if (answer.status === 200) run.endpoints.deleted(deleted);
      return answer;
    }
    if (method !== 'POST' || path !== '/webhook_endpoints' || key === undefined) return exchange();
    return run.endpoints.create(key, exchange, endpointIn);
  }

  /**
   * Sends bytes unchanged, except that `{key}` in a text is replaced by the key and `{host}` by the Host.
   * @param inFront as in {@link Call}
   */
  async wire(text: string | Buffer, inFront?: string): Promise<Answer> {
    const key = await this.#admitted();
    const bytes = this.#filled(text, key);
    const [method = '', target = ''] = bytes.toString('latin1', 0, 4096).split(' ', 2);
    const sent = { method, target, headers: [], body: undefined, key, wire: true, inFront };
    const answer = await this.#answered(sent, true, () => exchangeOverWire(this.#baseUrl, bytes));
    return this.#recorded(this.#exchangeOf(answer, sent));
  }

  /** Sends bytes like `wire` and reads until the target closes. The answers are counted, not judged. */
  async wireAnswers(text: string | Buffer): Promise<{ answers: number; closed: boolean }> {
    return answersOverWire(this.#baseUrl, this.#filled(text, await this.#admitted()));
  }

  #filled(text: string | Buffer, key: string | undefined): Buffer {
    if (typeof text !== 'string') return text;
    const value = key === undefined ? '' : this.context.secretOf(key);
    return Buffer.from(text.replaceAll('{key}', value).replaceAll('{host}', new URL(this.#baseUrl).host), 'latin1');
  }

  #exchangeOf(answer: WireAnswer, { headers, body, inFront, ...sent }: SentRequest): Exchange {
    return {
      ...answer,
      ...sent,
      rule: this.context.rule.id,
      requestHeaders: headers,
      requestBody: body,
      operationId: operationOf(sent.method, sent.target),
      inFront: inFront !== undefined && this.context.hasTerminatorFor(inFront) ? inFront : undefined,
      baseUrl: this.#baseUrl,
    };
  }

  get(path: string, query: Query | string = {}, more: Partial<Call> = {}): Promise<Answer> {
    return this.send({ path, query, ...more });
  }

  post(path: string, body: unknown, more: Partial<Call> = {}): Promise<Answer> {
    return this.send({ method: 'POST', path, body, ...more });
  }

  verify(more: Partial<Call> = {}): Promise<Answer> {
    return this.get('/api_key/_verify', {}, more);
  }

  /** One page of a list. The answer must be a 200 that fits the contract. */
  async list<Id extends ListId>(operationId: Id, query: Query | string = {}): Promise<Page<RowOf<Id>>> {
    const answer = await this.send({ path: operations[operationId].path, absolute: true, query });
    const body = answer.ok(operationId as OperationId) as unknown as Record<string, unknown>;
    return {
      rows: Object.values(body).find(Array.isArray) as RowOf<Id>[],
      get token() {
        return body.next_page_token as string;
      },
      get total() {
        return body.total_count as string | undefined;
      },
      answer,
    };
  }

  employees(query: Query | string = {}): Promise<Page<EmployeeRow>> {
    return this.list('listEmployees', query);
  }

  async employee(id: string, query: Query | string = {}): Promise<EmployeeRow> {
    const answer = await this.get(`/employees/${id}`, query);
    return answer.ok('getEmployee').employee;
  }

  /** All rows of a list, page by page; the largest pages without a query. @param each is called after every page and before the next */
  async walk<Id extends ListId>(
    operationId: Id,
    query: Query = { limit: 1000 },
    each: (page: Page<RowOf<Id>>, number: number) => Promise<void> | void = () => {},
  ): Promise<RowOf<Id>[]> {
    const rows: RowOf<Id>[] = [];
    let token: string | undefined;
    for (let number = 1; number <= 2000; number++) {
      const page = await this.list(operationId, { ...query, page_token: token });
      rows.push(...page.rows);
      await each(page, number);
      if (page.token === '') return rows;
      this.context.check(page.token !== token, 'the next_page_token is the one that was sent', page.answer);
      token = page.token;
    }
    return this.context.fail('the walk does not end after 2000 pages');
  }
}
