/** Faults of the network and refusals of the service: which error the caller gets, and what is sent again. */
import { createHash } from 'node:crypto';
import { describe, expect, jest, test } from '@jest/globals';
import type nock from 'nock';
import {
  hanging,
  ID,
  interceptNetwork,
  KEY,
  ORIGIN,
  PREFIX,
  recorded,
  refusal,
  rejection,
  testClient,
} from '../testing/fixture.ts';
import { DeveloperApi } from './client.ts';
import { answerOf } from './transport.ts';

interceptNetwork();

const EMPLOYEE = { employee: { id: ID } };
const draft = { title: 'Приказ', type_id: ID, file_id: ID };
const employee = () => recorded().get(`${PREFIX}/employees/${ID}`);
/** What a reading ends with. */
const failure = (options?: Parameters<typeof testClient>[0]) => rejection(testClient(options).client.employees.get(ID));
const RESET = Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });

describe('what is sent', () => {
  test('the key, an id of the request, and parameters that repeat', async () => {
    const query = {
      limit: '2',
      expand: ['person', 'manager'],
      updated_since: '2026-01-01T00:00:00.000Z',
      page_token: 'a.b+c/d=',
    };
    const page = { employees: [], next_page_token: '', total_count: '0' };
    recorded()
      .matchHeader('x-request-id', /^[0-9a-f-]{36}$/)
      .get(`${PREFIX}/employees`)
      .query(query)
      .reply(200, page);
    const { client } = testClient();
    const given = { ...query, limit: 2, expand: ['person' as const, 'manager' as const] };
    expect(await client.employees.list({ ...given, updated_since: new Date('2026-01-01') }).page()).toEqual(page);
  });

  test('a base URL may end with a slash or with the prefix, and the key may come from a function', async () => {
    for (const baseUrl of [`${ORIGIN}/`, `${ORIGIN}${PREFIX}`, `${ORIGIN}${PREFIX}/`]) {
      employee().reply(200, EMPLOYEE);
      const { client } = testClient({ baseUrl, apiKey: async () => KEY });
      expect(await client.employees.get(ID)).toEqual(EMPLOYEE);
    }
  });

  test('an id is one segment of the path, and not nothing', async () => {
    const { client } = testClient();
    recorded().get(`${PREFIX}/employees/..%2Fdocuments%3Fx`).reply(200, EMPLOYEE);
    expect(await client.employees.get('../documents?x')).toEqual(EMPLOYEE);
    for (const id of ['', '.', '..']) {
      expect((await rejection(client.employees.get(id))).message).toBe('employee_id is not an id');
    }
  });

  test('any request of the contract or of a later release', async () => {
    recorded().get(`${PREFIX}/later`).query({ a: 1 }).reply(200, { b: 2 }, { 'X-Request-Id': 'r' });
    const answer = await testClient().client.request('GET', `${PREFIX}/later`, { query: { a: 1 } });
    expect(answer).toMatchObject({ status: 200, body: { b: 2 }, requestId: 'r' });
  });
});

