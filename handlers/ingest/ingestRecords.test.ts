/** Accepting batches: what is stored, when a key is used up, and what a body may look like. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { ask, type JsonAnswer } from '../../scripts/testbed/ask.ts';
import { type InProcess, serveInProcess } from '../../scripts/testbed/in-process.ts';
import { MemoryStorage } from '../../scripts/testbed/memory-storage.ts';
import { TestTenant } from '../../scripts/testbed/tenant.ts';
import { testDeployment } from '../../scripts/testbed/test-deployment.ts';
import * as served from '../index.ts';
import { setClockOffset } from '../process/clock.ts';
import { CHUNK_BYTES } from './accept.ts';

const HOUR_MS = 60 * 60 * 1000;
const { store } = await testDeployment();
let tenant: TestTenant;
let server: InProcess;
let apiKey: string;
let keys = 0;

beforeAll(async () => {
  tenant = await TestTenant.create(store);
  apiKey = await tenant.key();
  server = await serveInProcess(served, store, new MemoryStorage());
});

afterEach(() => setClockOffset(0));

afterAll(() => server.stop());

interface Options {
  readonly idempotencyKey?: string;
  readonly path?: string;
}

/** Sends a batch. An Idempotency-Key that is left out is replaced by a new one. */
async function ingest(body: unknown, options: Options = {}): Promise<JsonAnswer> {
  const { idempotencyKey = `key-${keys++}`, path = 'KEDO' } = options;
  return ask('POST', `${server.url}/ingest/${path}`, apiKey, body, { 'Idempotency-Key': idempotencyKey });
}

const person = (external_id: string) => ({ external_id, first_name: 'Әсел', iin: '' });
const batch = (...records: unknown[]) => ({ payload_type: 'PERSONS', records });

/** The stored form of a request's records, in order. */
async function stored(requestId: string): Promise<unknown[]> {
  const chunks = await store.ingest_chunks.find({ request_id: requestId }).sort({ index: 1 }).toArray();
  return chunks.flatMap(({ records }) => JSON.parse(records));
}

