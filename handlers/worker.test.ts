/** The jobs of a process with the role `all`, as Agenda stores and runs them. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Document, MongoClient } from 'mongodb';
import { Database } from '../scripts/testbed/database.ts';
import { DOWN, Outside, Receivers } from '../scripts/testbed/deliveries.ts';
import { eventually } from '../scripts/testbed/eventually.ts';
import { accept } from '../scripts/testbed/ingest.ts';
import { MemoryStorage } from '../scripts/testbed/memory-storage.ts';
import { TestTenant } from '../scripts/testbed/tenant.ts';
import { collectionsOf, createIndexes, type Store } from './data/store.ts';
import { createSchedulerIndexes, JOBS_COLLECTION, scheduleJob } from './jobs/scheduler.ts';
import { createLogger } from './runtime/log.ts';
import { type Jobs, startJobs } from './worker.ts';

const RECURRING = ['advance_statuses', 'prune_deliveries', 'sweep_files', 'sweep_ingest'];
const database = new Database();
let own: Store;
let store: Store;
let jobs: Jobs;
/** Commands that read or write jobs. */
let scheduled: Document[] = [];
/** The collections that were read when the first runs of repeated work were over. */
let readFirst: readonly string[] = [];
const outside = new Outside();

beforeAll(async () => {
  own = await database.open();
  await createIndexes(own);
  await createSchedulerIndexes(own);
  const client = new MongoClient(database.uri, { monitorCommands: true });
  client.on('commandStarted', ({ command, commandName }) => {
    if (command[commandName] === JOBS_COLLECTION) scheduled.push(command);
  });
  const asked = new Map<number, string>();
  const read: string[] = [];
  client.on('commandStarted', ({ requestId, command, commandName }) => asked.set(requestId, command[commandName]));
  client.on('commandSucceeded', ({ requestId }) => read.push(asked.get(requestId) ?? ''));
  store = collectionsOf(await client.connect(), database.name);
  jobs = await startJobs({ store, storage: new MemoryStorage(), send: outside.send, log: createLogger('silent') });
  await jobs.haveRun;
  readFirst = [...read];
});

afterAll(async () => {
  await jobs.stop();
  await store.close();
  await own.close();
  await database.remove();
});

/** Waits until a job about the id was stored, locked and removed. */
async function ran(name: string, id: string): Promise<void> {
  const isStored = (command: Document) => command.query?.name === name && command.query['data.id'] === id;
  await eventually(`a job ${name}`, () => scheduled.some(isStored) || undefined);
  const isLock = ({ query, update }: Document) => query?.name === name && update?.$set?.lockedAt instanceof Date;
  await eventually(`a lock of ${name}`, () => scheduled.some(isLock) || undefined);
  await eventually(`the end of ${name}`, async () =>
    (await own.db.collection(JOBS_COLLECTION).countDocuments({ name })) === 0 ? true : undefined,
  );
}

test('everything that a worker repeats runs at its start, and says when it is over', () => {
  expect(readFirst).toEqual(expect.arrayContaining(['documents', 'deliveries', 'ingest_requests']));
});

test('a job that holds only the id of the tenant applies an accepted batch', async () => {
  const tenant = await TestTenant.create(own);
  const records = [{ external_id: 'P', first_name: 'Әсел', last_name: 'Нұрланова' }];
  const id = await accept(own, tenant.id, { pair: 'KEDO/PERSONS', records });
  scheduled = [];
  await scheduleJob('apply_ingest', tenant.id);
  await ran('apply_ingest', tenant.id);
  await eventually('the batch', async () =>
    (await own.ingest_requests.findOne({ _id: id }))?.status === 'APPLIED' ? true : undefined,
  );
  const [{ update } = {}] = scheduled.filter(({ query }) => query?.['data.id'] === tenant.id);
  expect(update.$setOnInsert.data).toEqual({ id: tenant.id });
  expect(JSON.stringify(scheduled)).not.toMatch(/Әсел|Нұрланова/);
});

test('a failed attempt schedules a job of the endpoint for the time of the next attempt', async () => {
  const receivers = new Receivers(own);
  await receivers.flag();
  outside.answer = () => DOWN;
  const endpoint = await receivers.endpoint();
  const [id = ''] = await receivers.deliveries(endpoint, 1);
  const job = await eventually(
    'the job',
    async () =>
      (await own.db.collection(JOBS_COLLECTION).findOne({ name: 'deliver', 'data.id': endpoint })) ?? undefined,
  );
  const { attempt_count, next_at } = await receivers.delivery(id);
  expect(attempt_count).toBe(1);
  expect(job).toMatchObject({ data: { id: endpoint }, nextRunAt: next_at });
});

test('each recurring work of the deployment has exactly one job, without data', async () => {
  const rows = await eventually('the jobs', async () => {
    const found = await own.db
      .collection(JOBS_COLLECTION)
      .find({ repeatInterval: { $gt: 0 } })
      .sort({ name: 1 })
      .toArray();
    return found.length >= RECURRING.length && found.every(({ lastFinishedAt }) => lastFinishedAt) ? found : undefined;
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
