import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { accept } from '../../scripts/world/ingest.ts';
import { testDeployment } from '../../scripts/world/test-deployment.ts';
import type { IngestOutcomeRow } from '../data/collections/ingest_outcomes.ts';
import type { IngestRequestRow } from '../data/collections/ingest_requests.ts';
import { now, setClockOffset } from '../runtime/clock.ts';
import { sweepIngest } from './sweep-ingest.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const { store } = await testDeployment();
const running = new AbortController().signal;

beforeEach(async () => {
  for (const name of ['ingest_requests', 'ingest_chunks', 'ingest_outcomes'] as const) await store[name].deleteMany({});
});

afterEach(() => setClockOffset(0));

const tenantOf = (requestId: string) => `tenant-of-${requestId}`;

const accepted = (id: string, chunkCount = 2) =>
  accept(store, tenantOf(id), { id, pair: 'KEDO/PERSONS', records: Array(chunkCount).fill({}), chunkRecords: 1 });

/** Stores a request with two chunks and an outcome, created now. */
async function request(id: string, changes?: Partial<IngestRequestRow>): Promise<void> {
  await accepted(id);
  if (changes !== undefined) await store.ingest_requests.updateOne({ _id: id }, { $set: changes });
  const ids = { _id: `${id}:0`, tenant_id: tenantOf(id), request_id: id };
  await store.ingest_outcomes.insertOne(ids as IngestOutcomeRow);
}

/** Stores the two chunks of a request that never came. */
async function chunks(id: string): Promise<void> {
  await accepted(id);
  await store.ingest_requests.deleteOne({ _id: id });
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
  await accepted('waits', 122);
  setClockOffset(1);
  await Promise.all(Array.from({ length: 60 }, (_, i) => chunks(`crashed-${i}`)));
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
