/** What the operations are called, what they send, and what the client makes of several of them. */
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, jest, test } from '@jest/globals';
import nock from 'nock';
import { methods } from '../../generated/client/calls.ts';
import { operations } from '../../generated/contract.ts';
import project from '../../package.json' with { type: 'json' };
import manifest from '../package.json' with { type: 'json' };
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
import type { Fetch } from './transport.ts';
import { VERSION } from './version.ts';

interceptNetwork();

test('the version is that of the contract', () => {
  expect([VERSION, manifest.version]).toEqual([project.version, project.version]);
});

describe('every operation of the contract', () => {
  test.each(Object.values(operations))(
    '$operationId',
    async ({ operationId, method, path, body, parameters, idempotency }) => {
      const sent: { url: string; init: RequestInit | undefined }[] = [];
      const fetch = async (url: string | URL | Request, init?: RequestInit) => {
        sent.push({ url: String(url), init });
        return Response.json({ next_page_token: '', document: { route: { steps: [] } } });
      };
      const client = new DeveloperApi({ apiKey: KEY, baseUrl: ORIGIN, fetch });
      const { resource, name } = methods[operationId];
      const ids = parameters.filter((parameter) => parameter.in === 'path').map(() => ID);
      const query = parameters.some((parameter) => parameter.in === 'query') ? { page_token: 'token' } : undefined;
      const given = body === 'none' ? query : { records: [] };
      const offered = client[resource] as unknown as Record<string, (...args: unknown[]) => unknown>;
      const answer = offered[name]?.(...ids, ...(given === undefined ? [] : [given])) as
        | Promise<unknown>
        | AsyncIterable<unknown>;
      await (Symbol.asyncIterator in answer ? (answer as unknown as { page(): Promise<unknown> }).page() : answer);
      // An act reads its document first.
      const { url, init } = sent.at(-1) ?? { url: '', init: undefined };
      const place = path.replaceAll(/\{\w+\}/g, ID);
      expect(url).toBe(`${ORIGIN}${place}${query && body === 'none' ? '?page_token=token' : ''}`);
      expect(init?.method).toBe(method.toUpperCase());
      expect(init?.body ?? null).toBe(body === 'none' ? null : '{"records":[]}');
      expect(new Headers(init?.headers).has('Idempotency-Key')).toBe(idempotency !== null);
      if (body !== 'optional') return;
      await offered[name]?.(...ids);
      expect(sent.at(-1)?.init?.body).toBe('{}');
    },
  );
});

/** Pages of employees with these ids. */
function pages(query: object, ...ids: readonly string[][]): void {
  for (const [i, each] of ids.entries()) {
    const token = i === 0 ? {} : { page_token: `t${i}` };
    const next_page_token = i === ids.length - 1 ? '' : `t${i + 1}`;
    const page = { employees: each.map((id) => ({ id })), next_page_token };
    recorded()
      .get(`${PREFIX}/employees`)
      .query({ ...query, ...token })
      .reply(200, page, { Date: `Thu, 26 Nov 2026 07:0${i}:00 GMT` });
  }
}

describe('lists', () => {
  test('a loop reads all pages with the same filters', async () => {
    pages({ limit: 2, status: 'EMPLOYEE_STATUS_ACTIVE' }, ['a', 'b'], [], ['c']);
    const found: string[] = [];
    const query = { limit: 2, status: ['EMPLOYEE_STATUS_ACTIVE' as const] };
    for await (const { id } of testClient().client.employees.list(query)) found.push(id);
    expect(found).toEqual(['a', 'b', 'c']);
  });

  test('a loop that is left reads no further page', async () => {
    pages({}, ['a', 'b'], ['c']);
    for await (const { id } of testClient().client.employees.list()) if (id === 'b') break;
    expect(nock.pendingMocks()).toHaveLength(1);
    nock.cleanAll();
  });

  test('pages by hand, also from a token', async () => {
    pages({}, ['a'], ['b']);
    const list = testClient().client.employees.list();
    const { next_page_token } = await list.page();
    const rest: string[] = [];
    for await (const { employees } of list.pages(next_page_token)) rest.push(...employees.map(({ id }) => id));
    expect(rest).toEqual(['b']);
    // The empty token, as of a last page that was saved, means the first page.
    recorded().get(`${PREFIX}/employees`).query({ page_token: '' }).reply(200, { employees: [], next_page_token: '' });
    for await (const page of list.pages('')) expect(page.employees).toEqual([]);
  });

  test('as an array, of no more than was asked for', async () => {
    pages({}, ['a', 'b'], ['c', 'd']);
    expect(await testClient().client.employees.list().toArray(3)).toEqual([{ id: 'a' }, { id: 'b' }, { id: 'c' }]);
    expect(await testClient().client.employees.list().toArray(0)).toEqual([]);
  });
});