describe('errors', () => {
  test('a refusal has its reason, code, details, request and time to wait', async () => {
    const violations = [{ field: 'limit', description: 'must be a number' }];
    const details = [
      { '@type': 'type.googleapis.com/google.rpc.BadRequest', field_violations: violations },
      { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '0.250s' },
      { '@type': 'type.googleapis.com/google.rpc.Unknown', of: 'a later release' },
      { '@type': 'type.googleapis.com/google.rpc.Help', links: [{ description: 'More', url: `${ORIGIN}/docs#/e` }] },
    ];
    const body = refusal('INVALID_ARGUMENT', details, { required_scope: 's' });
    employee().reply(400, body, { 'X-Request-Id': 'abc', 'Retry-After': '1' });
    const error = await failure();
    expect(error).toMatchObject({
      name: 'ApiError',
      message: 'getEmployee: 400 INVALID_ARGUMENT: What went wrong. (request abc)',
      status: 400,
      code: 9,
      reason: 'INVALID_ARGUMENT',
      requestId: 'abc',
      retryAfterMs: 250,
      metadata: { required_scope: 's' },
      fieldViolations: violations,
      helpUrl: `${ORIGIN}/docs#/e`,
      details: body.details,
      attempts: 1,
    });
  });

  test.each([
    ['a page of HTML', 502, '<html>Bad gateway</html>', 'text/html'],
    ['JSON that is not of the service', 403, '{"message":"Forbidden"}', 'application/json'],
  ])('%s is an unexpected answer', async (_, status, body, type) => {
    employee().reply(status, body, { 'Content-Type': type });
    const error = await failure({ maxRetries: 0 });
    expect(error).toMatchObject({ name: 'UnexpectedAnswerError', status, contentType: type, excerpt: body });
  });

  test('an answer that does not come in time is a time-out, also where only its body is missing', async () => {
    const soon = { maxRetries: 0, timeoutMs: 1 };
    expect(await failure({ ...soon, fetch: hanging })).toMatchObject({ name: 'TimeoutError', timeoutMs: 1 });
    const bodiless: typeof fetch = async (_, init) => {
      const start = (body: ReadableStreamDefaultController) =>
        init?.signal?.addEventListener('abort', () => body.error(new DOMException('aborted', 'AbortError')));
      return new Response(new ReadableStream({ start }));
    };
    expect(await failure({ ...soon, fetch: bodiless })).toMatchObject({ name: 'TimeoutError' });
  });

  test('a call ends when its signal is aborted: before it, under way, in the line and between attempts', async () => {
    const reason = new Error('no longer needed');
    const aborted = { name: 'AbortError', cause: reason };
    const { client } = testClient({ fetch: hanging, maxRetries: 0 });
    expect(await rejection(client.employees.get(ID, {}, { signal: AbortSignal.abort(reason) }))).toMatchObject(aborted);

    const underWay = new AbortController();
    const ended: typeof fetch = (url, init) => {
      queueMicrotask(() => underWay.abort(reason));
      return hanging(url, init);
    };
    const call = testClient({ fetch: ended, maxRetries: 0 }).client.employees.get(ID, {}, { signal: underWay.signal });
    expect(await rejection(call)).toMatchObject(aborted);

    const between = new AbortController();
    employee().replyWithError(RESET);
    const retrying = testClient({ onAttempt: () => queueMicrotask(() => between.abort(reason)) }).client;
    expect(await rejection(retrying.employees.get(ID, {}, { signal: between.signal }))).toMatchObject(aborted);
  });

  test('a key that is not set is not sent as a word', async () => {
    const unset = new DeveloperApi({ apiKey: undefined as unknown as string, baseUrl: ORIGIN });
    expect(await rejection(unset.employees.get(ID))).toBeInstanceOf(TypeError);
  });

  test('no error tells the key', async () => {
    const { client } = testClient({ maxRetries: 0 });
    employee().reply(401, refusal('INTEGRATION.API_KEY_INVALID'));
    employee().reply(502, `<html>X-API-Key: ${KEY}`, { 'Content-Type': 'text/html' });
    employee().replyWithError(RESET);
    const wrong = new DeveloperApi({ apiKey: `${KEY}\nx`, baseUrl: ORIGIN });
    const errors = [client, client, client, wrong].map((each) => rejection(each.employees.get(ID)));
    for (const error of await Promise.all(errors)) {
      expect(`${error.message} ${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`).not.toContain(KEY);
    }
    expect(JSON.stringify(client)).not.toContain(KEY);
  });
});

test('what cannot be sent is a mistake of the caller, and nothing is tried', async () => {
  const { client, reports } = testClient();
  const keyed = client.documents.create(draft, { idempotencyKey: 'a\nb' });
  const endless = client.documents.create({ ...draft, template_values: { n: 1n } });
  for (const call of [keyed, endless]) expect((await rejection(call)).name).toBe('TypeError');
  expect(reports).toEqual([]);
});

