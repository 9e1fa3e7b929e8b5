/** Faults of the network and refusals of the service: which error the caller gets, and what is sent again. */
import { describe, expect, test } from '@jest/globals';
import {
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
    ['a page of HTML as a success', 200, '<html>Sign in</html>', 'text/html'],
    ['JSON that is not of the service', 403, '{"message":"Forbidden"}', 'application/json'],
    ['a redirect, which is not followed', 302, '', 'text/plain'],
  ])('%s is an unexpected answer', async (_, status, body, type) => {
    employee().reply(status, body, { 'Content-Type': type, Location: 'https://elsewhere.test/' });
    const error = await failure({ maxRetries: 0 });
    expect(error).toMatchObject({ name: 'UnexpectedAnswerError', status, contentType: type, excerpt: body });
  });

  test('a connection that cannot be made says why', async () => {
    employee().replyWithError(RESET);
    const error = await failure({ maxRetries: 0 });
    expect(error.name).toBe('ConnectionError');
    expect(error.message).toContain('ECONNRESET');
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

/** A connection on which nothing comes. */
const hanging: typeof fetch = (_, init) =>
  new Promise((_resolve, reject) => {
    const end = () => reject(new DOMException('aborted', 'AbortError'));
    if (init?.signal?.aborted) end();
    init?.signal?.addEventListener('abort', end);
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
    expect(await failure({ maxRetries: 2 })).toMatchObject({ name: 'ConnectionError', attempts: 3 });
    employee().replyWithError(RESET);
    expect(await rejection(client.employees.get(ID, {}, { maxRetries: 0 }))).toMatchObject({ attempts: 1 });
  });

  test('whatever was refused by the limit, after the exact delay', async () => {
    const { client, clock } = testClient();
    const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '0.1s' }];
    recorded()
      .post(`${PREFIX}/documents/${ID}/_sign`)
      .reply(429, refusal('DEVELOPER.RATE_LIMIT_EXCEEDED', details), { 'Retry-After': '1' });
    recorded().post(`${PREFIX}/documents/${ID}/_sign`).reply(200, {});
    await client.documents.sign(ID);
    expect(clock.waits[0]).toBe(100);
  });

  test('nothing that the service wants to be left for long', async () => {
    employee().reply(503, refusal('UNAVAILABLE'), { 'Retry-After': '600' });
    const error = await failure();
    expect(error).toMatchObject({ status: 503, retryAfterMs: 600_000, attempts: 1 });
  });

  test.each([
    ['a lost connection', () => RESET],
    ['a 503', () => 503],
  ])('no write without a key after %s, for it may have taken effect', async (_, fault) => {
    const sign = recorded().post(`${PREFIX}/documents/${ID}/_sign`);
    const what = fault();
    if (typeof what === 'number') sign.reply(what, refusal('UNAVAILABLE'), { 'Retry-After': '1' });
    else sign.replyWithError(what);
    expect(await rejection(testClient().client.documents.sign(ID))).toMatchObject({ attempts: 1 });
  });

  test.each([400, 401, 403, 404, 409, 500])('no request that was answered with %i', async (status) => {
    employee().reply(status, refusal('OTHER'));
    expect(await failure()).toMatchObject({ status, attempts: 1 });
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
    const used = refusal('INTEGRATION.IDEMPOTENCY_REQUIRED', [], { ingest_request_id: ID });
    const load = () => recorded().post(`${PREFIX}/ingest/KEDO`, batch);
    const { client } = testClient();
    load().replyWithError(RESET);
    load().reply(409, used);
    const answer = { ingest_request_id: ID, status: 'ACCEPTED', record_count: 2 };
    expect(await client.ingest.records('KEDO', batch)).toEqual(answer);
    load().reply(409, used);
    const error = await rejection(client.ingest.records('KEDO', batch, { idempotencyKey: 'used' }));
    expect(error).toMatchObject({ status: 409, metadata: { ingest_request_id: ID } });
  });

  test('retries are spread: from what the service asks for, up to twice as long each time', async () => {
    const { client, clock } = testClient({ random: () => 1, maxRetries: 6 });
    employee().times(6).replyWithError(RESET);
    employee().reply(503, refusal('UNAVAILABLE'), { 'Retry-After': '3' });
    await rejection(client.employees.get(ID));
    expect(clock.waits).toEqual([500, 1000, 2000, 4000, 8000, 8000]);
  });
});
