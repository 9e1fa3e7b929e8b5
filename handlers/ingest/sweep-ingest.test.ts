import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { testDeployment } from '../../scripts/testbed/test-deployment.ts';
import type { IngestRequestRow } from '../data/collections/ingest_requests.ts';
import { now, setClockOffset } from '../process/clock.ts';
import { sweepIngest } from './sweep-ingest.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const { store } = await testDeployment();
const running = new AbortController().signal;

beforeEach(async () => {
  for (const name of ['ingest_requests', 'ingest_chunks', 'ingest_outcomes'] as const) await store[name].deleteMany({});
});

afterEach(() => setClockOffset(0));

/** Stores a request with two chunks and two outcomes, created now. */
async function request(_id: string, changes: Partial<IngestRequestRow> = {}): Promise<void> {
  await chunks(_id);
  const ids = { _id, tenant_id: `tenant-of-${_id}`, api_key_id: 'k', key_hash: _id, key_expires_at: now() };
  await store.ingest_requests.insertOne({
    ...ids,
    accepted_order: 1,
    source_type: 'KEDO',
    payload_type: 'PERSONS',
    create_missing: true,
    record_count: 2,
    chunk_count: 2,
    status: 'ACCEPTED',
    cursor: 0,
    lease_id: '',
    lease_until: now(),
    counts: { created: 0, updated: 0, unchanged: 0, skipped: 0 },
    create_time: now(),
    started_at: null,
    ended_at: null,
    ...changes,
  });
  for (const index of [0, 1]) {
    await store.ingest_outcomes.insertOne({
      _id: `${_id}:${index}`,
      tenant_id: ids.tenant_id,
      request_id: _id,
      index,
      external_id: 'P',
      outcome: 'created',
      reason: '',
      unresolved: [],
      object_id: '',
      create_time: now(),
    });
  }
}

async function chunks(request_id: string): Promise<void> {
  for (const index of [0, 1]) {
    const ids = { _id: `${request_id}:${index}`, tenant_id: `tenant-of-${request_id}`, request_id, index };
    await store.ingest_chunks.insertOne({ ...ids, first_record: index, records: '[{}]', create_time: now() });
  }
}

/** What is left: ids of requests, and of the requests of chunks and outcomes. */
async function left(): Promise<Record<string, string[]>> {
  return {
    requests: (await store.ingest_requests.distinct('_id')).sort(),
    chunks: (await store.ingest_chunks.distinct('request_id')).sort(),
    outcomes: (await store.ingest_outcomes.distinct('request_id')).sort(),
  };
}

const applied = () => ({ status: 'APPLIED' as const, ended_at: now() });

test('chunks without a request are removed after a day; those of a waiting request stay', async () => {
  await chunks('crashed');
  await request('waits');
  setClockOffset(DAY_MS - 60_000);
  expect(await sweepIngest(store, running)).toBe(false);
  expect((await left()).chunks).toEqual(['crashed', 'waits']);
  setClockOffset(40 * DAY_MS);
  expect(await sweepIngest(store, running)).toBe(false);
  expect(await left()).toEqual({ requests: ['waits'], chunks: ['waits'], outcomes: ['waits'] });
});

test('an applied request loses its chunks after a day, and the rest 30 days after its end', async () => {
  await request('applied', applied());
  setClockOffset(DAY_MS + 1);
  await request('later', applied());
  await sweepIngest(store, running);
  expect(await left()).toEqual({ requests: ['applied', 'later'], chunks: ['later'], outcomes: ['applied', 'later'] });
  setClockOffset(30 * DAY_MS + 1);
  await sweepIngest(store, running);
  expect(await left()).toEqual({ requests: ['later'], chunks: [], outcomes: ['later'] });
});

test('a run says that there is more, and passes waiting requests', async () => {
  await request('waits');
  const chunk = {
    tenant_id: 'tenant-of-waits',
    request_id: 'waits',
    first_record: 0,
    records: '[]',
    create_time: now(),
  };
  await store.ingest_chunks.insertMany(
    Array.from({ length: 120 }, (_, i) => ({ ...chunk, _id: `waits:${i + 2}`, index: i + 2 })),
  );
  setClockOffset(1);
  await Promise.all(Array.from({ length: 130 }, (_, i) => chunks(`crashed-${i}`)));
  setClockOffset(2 * DAY_MS);
  expect(await sweepIngest(store, running)).toBe(true);
  let runs = 1;
  while (runs++ < 10 && (await sweepIngest(store, running)));
  expect((await left()).chunks).toEqual(['waits']);
  expect(await store.ingest_chunks.countDocuments()).toBe(122);
});

test('a run ends early when the process stops', async () => {
  await request('applied', applied());
  setClockOffset(40 * DAY_MS);
  const stopping = new AbortController();
  stopping.abort();
  expect(await sweepIngest(store, stopping.signal)).toBe(false);
  expect((await left()).requests).toEqual(['applied']);
});