describe('what is sent again', () => {
  test('a reading after a lost connection, a time-out or a failing proxy, until it succeeds', async () => {
    const { client, reports } = testClient();
    employee().replyWithError(RESET);
    employee().reply(503, refusal('UNAVAILABLE'), { 'Retry-After': '2' });
    employee().reply(504, '<html>', { 'Content-Type': 'text/html' });
    employee().reply(200, EMPLOYEE);
    expect(await client.employees.get(ID)).toEqual(EMPLOYEE);
    expect(reports.map(({ status, retryInMs }) => [status, retryInMs])).toEqual([
      [undefined, 0],
      [503, 2000],
      [504, 0],
      [200, undefined],
    ]);
  });

  test('it ends: after the retries that were asked for the last error is thrown', async () => {
    const { client } = testClient({ maxRetries: 2 });
    employee().times(3).replyWithError(RESET);
    const message = expect.stringContaining('ECONNRESET');
    expect(await failure({ maxRetries: 2 })).toMatchObject({ name: 'ConnectionError', attempts: 3, message });
    employee().replyWithError(RESET);
    expect(await rejection(client.employees.get(ID, {}, { maxRetries: 0 }))).toMatchObject({ attempts: 1 });
  });

  test('a creation keeps its Idempotency-Key over all attempts, and each call has its own', async () => {
    const keys: string[] = [];
    const created = () =>
      recorded()
        .post(`${PREFIX}/documents`, draft)
        .matchHeader('idempotency-key', (key) => keys.push(String(key)) > 0);
    const { client } = testClient();
    created().replyWithError(RESET);
    created().reply(409, refusal('DEVELOPER.IDEMPOTENCY_IN_PROGRESS'), { 'Retry-After': '1' });
    created().reply(200, { document: { id: ID } });
    expect(await client.documents.create(draft)).toEqual({ document: { id: ID } });
    created().reply(200, { document: { id: ID } });
    await client.documents.create(draft);
    created().reply(200, { document: { id: ID } });
    await client.documents.create(draft, { idempotencyKey: 'mine' });
    const [first, ...others] = [...new Set(keys)];
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect(others).toHaveLength(2);
    expect(others[1]).toBe('mine');
  });

  test('a batch that landed although its answer was lost is a success, a key that was used before is none', async () => {
    const batch = { payload_type: 'PERSONS', records: [{ external_id: '1' }, { external_id: '2' }] };
    const body_sha256 = createHash('sha256').update(JSON.stringify(batch)).digest('hex');
    const used = refusal('INTEGRATION.IDEMPOTENCY_REQUIRED', [], { ingest_request_id: ID, body_sha256 });
    const load = () => recorded().post(`${PREFIX}/ingest/KEDO`, batch);
    const { client } = testClient();
    load().replyWithError(RESET);
    load().reply(409, used);
    const answer = { ingest_request_id: ID, status: 'ACCEPTED', record_count: 2 };
    expect(await client.ingest.records('KEDO', batch)).toEqual(answer);
    const refused = { status: 409, metadata: { ingest_request_id: ID } };
    load().reply(409, used);
    expect(await rejection(client.ingest.records('KEDO', batch, { idempotencyKey: 'used' }))).toMatchObject(refused);
    // Nothing became of a refused attempt, and another body is another batch.
    load().reply(429, refusal('DEVELOPER.RATE_LIMIT_EXCEEDED'));
    load().reply(409, used);
    expect(await rejection(client.ingest.records('KEDO', batch))).toMatchObject(refused);
    load().replyWithError(RESET);
    load().reply(409, refusal('INTEGRATION.IDEMPOTENCY_REQUIRED', [], { ingest_request_id: ID, body_sha256: 'a' }));
    expect(await rejection(client.ingest.records('KEDO', batch))).toMatchObject(refused);
  });

  /** The document is read, with slots of these statuses in one step. */
  function read(...statuses: string[]) {
    const participants = statuses.map((status, nth) => ({ id: `slot ${nth}`, status: `PARTICIPANT_STATUS_${status}` }));
    const document = { id: ID, route: { steps: [{ participants }] } };
    recorded().get(`${PREFIX}/documents/${ID}`).reply(200, { document });
    return { document };
  }
  const approval = (body: nock.RequestBodyMatcher) => recorded().post(`${PREFIX}/documents/${ID}/_approve`, body);

  test.each([
    ['that is named', { participant_id: 'slot 1' }, () => {}],
    ['that is the only active one', {}, () => read('SKIPPED', 'ACTIVE')],
  ])('an act in the slot %s is repeated in it, and what it has done is its answer', async (_, body, given) => {
    const { client } = testClient();
    const act = () => approval({ participant_id: 'slot 1' });
    const acted = refusal('DOCUMENT.INVALID_STATUS_TRANSITION');
    given();
    act().replyWithError(RESET);
    act().reply(409, acted);
    const done = read('SKIPPED', 'APPROVED');
    expect(await client.documents.approve(ID, body)).toEqual(done);
    // Another has ended the document meanwhile, or the first attempt was refused.
    given();
    act().replyWithError(RESET);
    act().reply(409, acted);
    read('SKIPPED', 'SKIPPED');
    expect(await rejection(client.documents.approve(ID, body))).toMatchObject({ status: 409, attempts: 2 });
    given();
    act().reply(409, acted);
    expect(await rejection(client.documents.approve(ID, body))).toMatchObject({ attempts: 1 });
  });

  test.each([
    ['several are active', () => read('ACTIVE', 'ACTIVE')],
    ['the key may not read', () => recorded().get(`${PREFIX}/documents/${ID}`).reply(403, refusal('OTHER'))],
  ])('an act in no known slot, since %s, is sent once, and its error tells why', async (_, given) => {
    const { client } = testClient();
    for (const fault of [lost('ECONNRESET'), refused(503), page(504)]) {
      given();
      fault(approval({}));
      const { message, attempts, isUnclear } = await rejection(client.documents.approve(ID));
      expect({ attempts, isUnclear }).toEqual({ attempts: 1, isUnclear: true });
      expect(message).toMatch(/not sent again.*participant_id/);
    }
    given();
    refused(400)(approval({}));
    expect((await rejection(client.documents.approve(ID))).message).not.toMatch('participant_id');
  });

  test('retries are spread: from what the service asks for, up to twice as long each time', async () => {
    const { client, clock } = testClient({ random: () => 1, maxRetries: 6 });
    employee().times(6).replyWithError(RESET);
    employee().reply(503, refusal('UNAVAILABLE'), { 'Retry-After': '3' });
    await rejection(client.employees.get(ID));
    expect(clock.waits).toEqual([500, 1000, 2000, 4000, 8000, 8000]);
  });
});

