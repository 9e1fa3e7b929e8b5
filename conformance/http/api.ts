/** Calls to the target with one key (or none): pacing, the header, and short names for what tests ask most often. */
import type { Answers } from '../../generated/handlers.ts';
import { type OperationId, operations, prefix } from '../../generated/operations.ts';
import { LATEST_MS } from '../engine/pacer.ts';
import type { TestContext } from '../engine/test-context.ts';
import { operationOf } from '../judge/contract.ts';
import type { Answer } from './answer.ts';
import { exchangeOverHttp, type WireAnswer } from './client.ts';
import { type Headers, userAgentOf } from './exchange.ts';
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
  timeoutMs?: number;
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

export type ListId =
  | 'listEmployees'
  | 'listDocumentTypes'
  | 'listDocumentCategories'
  | 'listDocumentTemplates'
  | 'listDocuments';
type RowsOf = {
  listEmployees: Answers['listEmployees']['employees'][number];
  listDocumentTypes: Answers['listDocumentTypes']['document_types'][number];
  listDocumentCategories: Answers['listDocumentCategories']['document_categories'][number];
  listDocumentTemplates: Answers['listDocumentTemplates']['document_templates'][number];
  listDocuments: Answers['listDocuments']['documents'][number];
};
export type EmployeeRow = RowsOf['listEmployees'];

const rowsProperty: Record<ListId, string> = {
  listEmployees: 'employees',
  listDocumentTypes: 'document_types',
  listDocumentCategories: 'document_categories',
  listDocumentTemplates: 'document_templates',
  listDocuments: 'documents',
};

/** `a=1&b=x&b=y`, every value encoded. */
export function queryString(query: Query | string): string {
  if (typeof query === 'string') return query;
  return Object.entries(query)
    .flatMap(([name, value]) => (value === undefined ? [] : [value].flat().map((one) => [name, String(one)] as const)))
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
}

/** The id of the endpoint that an answer shows; '' if it shows none. */
function endpointIn({ body }: WireAnswer): string {
  try {
    const { webhook_endpoint } = JSON.parse(body.toString('utf8')) as { webhook_endpoint?: { id?: unknown } };
    return typeof webhook_endpoint?.id === 'string' ? webhook_endpoint.id : '';
  } catch {
    return '';
  }
}

export class Api {
  readonly context: TestContext;
  readonly #names: readonly string[];
  readonly #unpaced: boolean;
  readonly #spread: boolean;
  readonly #baseUrl: string;
  #chosen: Promise<string> | undefined;

  constructor(
    context: TestContext,
    options: { names: string[]; spread?: boolean; unpaced?: boolean; baseUrl?: string },
  ) {
    this.context = context;
    this.#names = options.names;
    this.#unpaced = options.unpaced ?? false;
    this.#spread = options.spread ?? false;
    this.#baseUrl = options.baseUrl ?? context.profile.base_url;
  }

