/** The jobs of a process with the role `all`: what each begins, when, and what repairs the loss of one. */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { type Document, MongoClient } from 'mongodb';
import { eventually } from '../scripts/kit/eventually.ts';
import { Database } from '../scripts/world/database.ts';
import { DOWN, OK, Outside, Receivers } from '../scripts/world/deliveries.ts';
import { draftRow } from '../scripts/world/document-row.ts';
import { accept } from '../scripts/world/ingest.ts';
import { MemoryStorage } from '../scripts/world/memory-storage.ts';
import { TestTenant } from '../scripts/world/tenant.ts';
import type { IngestRequestRow } from './data/collections/ingest_requests.ts';
import { noteAway, watchOutages } from './data/outages.ts';
import { pendingEvent } from './data/outbox.ts';
import { collectionsOf, createIndexes, type Store } from './data/store.ts';
import { type RepeatedWork, repeatWork, type Work } from './jobs/repeated-work.ts';
import { createSchedulerIndexes, JOBS_COLLECTION, scheduleJob } from './jobs/scheduler.ts';
import { recurringWork } from './recurring-work.ts';
import { now, setClockOffset } from './runtime/clock.ts';
import { createLogger } from './runtime/log.ts';
import { type Jobs, startJobs } from './worker.ts';

const RECURRING = ['advance_statuses', 'prune_deliveries', 'sweep_files', 'sweep_ingest'];
const HOUR_MS = 3_600_000;
/** How long after it is due work may begin, in milliseconds: a busy machine needs a part of this. */
const LATE_MS = 5_000;
/** How long a test waits for what has to happen, in milliseconds. */
const WAIT_MS = 30_000;
/** How long a watch may need to find what has no job, in milliseconds. */
const REPAIRED_MS = 10_000;
const log = createLogger('silent');
const storage = new MemoryStorage();
const database = new Database();
let own: Store;
let store: Store;
let jobs: Jobs;
let tenant: TestTenant;
/** Commands that read or write jobs. */
let scheduled: Document[] = [];
/** The collections of commands that failed. */
let failed: (string | undefined)[] = [];
/** The collections that were read when the first runs of repeated work were over. */
let readFirst: readonly string[] = [];
const outside = new Outside();

/** The watches. They look at the start, and then only when a test lets them: until then nothing is repaired. */
const watches = new Map<string, Pick<Work, 'everyMs'> & Pick<RepeatedWork, 'begin'>>();
const repeat: typeof repeatWork = (work, to) => {
  if (!work.name.startsWith('watch_')) return repeatWork(work, to);
  const { everyMs, ...watch } = work;
  const repeated = repeatWork(watch, to);
  watches.set(work.name, { everyMs, begin: repeated.begin });
  return repeated;
};

function start(on: Store): Promise<Jobs> {
  return startJobs({
    store: on,
    send: outside.send,
    perEndpoint: 8,
    log,
    recurring: recurringWork(on, storage),
    repeat,
  });
}

beforeAll(async () => {
  own = await database.open();
  await createIndexes(own);
  await createSchedulerIndexes(own);
  tenant = await TestTenant.create(own);
  const client = new MongoClient(database.uri, { monitorCommands: true });
  const asked = new Map<number, string>();
  const read: string[] = [];
  client.on('commandStarted', ({ requestId, command, commandName }) => {
    asked.set(requestId, command[commandName]);
    if (command[commandName] === JOBS_COLLECTION) scheduled.push(command);
  });
  client.on('commandSucceeded', ({ requestId }) => read.push(asked.get(requestId) ?? ''));
  client.on('commandFailed', ({ requestId }) => failed.push(asked.get(requestId)));
  store = collectionsOf(await client.connect(), database.name);
  jobs = await start(store);
  await jobs.haveRun;
  readFirst = [...read];
});

afterEach(() => setClockOffset(0));

afterAll(async () => {
  await jobs.stop();
  await store.close();
  await own.close();
  await database.remove();
});

const jobRows = () => own.db.collection(JOBS_COLLECTION);

/** A batch with so many chunks. @returns the id of its request */
function batch(chunks = 1): Promise<string> {
  const records = Array.from({ length: chunks }, (_, nth) => ({ external_id: `P${nth}`, last_name: 'Нұрланова' }));
  return accept(own, tenant.id, { pair: 'KEDO/PERSONS', records, chunkRecords: 1 });
}

/** Waits until a batch is applied. */
const applied = (id: string): Promise<IngestRequestRow> =>
  eventually(
    'the batch',
    async () => {
      const row = await own.ingest_requests.findOne({ _id: id });
      return row?.status === 'APPLIED' && row;
    },
    WAIT_MS,
  );

/** Stores a document with an event for an endpoint of the tenant. @returns the id of the delivery that the relay makes of it */
async function eventOf(receivers: Receivers): Promise<string> {
  await receivers.flag();
  const endpoint = await receivers.endpoint({ event_types: ['document.sent'] });
  const event = pendingEvent('document.sent', now());
  const row = draftRow({ initiator_employee_id: 'x', tenant_id: receivers.tenantId });
  await own.documents.insertOne({ ...row, pending_events: [event], outbox_at: event.occurred_at });
  return `${event.id}:${endpoint}`;
}