describe('keeping a copy', () => {
  test('each round begins a minute before the start of the last one, by the clock of the service', async () => {
    pages({ expand: 'person' }, ['a'], ['b']);
    pages({ expand: 'person', updated_since: /^2026-11-26T06:5[89]:\d\d\.\d\d\dZ$/ }, ['b']);
    const { client, clock } = testClient();
    const rounds: string[][] = [];
    let nowMs = Date.now();
    const reading = jest.spyOn(Date, 'now').mockImplementation(() => {
      nowMs += 10;
      return nowMs;
    });
    for await (const round of client.employees.follow({ expand: ['person'], everyMs: 5_000 })) {
      rounds.push((await round.toArray(10)).map(({ id }) => id));
      const beforeMs = Date.parse('2026-11-26T06:59:00Z') - Date.parse(round.next);
      expect(beforeMs).toBeGreaterThan(0);
      expect(beforeMs).toBeLessThan(5_000);
      if (rounds.length === 2) break;
    }
    reading.mockRestore();
    expect(rounds).toEqual([['a', 'b'], ['b']]);
    expect(clock.waits).toEqual([5_000]);
  });

  test('a round that was not read to its end has no next one', async () => {
    pages({}, ['a'], ['b']);
    const round = testClient().client.employees.changes();
    for await (const _ of round) break;
    expect(() => round.next).toThrow('The round was not read to its end.');
    nock.cleanAll();
  });
});

describe('waiting for a document', () => {
  const document = (...statuses: string[]) => {
    for (const status of statuses) {
      recorded()
        .get(`${PREFIX}/documents/${ID}`)
        .reply(200, { document: { id: ID, status: `DOCUMENT_STATUS_${status}` } });
    }
  };
  const { COMPLETED, ON_SIGN } = { COMPLETED: 'DOCUMENT_STATUS_COMPLETED', ON_SIGN: 'DOCUMENT_STATUS_ON_SIGN' };

  test('until it has the status, asking less and less often', async () => {
    document('DRAFT', 'ON_APPROVAL', 'LATER_RELEASE', 'ON_SIGN');
    const { client, clock } = testClient();
    expect(await client.documents.waitFor(ID, [ON_SIGN, COMPLETED])).toEqual({ id: ID, status: ON_SIGN });
    expect(clock.waits).toEqual([1000, 1500, 2250]);
  });

  test('not when it ended in another way, and not longer than was asked', async () => {
    document('REJECTED');
    const { client } = testClient();
    const ended = await rejection(client.documents.waitFor(ID, COMPLETED));
    expect(ended).toMatchObject({ name: 'DocumentEndedError', document: { id: ID } });
    document('ON_SIGN', 'ON_SIGN');
    const late = await rejection(client.documents.waitFor(ID, COMPLETED, { timeoutMs: 2000 }));
    expect(late).toMatchObject({ name: 'TimeoutError', timeoutMs: 2000 });
  });

  test('nor while nothing is answered, nor after the signal was aborted', async () => {
    const { client } = testClient({ fetch: hanging });
    expect(await rejection(client.documents.waitFor(ID, COMPLETED, { timeoutMs: 1 }))).toMatchObject({
      name: 'TimeoutError',
    });
    const signal = AbortSignal.abort();
    expect(await rejection(client.documents.waitFor(ID, COMPLETED, { signal }))).toMatchObject({ name: 'AbortError' });
  });
});