  /** Waits for a permit. @returns the variable name of the key to use, or undefined without a key */
  async #admitted(): Promise<string | undefined> {
    const { link } = this.context;
    if (this.#names.length === 0) {
      if (!this.#unpaced) await link.slot(['anonymous']);
      return undefined;
    }
    if (this.#unpaced) return this.#names[0];
    if (this.#spread) return link.slot(this.#names);
    if (this.#chosen === undefined) {
      this.#chosen = link.slot(this.#names);
      return this.#chosen;
    }
    return link.slot([await this.#chosen]);
  }

  async send(call: Call): Promise<Answer> {
    const { answer, sent } = await this.#exchanged(call);
    if (!this.#isRefusedForLateness(answer)) return this.#recorded(answer, sent);
    // It had no effect, so it may be repeated.
    await this.context.link.ask({ op: 'drain' });
    const again = await this.#exchanged(call);
    return this.#recorded(again.answer, again.sent);
  }

  /** Whether the pacer's requests came to the target later than the pacer allows for. */
  #isRefusedForLateness({ status, sentAtMs, receivedAtMs }: WireAnswer): boolean {
    return status === 429 && !this.#unpaced && !this.context.mayBeRefused && receivedAtMs - sentAtMs >= LATEST_MS;
  }

  async #exchanged(call: Call) {
    const method = call.method ?? 'GET';
    const query = call.query === undefined ? '' : queryString(call.query);
    const target = `${call.absolute ? '' : prefix}${call.path}${query === '' ? '' : `?${query}`}`;
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
    const exchange = () => exchangeOverHttp({ ...call, baseUrl: this.#baseUrl, method, target, headers: sent, body });
    const answer = await this.#noted({ method, path: call.path, key }, exchange);
    await call.onAnswer?.();
    return { answer, sent: { method, target, headers, body, key, wire: false, inFront: call.inFront } };
  }

  /** Sends a request. If it makes or deletes a webhook endpoint, the coordinator knows, so that none is left behind. */
  async #noted(
    { method, path, key }: { method: string; path: string; key: string | undefined },
    exchange: () => Promise<WireAnswer>,
  ): Promise<WireAnswer> {
    const { link } = this.context;
    const [, deleted] = /^\/webhook_endpoints\/([^/]+)$/.exec(method === 'DELETE' ? path : '') ?? [];
    if (deleted !== undefined) {
      const answer = await exchange();
      if (answer.status === 200) await link.ask({ op: 'deleted', endpoint: deleted });
      return answer;
    }
    if (method !== 'POST' || path !== '/webhook_endpoints' || key === undefined) return exchange();
    await link.ask({ op: 'creating' });
    let id = '';
    try {
      const answer = await exchange();
      if (answer.status === 200) id = endpointIn(answer);
      return answer;
    } finally {
      await link.ask({ op: 'created', endpoint: id, key });
    }
  }

  /**
   * Sends bytes unchanged, except that `{key}` in a text is replaced by the key and `{host}` by the Host.
   * @param inFront as in {@link Call}
   */
  async wire(text: string | Buffer, inFront?: string): Promise<Answer> {
    const key = await this.#admitted();
    const bytes = this.#filled(text, key);
    const answer = await exchangeOverWire(this.#baseUrl, bytes);
    const [method = '', target = ''] = bytes.toString('latin1', 0, 4096).split(' ', 2);
    return this.#recorded(answer, { method, target, headers: [], body: undefined, key, wire: true, inFront });
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

  #recorded(
    answer: WireAnswer,
    sent: {
      method: string;
      target: string;
      headers: Headers;
      body: Buffer | undefined;
      key: string | undefined;
      wire: boolean;
      inFront: string | undefined;
    },
  ): Answer {
    return this.context.record({
      rule: this.context.rule.id,
      method: sent.method,
      target: sent.target,
      requestHeaders: sent.headers,
      requestBody: sent.body,
      key: sent.key,
      operationId: operationOf(sent.method, sent.target),
      wire: sent.wire,
      inFront: sent.inFront !== undefined && this.context.hasTerminatorFor(sent.inFront) ? sent.inFront : undefined,
      status: answer.status,
      headers: answer.headers,
      body: answer.body,
      sentAtMs: answer.sentAtMs,
      receivedAtMs: answer.receivedAtMs,
      baseUrl: this.#baseUrl,
    });
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
  async list<Id extends ListId>(operationId: Id, query: Query | string = {}): Promise<Page<RowsOf[Id]>> {
    const answer = await this.send({ path: operations[operationId].path, absolute: true, query });
    const body = answer.ok(operationId as OperationId) as unknown as Record<string, unknown>;
    return {
      rows: body[rowsProperty[operationId]] as RowsOf[Id][],
      token: body.next_page_token as string,
      total: body.total_count as string | undefined,
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

  /** All rows of a list, page by page. @param each is called after every page and before the next */
  async walk<Id extends ListId>(
    operationId: Id,
    query: Query,
    each: (page: Page<RowsOf[Id]>, number: number) => Promise<void> | void = () => {},
  ): Promise<RowsOf[Id][]> {
    const rows: RowsOf[Id][] = [];
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