/** Waits until a delivery was attempted so many times, and the result of the last attempt is stored. */
const attempted = (id: string, times: number) =>
  eventually(
    `attempt ${times}`,
    async () => {
      const row = await own.deliveries.findOne({ _id: id, attempt_count: times, lease_id: '' });
      return row === null ? undefined : { ...row, last: row.attempts.at(-1)?.at };
    },
    WAIT_MS,
  );

function expectOnTime(begunAt: Date | null | undefined, dueAt: Date | null): void {
  const lateMs = Number(begunAt) - Number(dueAt);
  expect(lateMs).toBeGreaterThanOrEqual(0);
  expect(lateMs).toBeLessThan(LATE_MS);
}

test('everything that a worker repeats runs at its start, and says when it is over', () => {
  expect(readFirst).toEqual(expect.arrayContaining(['documents', 'deliveries', 'ingest_requests']));
});

test('a batch begins when it is accepted, by a job that holds only the id of the tenant', async () => {
  const id = await batch();
  scheduled = [];
  await scheduleJob('apply_ingest', tenant.id);
  const { started_at, create_time } = await applied(id);
  expectOnTime(started_at, create_time);
  const [{ update } = {}] = scheduled.filter(({ query }) => query?.['data.id'] === tenant.id);
  expect(update.$setOnInsert.data).toEqual({ id: tenant.id });
  expect(JSON.stringify(scheduled)).not.toMatch(/Нұрланова/);
  await eventually('the end of the job', async () => (await jobRows().countDocuments({ 'data.id': tenant.id })) === 0);
});

test('an attempt and each retry begin when the row says, also when the clock is moved there or beyond', async () => {
  const receivers = new Receivers(own);
  outside.answer = () => DOWN;
  const id = await eventOf(receivers);
  const first = await attempted(id, 1);
  expectOnTime(first.last, first.create_time);
  const job = { name: 'deliver', 'data.id': first.endpoint_id, nextRunAt: first.next_at };
  await eventually('the job', async () => (await jobRows().countDocuments(job)) === 1);
  setClockOffset(Number(first.next_at) - 300 - Date.now());
  const second = await attempted(id, 2);
  expectOnTime(second.last, first.next_at);
  await eventually(
    'the next job',
    async () => (await jobRows().countDocuments({ ...job, nextRunAt: second.next_at })) === 1,
  );
  setClockOffset(25 * HOUR_MS);
  const movedAt = now();
  outside.answer = () => OK;
  const third = await attempted(id, 3);
  expectOnTime(third.last, movedAt);
});

test('work whose job cannot be stored is found by a watch, which looks every ten seconds', async () => {
  const receivers = new Receivers(own);
  outside.answer = () => DOWN;
  failed = [];
  const id = await eventOf(receivers);
  const ids = [id.slice(id.indexOf(':') + 1), tenant.id];
  // Another row has taken the place of each job.
  for (const each of ids) {
    const filter = { 'data.id': each };
    await jobRows().createIndex({ 'data.id': 1 }, { name: each, unique: true, partialFilterExpression: filter });
    await jobRows().insertOne({ name: 'other', data: { id: each }, nextRunAt: null });
  }
  try {
    const isRefused = (times: number) => () => failed.filter((name) => name === JOBS_COLLECTION).length === times;
    const { next_at } = await attempted(id, 1);
    await eventually('the first refusal', isRefused(1), WAIT_MS);
    const request = await batch();
    await scheduleJob('apply_ingest', tenant.id);
    await eventually('the second refusal', isRefused(2), WAIT_MS);
    setClockOffset(Number(next_at) - Date.now());
    for (const name of ['watch_deliveries', 'watch_ingest']) {
      expect(watches.get(name)?.everyMs).toBeLessThanOrEqual(REPAIRED_MS);
      void watches.get(name)?.begin();
    }
    await Promise.all([attempted(id, 2), applied(request)]);
  } finally {
    for (const each of ids) await jobRows().dropIndex(each);
  }
});

test('the watches look when an outage of the database is over', async () => {
  const id = await batch();
  const unwatch = watchOutages('store', { log, place: '', isBack: async () => true, lookMs: 1 });
  noteAway('store', 'for a moment');
  await applied(id).finally(unwatch);
});

test('each recurring work of the deployment has exactly one job, without data', async () => {
  const rows = await eventually('the jobs', async () => {
    const found = await jobRows()
      .find({ repeatInterval: { $gt: 0 } })
      .sort({ name: 1 })
      .toArray();
    return found.length >= RECURRING.length && found.every(({ lastFinishedAt }) => lastFinishedAt) && found;
  });
  expect(rows.map(({ name }) => name)).toEqual(RECURRING);
  for (const { data, nextRunAt } of rows) {
    expect(data).toEqual({});
    expect(nextRunAt.getTime()).toBeGreaterThan(Date.now());
  }
  const statuses = rows.find(({ name }) => name === 'advance_statuses');
  // A day begins somewhere at every quarter of an hour, and statuses follow it within a minute.
  expect(statuses?.repeatInterval).toBeLessThanOrEqual(60_000);
});

test('a batch that a stopping worker has not finished is continued by another one, by a job', async () => {
  const id = await batch(20);
  const stopping = await start(own);
  await eventually(
    'its beginning',
    async () => (await own.ingest_requests.findOne({ _id: id }))?.status === 'APPLYING',
  );
  await stopping.stop();
  expect(await own.ingest_requests.findOne({ _id: id })).toMatchObject({ status: 'APPLYING', lease_id: '' });
  await applied(id);
});