describe('acceptance', () => {
  test('stores the batch, with the fields that its pair knows, before the answer', async () => {
    const body = { ...batch({ ...person('P-1'), unknown: { any: 1 }, phone: null }), create_missing: true };
    const answer = await ingest(body);
    expect(answer).toMatchObject({ status: 200, body: { status: 'ACCEPTED', record_count: 1 } });
    const id = answer.body.ingest_request_id;
    expect(await stored(id)).toEqual([{ ...person('P-1'), phone: null }]);
    expect(await store.ingest_requests.findOne({ _id: id })).toMatchObject({
      tenant_id: tenant.id,
      source_type: 'KEDO',
      payload_type: 'PERSONS',
      create_missing: true,
      record_count: 1,
      chunk_count: 1,
      status: 'ACCEPTED',
      cursor: 0,
      ended_at: null,
    });
  });

  test.each([
    ['KEDO', 'VACATIONS'],
    ['KEDO', 'persons'],
    ['kedo', 'PERSONS'],
    ['LEDGER', 'PERSONS'],
    ['..;a.json', 'PERSONS'],
    ['constructor', '__proto__'],
    ['K'.repeat(8_000), 'P'.repeat(10_000)],
  ])('takes the unknown pair no. %#, and stores none of its fields', async (path, payload_type) => {
    const answer = await ingest({ payload_type, records: [person('P-1'), 7] }, { path });
    expect(answer).toMatchObject({ status: 200, body: { status: 'ACCEPTED', record_count: 2 } });
    const [first] = await stored(answer.body.ingest_request_id);
    expect(first).toEqual({});
  });

  test('numbers the requests of a tenant in the order of acceptance, by any clock', async () => {
    const orders: number[] = [];
    for (const offset of [0, 5 * HOUR_MS, 0]) {
      setClockOffset(offset);
      const { body } = await ingest(batch(person('P-1')));
      const row = await store.ingest_requests.findOne({ _id: body.ingest_request_id });
      orders.push(row?.accepted_order ?? 0);
    }
    expect(orders).toEqual([orders[0], (orders[0] ?? 0) + 1, (orders[0] ?? 0) + 2]);
  });

  test('counts all of 10,000 records, in chunks of at most 200', async () => {
    const answer = await ingest(batch(...Array.from({ length: 10_000 }, (_, i) => person(`P-${i}`))));
    expect(answer).toMatchObject({ status: 200, body: { record_count: 10_000 } });
    const id = answer.body.ingest_request_id;
    const chunks = await store.ingest_chunks.find({ request_id: id }).sort({ index: 1 }).toArray();
    expect(chunks.map(({ first_record }) => first_record)).toEqual(Array.from({ length: 50 }, (_, i) => i * 200));
    expect((await stored(id)).map((each) => (each as { external_id: string }).external_id)).toEqual(
      Array.from({ length: 10_000 }, (_, i) => `P-${i}`),
    );
  });

  test('makes more chunks of large records, none above the limit', async () => {
    const long = Object.fromEntries(
      ['gender', 'birth_place', 'phone', 'email'].map((name) => [name, '😀'.repeat(1_000)]),
    );
    const answer = await ingest(batch(...Array.from({ length: 200 }, (_, i) => ({ ...person(`P-${i}`), ...long }))));
    const chunks = await store.ingest_chunks.find({ request_id: answer.body.ingest_request_id }).toArray();
    const sizes = chunks.map(({ records }) => Buffer.byteLength(records));
    expect(sizes.length).toBeGreaterThan(1);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(CHUNK_BYTES + 2);
    expect(await stored(answer.body.ingest_request_id)).toHaveLength(200);
  });

  test('keeps a malformed record from harming others: odd names, 17 MB, NUL, half a surrogate pair, 50,000 names', async () => {
    const text = JSON.stringify(person('P-1'));
    const odd = `{"external_id":"P-2","_bsontype":"ObjectId","$where":"1","__proto__":{"polluted":1},"constructor":{"prototype":{}},"toString":"x","a.b":1,"":1,"\\u0000":1,"x":"\\ud800","y":1e999}`;
    const huge = `{"external_id":"P-3","photo":"${'x'.repeat(17_000_000)}","phone":"${'7'.repeat(3_000_000)}","email":{"a":[${'[],'.repeat(100_000)}1]}}`;
    const names = Array.from({ length: 50_000 }, (_, i) => `"n${i}":{}`).join();
    const body = `{"payload_type":"PERSONS","records":[${[text, odd, huge, `{${names},"external_id":"P-4"}`, text]}]}`;
    const answer = await ingest(body);
    expect(answer).toMatchObject({ status: 200, body: { record_count: 5 } });
    expect(await stored(answer.body.ingest_request_id)).toEqual([
      person('P-1'),
      { external_id: 'P-2' },
      { external_id: 'P-3', phone: '7'.repeat(1_001), email: false },
      { external_id: 'P-4' },
      person('P-1'),
    ]);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

describe('the key', () => {
  test('is free again after 24 hours by the clock, and both requests stay', async () => {
    const options = { idempotencyKey: 'a-day' };
    const first = await ingest(batch(person('P-1')), options);
    setClockOffset(24 * HOUR_MS - 60_000);
    expect((await ingest(batch(person('P-1')), options)).status).toBe(409);
    setClockOffset(24 * HOUR_MS + 1_000);
    const second = await ingest(batch(person('P-2')), options);
    expect(second.status).toBe(200);
    const third = await ingest(batch(person('P-3')), options);
    expect(third.body.details[0].metadata.ingest_request_id).toBe(second.body.ingest_request_id);
    expect(await stored(first.body.ingest_request_id)).toEqual([person('P-1')]);
  });

  test('is used by twenty requests at once: one is accepted, the others name it and store nothing', async () => {
    const before = await store.ingest_chunks.countDocuments();
    const threeChunks = batch(...Array.from({ length: 401 }, (_, nth) => person(`P-${nth}`)));
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => ingest(threeChunks, { idempotencyKey: 'at-once' })),
    );
    const accepted = answers.filter(({ status }) => status === 200);
    expect(accepted).toHaveLength(1);
    for (const answer of answers.filter((each) => each !== accepted[0])) {
      expect(answer.status).toBe(409);
      expect(answer.body.details[0].metadata).toEqual({ ingest_request_id: accepted[0]?.body.ingest_request_id });
    }
    expect(await store.ingest_chunks.countDocuments()).toBe(before + 3);
  });

  test('stays free after a crash between chunks and request; the chunks belong to no request', async () => {
    const chunk = { tenant_id: tenant.id, request_id: 'never-came', index: 0, first_record: 0, records: '[]' };
    await store.ingest_chunks.insertOne({ _id: 'never-came:0', ...chunk, create_time: new Date() });
    expect((await ingest(batch(person('P-1')), { idempotencyKey: 'crashed' })).status).toBe(200);
  });
});

describe('the body', () => {
  test.each<[string, unknown, string[]]>([
    ['no JSON', '{"records":[}', ['body']],
    ['a NUL outside the records', { payload_type: 'a\0', records: [1] }, ['body']],
    ['65 levels', `{"payload_type":"PERSONS","records":${'['.repeat(64)}${']'.repeat(64)}}`, ['body']],
  ])('%s is refused', async (_what, body, fields) => {
    const answer = await ingest(body);
    expect([answer.status, answer.reason, answer.fields.toSorted()]).toEqual([400, 'INVALID_ARGUMENT', fields]);
  });

  test('may have 64 levels, and records that are no objects', async () => {
    const deep = `{"payload_type":"PERSONS","records":${'['.repeat(63)}${']'.repeat(63)}}`;
    expect(await ingest(deep)).toMatchObject({ status: 200, body: { record_count: 1 } });
    const answer = await ingest(batch(null, 1, 'text', [], [[]], true));
    expect(answer).toMatchObject({ status: 200, body: { record_count: 6 } });
    expect(await stored(answer.body.ingest_request_id)).toEqual(Array(6).fill(null));
  });

  test('counts the records of the last field when the field is repeated', async () => {
    const body = `{"records":[1,2],"payload_type":"PERSONS","records":[{"external_id":"P-9"}]}`;
    expect(await ingest(body)).toMatchObject({ status: 200, body: { record_count: 1 } });
  });
});