type Fault = (request: nock.Interceptor) => unknown;
const lost = (code: string) => (request: nock.Interceptor) =>
  request.replyWithError(Object.assign(new Error('lost'), { code }));
const refused = (status: number, reason = 'OTHER', headers = {}) => {
  return (request: nock.Interceptor) => request.reply(status, refusal(reason), headers);
};
const page = (status: number) => (request: nock.Interceptor) =>
  request.reply(status, '<html>', { 'Content-Type': 'text/html' });
const [API, UNEXPECTED, CONNECTION] = ['ApiError', 'UnexpectedAnswerError', 'ConnectionError'];
const [ALWAYS, SAFE, NEVER] = [
  [5, 5, 5],
  [5, 5, 1],
  [1, 1, 1],
];
/** What goes wrong each time, the error, and how often a reading, a write with a key and one without are sent. */
const FAULTS: readonly [what: string, fault: Fault, name: string, attempts: readonly number[]][] = [
  ['nobody listens', lost('ECONNREFUSED'), CONNECTION, SAFE],
  ['the connection breaks', lost('ECONNRESET'), CONNECTION, SAFE],
  ['the certificate is not trusted', lost('DEPTH_ZERO_SELF_SIGNED_CERT'), CONNECTION, SAFE],
  ['400', refused(400), API, NEVER],
  ['403', refused(403), API, NEVER],
  ['404', refused(404), API, NEVER],
  ['409', refused(409), API, NEVER],
  ['409 in progress', refused(409, 'DEVELOPER.IDEMPOTENCY_IN_PROGRESS'), API, ALWAYS],
  ['429', refused(429), API, ALWAYS],
  ['429 of a proxy', page(429), UNEXPECTED, ALWAYS],
  ['429 for ten minutes', refused(429, 'OTHER', { 'Retry-After': '600' }), API, NEVER],
  ['500', refused(500), API, SAFE],
  ['500 of a proxy', page(500), UNEXPECTED, SAFE],
  ['501', refused(501), API, NEVER],
  ['502 of a proxy', page(502), UNEXPECTED, SAFE],
  ['503', refused(503), API, SAFE],
  ['503 for ten minutes', refused(503, 'OTHER', { 'Retry-After': '600' }), API, NEVER],
  ['503 until no date', refused(503, 'OTHER', { 'Retry-After': 'soon' }), API, SAFE],
  ['504 of a proxy', page(504), UNEXPECTED, SAFE],
  ['a page as a success', page(200), UNEXPECTED, NEVER],
  ['an empty success', (request) => request.reply(200, ''), UNEXPECTED, NEVER],
  ['a success that is a text', (request) => request.reply(200, '"x"'), UNEXPECTED, NEVER],
  ['a redirect', (request) => request.reply(307, '', { Location: 'https://elsewhere.test/' }), UNEXPECTED, NEVER],
];

