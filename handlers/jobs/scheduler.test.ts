/** One-time jobs run in some worker at their time, no matter which process schedules them and which one dies. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { OwnDatabase } from '../../scripts/testbed/database.ts';
import { eventually } from '../../scripts/testbed/eventually.ts';
import { testDeploymentOn } from '../../scripts/testbed/test-deployment.ts';
import { openStore, type Store } from '../data/store.ts';
import { followStoreClock } from '../data/store-clock.ts';
import { now, nowMs, setClockOffset } from '../runtime/clock.ts';
import { createLogger } from '../runtime/log.ts';
import { createSchedulerIndexes, JOBS_COLLECTION, openScheduler, type Scheduler, scheduleJob } from './scheduler.ts';

const { database, store } = await testDeploymentOn(new OwnDatabase());
const log = createLogger('silent');
let open: Scheduler[] = [];
let impatient: Store | undefined;

beforeAll(async () => {
  await createSchedulerIndexes(store);
});

afterEach(async () => {
  await Promise.all(open.map((scheduler) => scheduler.stop()));
  open = [];
  await impatient?.close();
  impatient = undefined;
  setClockOffset(0);
  await store.db.collection(JOBS_COLLECTION).deleteMany({});
});

/** That a worker ran a job. */
interface Run {
  readonly id: string;
  readonly atMs: number;
}

/** A worker, and the runs of jobs in it. @param lookEveryMs how often it looks for jobs; as in a deployment by default */
async function worker(lookEveryMs?: number, of = store): Promise<{ scheduler: Scheduler; runs: Run[] }> {
  const runs: Run[] = [];
  const note = (id: string) => void runs.push({ id, atMs: nowMs() });
  const handlers = { deliver: note, apply_ingest: note };
  const looks = lookEveryMs === undefined ? {} : { lookEveryMs };
  const scheduler = await openScheduler(of, log, { oneTime: handlers, recurring: [], ...looks });
  open.push(scheduler);
  return { scheduler, runs };
}

async function schedulerOnly(): Promise<Scheduler> {
  const scheduler = await openScheduler(store, log);
  open.push(scheduler);
  return scheduler;
}

const inMs = (ms: number) => new Date(nowMs() + ms);
const rows = () => store.db.collection(JOBS_COLLECTION).countDocuments({});
const emptied = () => eventually('the end of the jobs', async () => ((await rows()) === 0 ? true : undefined));

test('a job that another process schedules runs once, in one of the workers, not before its time', async () => {
  const [one, two] = [await worker(), await worker()];
  const scheduler = await schedulerOnly();
  const at = new Map(Array.from({ length: 20 }, (_, index) => [randomUUID() as string, inMs(100 + 50 * index)]));
  await Promise.all([...at].map(([id, time]) => scheduler.schedule('deliver', id, time)));
  await emptied();
  const runs = [...one.runs, ...two.runs];
  expect(runs.map(({ id }) => id).toSorted()).toEqual([...at.keys()].toSorted());
  for (const { id, atMs } of runs) expect(atMs).toBeGreaterThanOrEqual(at.get(id)?.getTime() ?? Number.NaN);
});

test('a job that is due is stored at once, and runs as soon as there is a worker', async () => {
  const scheduler = await schedulerOnly();
  await scheduler.schedule('apply_ingest', 'tenant', now());
  const [job, ...others] = await store.db.collection(JOBS_COLLECTION).find({}).toArray();
  expect(others).toEqual([]);
  expect(job).toMatchObject({ name: 'apply_ingest', data: { id: 'tenant' }, lockedAt: null });
  const { runs } = await worker();
  await emptied();
  expect(runs.map(({ id }) => id)).toEqual(['tenant']);
});

test('a worker runs a due job that it schedules itself at once, without waiting for its next look', async () => {
  const lookEveryMs = 20_000;
  const { scheduler, runs } = await worker(lookEveryMs);
  const fromMs = performance.now();
  for (let count = 1; count <= 5; count++) {
    await scheduler.schedule('apply_ingest', 'tenant', now());
    await eventually('its run', () => (runs.length === count ? true : undefined));
  }
  expect(performance.now() - fromMs).toBeLessThan(lookEveryMs);
  await emptied();
});

test('jobs for one id at different times all run, the earliest first; equal ones are stored once', async () => {
  const scheduler = await schedulerOnly();
  const [early, late] = [inMs(300), inMs(600)];
  for (const time of [late, early, late, early]) await scheduler.schedule('deliver', 'id', time);
  expect(await rows()).toBe(2);
  const { runs } = await worker();
  await emptied();
  expect(runs).toHaveLength(2);
  expect(runs[0]?.atMs).toBeGreaterThanOrEqual(early.getTime());
});

test('a job that is scheduled while another job for the same id runs is run too', async () => {
  const again = inMs(400);
  let runs = 0;
  const deliver = (id: string) => {
    runs += 1;
    if (runs === 1) void scheduler.schedule('deliver', id, again);
  };
  const scheduler = await openScheduler(store, log, { oneTime: { deliver, apply_ingest: () => {} }, recurring: [] });
  open.push(scheduler);
  await scheduler.schedule('deliver', 'id', inMs(100));
  await eventually('the second run', () => (runs === 2 ? true : undefined));
  await emptied();
});