describe('files', () => {
  const STORAGE = 'https://storage.docflow.test';
  const reserved = () => {
    const upload = { url: `${STORAGE}/bucket`, fields: { key: 'k', policy: 'p' }, expire_time: '' };
    const body = { filename: 'scan.pdf', content_type: 'application/pdf', size_bytes: 10 };
    recorded()
      .post(`${PREFIX}/files`, body)
      .reply(200, { file: { id: ID }, upload });
  };
  const confirmed = () =>
    recorded()
      .post(`${PREFIX}/files/${ID}/_confirm`, {})
      .reply(200, { file: { id: ID, status: 'FILE_UPLOAD_STATUS_UPLOADED' } });
  const stored = () =>
    nock(STORAGE, { badheaders: ['x-api-key'] }).post(
      '/bucket',
      /name="key"[\s\S]*name="policy"[\s\S]*name="file"; filename="scan.pdf"[\s\S]*%PDF-bytes/,
    );

  async function* stream() {
    yield new TextEncoder().encode('%PDF-');
    yield new TextEncoder().encode('bytes');
  }

  test.each([
    ['a Blob', () => new Blob(['%PDF-bytes'])],
    ['a File, with its name', () => new File(['%PDF-bytes'], 'scan.pdf')],
    ['bytes', () => new TextEncoder().encode('%PDF-bytes')],
    ['a web stream', () => new Blob(['%PDF-bytes']).stream()],
    ['a stream of Node or a generator', () => stream()],
  ])('%s is uploaded in one call, and the key stays away from storage', async (_, source) => {
    reserved();
    stored().reply(204);
    confirmed();
    const progress: number[][] = [];
    const onProgress = (sent: number, total: number) => progress.push([sent, total]);
    const file = source();
    const filename = file instanceof File ? undefined : 'scan.pdf';
    const uploaded = await testClient().client.files.upload(file, { filename, onProgress });
    expect(uploaded).toEqual({ id: ID, status: 'FILE_UPLOAD_STATUS_UPLOADED' });
    expect(progress.at(-1)).toEqual([10, 10]);
  });

  test('a fetch of another make, which knows nothing of this runtime, is enough', async () => {
    const sent: string[] = [];
    const upload = { url: `${STORAGE}/bucket`, fields: { key: 'a"b' }, expire_time: '' };
    const answers = [{ file: { id: ID }, upload }, '', { file: { id: ID } }, { url: `${STORAGE}/f` }, 'bytes'];
    const fetch: Fetch = async (_url, { body = '' }) => {
      sent.push(Buffer.from(body ?? '').toString());
      const answer = answers.shift();
      const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
      return { status: 200, headers: new Map(), body: Readable.from([Buffer.from(text)]) };
    };
    const { client } = testClient({ fetch });
    expect(await client.files.upload(new Blob(['%PDF-']), { filename: 'a"\n.pdf' })).toEqual({ id: ID });
    expect(await (await client.documents.content(ID)).text()).toBe('bytes');
    const boundary = (sent[1] ?? '').split('\r\n')[0];
    expect(sent[1]).toBe(
      [
        `${boundary}\r\nContent-Disposition: form-data; name="key"\r\n\r\na"b`,
        `${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a%22%0A.pdf"`,
        'Content-Type: application/pdf\r\n\r\n%PDF-',
        `${boundary}--\r\n`,
      ].join('\r\n'),
    );
  });

  test('a file that does not end is not read to its end', async () => {
    let pieces = 0;
    const endless = new ReadableStream({
      pull: (out) => out.enqueue(new Uint8Array(++pieces && 5_000_000)),
    });
    const answers = [Response.json({ url: `${STORAGE}/f` }), new Response(endless)];
    const { client } = testClient({ fetch: async () => answers.shift() as Response });
    expect(await rejection(client.documents.content(ID))).toMatchObject({ name: 'StorageError', status: 200 });
    expect(pieces).toBeLessThan(25);
  });

  test('a reservation, the bytes and the confirmation are repeated until they arrive', async () => {
    recorded().post(`${PREFIX}/files`).replyWithError('reset');
    reserved();
    stored().reply(503);
    stored().replyWithError('reset');
    stored().reply(204);
    recorded().post(`${PREFIX}/files/${ID}/_confirm`).replyWithError('reset');
    confirmed();
    await testClient().client.files.upload(new Blob(['%PDF-bytes']), { filename: 'scan.pdf' });
  });

  test('what storage refuses is an error with its code, and nothing is confirmed', async () => {
    reserved();
    stored().reply(400, '<Error><Code>EntityTooLarge</Code></Error>');
    const error = await rejection(testClient().client.files.upload(new Blob(['%PDF-bytes']), { filename: 'scan.pdf' }));
    expect(error).toMatchObject({ name: 'StorageError', status: 400, storageCode: 'EntityTooLarge', attempts: 1 });
    expect(error.message).not.toContain(STORAGE);
  });

  test('a stream that is longer than storage takes is not read to its end', async () => {
    async function* endless() {
      for (;;) yield new Uint8Array(10_000_000);
    }
    expect(await rejection(testClient().client.files.upload(endless()))).toMatchObject({ name: 'RangeError' });
  });

  test('the bytes of a document as they come, which the signal ends', async () => {
    let send: (part: string) => void = () => {};
    const file = new ReadableStream({
      start(out) {
        send = (part) => out.enqueue(new TextEncoder().encode(part));
        send('%PDF-');
      },
    });
    const answers = [Response.json({ url: `${STORAGE}/f` }), new Response(file)];
    const { client } = testClient({ fetch: async () => answers.shift() as Response });
    const stopping = new AbortController();
    const reader = (await client.documents.contentStream(ID, {}, { signal: stopping.signal })).getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toBe('%PDF-');
    const rest = rejection(reader.read());
    stopping.abort(new Error('enough'));
    await setImmediate();
    // Nobody takes this any more.
    expect(() => send('1.4')).toThrow();
    expect((await rest).message).toBe('enough');
  });

  test('the bytes of a document, fetched without the key', async () => {
    const { documents } = testClient().client;
    for (const read of [
      async () => (await documents.content(ID)).text(),
      async () => new Response(await documents.contentStream(ID)).text(),
    ]) {
      recorded()
        .get(`${PREFIX}/documents/${ID}/_download`)
        .reply(200, { url: `${STORAGE}/f?signature=s` });
      const stored = nock(STORAGE, { badheaders: ['x-api-key'] });
      stored.get('/f').query({ signature: 's' }).reply(503);
      stored.get('/f').query({ signature: 's' }).reply(200, '%PDF-');
      expect(await read()).toBe('%PDF-');
    }
    recorded().get(`${PREFIX}/documents/${ID}/_download`).reply(404, refusal('DOCUMENT_NOT_FOUND'));
    expect(await rejection(documents.content(ID))).toMatchObject({ reason: 'DOCUMENT_NOT_FOUND' });
  });
});