test.each(FAULTS)('%s: the error, and how often each kind of call is sent', async (_what, fault, name, attempts) => {
  const { employees, documents } = testClient().client;
  const calls: [nock.Interceptor, () => Promise<unknown>][] = [
    [employee(), () => employees.get(ID)],
    [recorded().post(`${PREFIX}/documents`), () => documents.create(draft)],
    [recorded().post(`${PREFIX}/documents/${ID}/_reject`), () => documents.reject(ID, { comment: 'No.' })],
  ];
  for (const [i, [request, call]] of calls.entries()) {
    fault(request.times(attempts[i] ?? 0));
    expect(await rejection(call())).toMatchObject({ name, attempts: attempts[i] });
  }
});

test('a body that is cut off is a lost answer', async () => {
  let times = 0;
  const cutOff = async () => {
    times += 1;
    const start = (out: ReadableStreamDefaultController) => {
      out.enqueue(new TextEncoder().encode('{'));
      out.error(RESET);
    };
    return new Response(new ReadableStream({ start }));
  };
  expect(await failure({ fetch: cutOff })).toMatchObject({ name: 'ConnectionError', attempts: 5 });
  expect(times).toBe(5);
});

describe('what a server says has bounds', () => {
  const answering = (body: unknown, headers = {}) =>
    testClient({ maxRetries: 0, fetch: async () => new Response(JSON.stringify(body), { headers }) });

  test.each(['q=0;w=1', 'q=1;w=99999999999', `q=${'9'.repeat(400)};w=1`, 'q=20;w=0'])(
    'a limit of %s leaves the client working',
    async (policy) => {
      const headers = { 'RateLimit-Policy': `"key";${policy}`, RateLimit: '"key";r=0;t=1' };
      const { client, clock } = answering(EMPLOYEE, headers);
      for (let i = 0; i < 3; i += 1) expect(await client.employees.get(ID)).toEqual(EMPLOYEE);
      expect(clock.now()).toBeLessThan(400_000);
      expect(clock.waits.length).toBeLessThan(5);
    },
  );

  test('a wait for the turn ends where it would take too long, and can be turned off', async () => {
    const headers = { RateLimit: '"key";r=0;t=1', 'RateLimit-Policy': '"key";q=1;w=60' };
    const { client } = answering(EMPLOYEE, headers);
    await client.employees.get(ID);
    const late = await rejection(client.employees.get(ID, {}, { maxWaitMs: 1000 }));
    expect(late).toMatchObject({ name: 'RateLimitWaitError', maxWaitMs: 1000, attempts: 1 });
    const { client: free, clock } = testClient({
      isPaced: false,
      fetch: async () => Response.json(EMPLOYEE, { headers }),
    });
    for (let i = 0; i < 50; i += 1) await free.employees.get(ID);
    expect(clock.waits).toEqual([]);
  });

  test('a body that does not end is not read to its end', async () => {
    let sent = 0;
    const endless = () => {
      const pull = (out: ReadableStreamDefaultController) => out.enqueue(new Uint8Array(++sent && 2 ** 20));
      return new Response(new ReadableStream({ pull }));
    };
    const error = await rejection(testClient({ fetch: async () => endless() }).client.employees.get(ID));
    expect(error).toMatchObject({ name: 'UnexpectedAnswerError', excerpt: '' });
    expect(error.message).toContain('200 with too long a body');
    expect(sent).toBeLessThan(40);
  });

  test('text that steers a terminal stays out of messages, and they stay short', async () => {
    const body = { code: 5, message: `\u001b]0;x\u0007\u202e${'y'.repeat(5000)}`, details: [] };
    employee().reply(404, body);
    const { message } = await failure();
    expect(message).toContain('404 5: \\u001b]0;x\\u0007\\u202eyyy');
    expect(message.length).toBeLessThan(700);
  });

  test.each([
    ['is missing', [{ employees: [] }]],
    ['comes again', ['a', 'b', 'a'].map((next_page_token) => ({ employees: [], next_page_token }))],
  ])('a walk ends with an error where its token %s', async (_, pages) => {
    const { client } = testClient({ fetch: async () => Response.json(pages.shift()) });
    const error = await rejection(client.employees.list().toArray(9));
    expect(error).toMatchObject({ name: 'UnexpectedAnswerError', status: 200, operation: 'listEmployees' });
  });
});