test('a job whose process was killed while it ran is run by another worker', async () => {
  const lockedAt = new Date(Date.now() - 11_000);
  const killed = { name: 'deliver', data: { id: 'killed' }, type: 'normal', priority: 0, nextRunAt: null, lockedAt };
  await store.db.collection(JOBS_COLLECTION).insertOne(killed);
  const { runs } = await worker();
  await emptied();
  expect(runs.map(({ id }) => id)).toEqual(['killed']);
});

test('a job is due by the clock of the service, also when that clock is moved', async () => {
  const { scheduler, runs } = await worker();
  setClockOffset(25 * 3_600_000);
  const at = inMs(300);
  await scheduler.schedule('deliver', 'id', at);
  await emptied();
  expect(runs).toHaveLength(1);
  expect(runs[0]?.atMs).toBeGreaterThanOrEqual(at.getTime());
});

describe.each([3_600_000, -3_600_000])('on a machine whose clock is %i ms ahead', (aheadMs) => {
  const RealDate = Date;
  const wrongMs = () => RealDate.now() + aheadMs;
  /** The clock of the database is known no better than its reading took. */
  let inexactMs = 0;

  beforeEach(async () => {
    globalThis.Date = new Proxy(RealDate, {
      construct: (target, given, made) => Reflect.construct(target, given.length === 0 ? [wrongMs()] : given, made),
      get: (target, name) => (name === 'now' ? wrongMs : Reflect.get(target, name)),
    });
    const askedMs = performance.now();
    await followStoreClock(store);
    inexactMs = performance.now() - askedMs + 10;
  });
  afterEach(() => {
    globalThis.Date = RealDate;
  });

  test('a job is due by the clock of the database, and equal ones are stored once', async () => {
    const scheduler = await schedulerOnly();
    const at = inMs(400);
    for (let time = 0; time < 3; time++) await scheduler.schedule('deliver', 'id', at);
    const stored = await store.db.collection(JOBS_COLLECTION).find({}).toArray();
    expect(stored.map(({ nextRunAt }) => nextRunAt)).toEqual([at]);
    const { runs } = await worker();
    await emptied();
    expect(runs).toHaveLength(1);
    expect(runs[0]?.atMs).toBeGreaterThanOrEqual(at.getTime());
  });

  test('a job is locked and due again at times of the database', async () => {
    const fromMs = RealDate.now();
    let isOver = false;
    const ending = eventually('its end', () => isOver || undefined);
    const work = { name: 'often', everyMs: 60_000, run: () => ending.then(() => false) };
    const oneTime = { deliver: () => {}, apply_ingest: () => {} };
    open.push(await openScheduler(store, log, { oneTime, recurring: [work] }));
    const job = (condition: object) =>
      eventually('the job', async () => (await store.db.collection(JOBS_COLLECTION).findOne(condition)) ?? undefined);
    const { lockedAt } = await job({ name: 'often', lockedAt: { $ne: null } });
    isOver = true;
    const { nextRunAt } = await job({ name: 'often', lockedAt: null, nextRunAt: { $ne: null } });
    for (const [dueMs, stored] of [
      [0, lockedAt],
      [work.everyMs, nextRunAt],
    ] as const) {
      expect(stored.getTime()).toBeGreaterThanOrEqual(fromMs + dueMs - inexactMs);
      expect(stored.getTime()).toBeLessThanOrEqual(RealDate.now() + dueMs + inexactMs);
    }
  });
});

test('scheduleJob works anywhere in a process with a scheduler, and does nothing in one without', async () => {
  await scheduleJob('deliver', 'nobody');
  expect(await rows()).toBe(0);
  const { runs } = await worker();
  await scheduleJob('apply_ingest', 'tenant');
  await emptied();
  expect(runs.map(({ id }) => id)).toEqual(['tenant']);
});

test('a job that was scheduled before an outage of the database runs after it', async () => {
  // It does not wait for the end of the outage, but a busy machine may need longer than that to connect.
  const opened = () => openStore(database.uri, database.name, 5_000, 5_000).catch(() => undefined);
  impatient = await eventually('a store', opened);
  const { scheduler, runs } = await worker(undefined, impatient);
  const inAnHour = inMs(3_600_000);
  const scheduled = () => scheduler.schedule('deliver', 'before', inAnHour);
  await eventually('the job', () =>
    scheduled()
      .then(() => true)
      .catch(() => undefined),
  );
  await database.kill();
  await scheduleJob('deliver', 'lost', inMs(60_000));
  expect(runs).toEqual([]);
  await database.start();
  const becomesDue = () => store.db.collection(JOBS_COLLECTION).updateMany({}, { $set: { nextRunAt: new Date() } });
  await eventually('the database', () => becomesDue().catch(() => undefined));
  await emptied();
  expect(runs.map(({ id }) => id)).toEqual(['before']);
});
