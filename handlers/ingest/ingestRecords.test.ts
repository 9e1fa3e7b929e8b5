/** What acceptance stores of a batch; its answers are judged by the rules of the suite. */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { ask } from '../../scripts/world/ask.ts';
import { type InProcess, serveInProcess } from '../../scripts/world/in-process.ts';
import { MemoryStorage } from '../../scripts/world/memory-storage.ts';
import { TestTenant } from '../../scripts/world/tenant.ts';
import { testDeployment } from '../../scripts/world/test-deployment.ts';
import type { IngestRequestRow } from '../data/collections/ingest_requests.ts';
import { RawJson } from '../http/raw-json.ts';
import * as served from '../index.ts';
import { setClockOffset } from '../runtime/clock.ts';
import { CHUNK_BYTES, CHUNK_RECORDS, chunksOf } from './accept.ts';

const { store } = await testDeployment();
let tenant: TestTenant;
let server: InProcess;
let apiKey: string;

beforeAll(async () => {
  tenant = await TestTenant.create(store);
  apiKey = await tenant.key();
  server = await serveInProcess(served, store, new MemoryStorage());
});

afterEach(() => setClockOffset(0));

afterAll(() => server.stop());

const ingest = (key: string, ...records: unknown[]) => {
  const body = { payload_type: 'PERSONS', records, create_missing: true };
  return ask('POST', `${server.url}/ingest/KEDO`, apiKey, body, { 'Idempotency-Key': key });
};

const person = (external_id: string) => ({ external_id, first_name: 'Әсел', iin: '' });
const requestOf = async (id: string) => (await store.ingest_requests.findOne({ _id: id })) as IngestRequestRow;

test('requests of a tenant are numbered in the order of acceptance, by any clock', async () => {
  const orders: number[] = [];
  for (const [nth, offset] of [0, 5 * 3_600_000, 0].entries()) {
    setClockOffset(offset);
    const { body } = await ingest(`order-${nth}`, person('P-1'));
    orders.push((await requestOf(body.ingest_request_id)).accepted_order);
  }
  const [first = 0] = orders;
  expect(orders).toEqual([first, first + 1, first + 2]);
});

test('of twenty requests at once with one key, those that are refused leave nothing', async () => {
  const before = await store.ingest_chunks.countDocuments();
  const records = Array.from({ length: 2 * CHUNK_RECORDS + 1 }, (_, nth) => person(`P-${nth}`));
  const sent = Array.from({ length: 20 }, () => ingest('at-once', ...records));
  expect((await Promise.all(sent)).filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await store.ingest_chunks.countDocuments()).toBe(before + 3);
});

const long = Object.fromEntries(['gender', 'birth_place', 'phone', 'email'].map((name) => [name, '😀'.repeat(1_000)]));

test.each([
  ['200 records', person('P'), CHUNK_RECORDS],
  ['1 MiB', long, Math.floor(CHUNK_BYTES / Buffer.byteLength(`${JSON.stringify(long)},`))],
])('a chunk has at most %s', async (_what, record, most) => {
  const records = Array.from({ length: 450 }, () => new RawJson(Buffer.from(JSON.stringify(record))));
  const pair = { source_type: 'KEDO', payload_type: 'PERSONS' };
  let count = 0;
  for await (const chunk of chunksOf(pair, records, async () => {})) {
    expect(chunk.first_record).toBe(count);
    const stored = JSON.parse(chunk.records);
    count += stored.length;
    expect(stored).toEqual(Array(count < 450 ? most : stored.length).fill(record));
  }
  expect(count).toBe(450);
});