describe('what is given to the client', () => {
  test('the key is never sent to another origin', async () => {
    const { client, reports } = testClient();
    const away = await rejection(client.request('GET', '.evil.test/x'));
    expect([away.name, away.message]).toEqual(['TypeError', `the path leads away from ${ORIGIN}`]);
    expect(reports).toEqual([]);
  });

  test('a function that gives no key ends by the time-out and by the signal', async () => {
    const { client } = testClient({ apiKey: () => new Promise(() => {}), maxRetries: 0 });
    const late = await rejection(client.employees.get(ID, {}, { timeoutMs: 1 }));
    expect(late).toMatchObject({ name: 'TimeoutError', timeoutMs: 1 });
    const ending = new AbortController();
    const call = rejection(client.employees.get(ID, {}, { signal: ending.signal }));
    ending.abort();
    expect(await call).toMatchObject({ name: 'AbortError' });
    const failing = testClient({ apiKey: () => Promise.reject(new RangeError('no vault')) }).client;
    expect(await rejection(failing.employees.get(ID))).toBeInstanceOf(RangeError);
  });

  test('a function that throws changes no result, and the logger hears of it and of each attempt', async () => {
    const logger = { debug: jest.fn(), warn: jest.fn(), error: jest.fn() };
    const thrown = new Error('the metrics are away');
    const onAttempt = () => {
      throw thrown;
    };
    employee().reply(503, refusal('UNAVAILABLE'), { 'Retry-After': '1' });
    employee().reply(200, EMPLOYEE);
    const { client } = testClient({ onAttempt, logger });
    expect(await client.employees.get(ID)).toEqual(EMPLOYEE);
    expect(logger.error.mock.calls).toEqual(Array(2).fill(['onAttempt or the logger threw', thrown]));
    expect(logger.debug).toHaveBeenLastCalledWith('getEmployee: 200', expect.objectContaining({ attempts: 2 }));
    const again = expect.stringMatching(/^getEmployee: 503 .+ is sent again$/);
    expect(logger.warn.mock.calls).toEqual([[again, expect.objectContaining({ retryInMs: 1000 })]]);
  });

  test('the headers and the request id of a success are at hand', async () => {
    employee().reply(200, EMPLOYEE, { 'X-Request-Id': 'r', 'X-Other': 'o' });
    const answer = answerOf(await testClient().client.employees.get(ID));
    expect([answer?.status, answer?.requestId, answer?.headers.get('x-other')]).toEqual([200, 'r', 'o']);
  });

  test('times of any length are waited for', async () => {
    const timers = jest.spyOn(globalThis, 'setTimeout');
    employee().reply(200, EMPLOYEE);
    await testClient().client.employees.get(ID, {}, { timeoutMs: Number.POSITIVE_INFINITY });
    const longest = Math.max(...timers.mock.calls.map(([, ms]) => ms ?? 0));
    timers.mockRestore();
    expect(longest).toBe(2 ** 31 - 1);
  });
});
