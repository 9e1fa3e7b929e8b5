/** One-time jobs run in some worker at their time, no matter which process schedules them and which one dies. */
import { randomUUID } from 'node:crypto';
import { MongoJobRepository } from '@agendajs/mongo-backend';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Agenda, type Job, type JobId, type JobParameters } from 'agenda';
import { eventually } from '../../scripts/kit/eventually.ts';
import { OwnDatabase } from '../../scripts/world/database.ts';
import { testDeploymentOn } from '../../scripts/world/test-deployment.ts';
import { openStore, type Store } from '../data/store.ts';
import { followStoreClock } from '../data/store-clock.ts';
import { now, nowMs, setClockOffset } from '../runtime/clock.ts';
import { createLogger } from '../runtime/log.ts';
import {
  createSchedulerIndexes,
  JOBS_COLLECTION,
  JobRepository,
  openScheduler,
  type Scheduler,
  scheduleJob,
} from './scheduler.ts';

const { database, store } = await testDeploymentOn(new OwnDatabase());
const log = createLogger('silent');
const jobs = store.db.collection(JOBS_COLLECTION);
const HOUR_MS = 3_600_000;
const RealDate = Date;
let open: Pick<Scheduler, 'stop'>[] = [];
let impatient: Store | undefined;

beforeAll(async () => {
  await createSchedulerIndexes(store);
});

afterEach(async () => {
  globalThis.Date = RealDate;
  await Promise.all(open.map((scheduler) => scheduler.stop()));
  open = [];
  await impatient?.close();
  impatient = undefined;
  setClockOffset(0);
  await jobs.deleteMany({});
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
const rows = () => jobs.countDocuments({});
const emptied = () => eventually('the end of the jobs', async () => (await rows()) === 0);

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

test('a worker runs a due job that it schedules itself at once, without waiting for its next look', async () => {
  const lookEveryMs = 20_000;
  const { scheduler, runs } = await worker(lookEveryMs);
  const fromMs = performance.now();
  for (let count = 1; count <= 5; count++) {
    await scheduler.schedule('apply_ingest', 'tenant', now());
    await eventually('its run', () => runs.length === count);
  }
  expect(performance.now() - fromMs).toBeLessThan(lookEveryMs);
  await emptied();
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
  await eventually('the second run', () => runs === 2);
  await emptied();
});

test('a job whose process was killed while it ran is run by another worker', async () => {
  const lockedAt = new Date(Date.now() - 11_000);
  const killed = { name: 'deliver', data: { id: 'killed' }, type: 'normal', priority: 0, nextRunAt: null, lockedAt };
  await jobs.insertOne(killed);
  const { runs } = await worker();
  await emptied();
  expect(runs.map(({ id }) => id)).toEqual(['killed']);
});

test('jobs are due by the clock of the service: at once when it is moved beyond their time, and not before', async () => {
  // No look finds them.
  const lookEveryMs = 20_000;
  const { runs } = await worker(lookEveryMs);
  const scheduler = await schedulerOnly();
  const times = { early: inMs(HOUR_MS / 2), late: inMs(HOUR_MS) };
  for (const [id, at] of Object.entries(times)) await scheduler.schedule('deliver', id, at);
  const stored = await jobs.find().sort({ nextRunAt: 1 }).toArray();
  expect(stored.map(({ nextRunAt }) => nextRunAt)).toEqual(Object.values(times));
  const fromMs = performance.now();
  setClockOffset(HOUR_MS / 2);
  await eventually('the early one', () => runs.length > 0);
  setClockOffset(0);
  expect(runs.map(({ id }) => id)).toEqual(['early']);
  setClockOffset(HOUR_MS);
  await emptied();
  expect(runs.map(({ id }) => id)).toEqual(['early', 'late']);
  expect(performance.now() - fromMs).toBeLessThan(lookEveryMs);
});

/** Lets the machine's clock be so far ahead, until the end of the test. */
function setMachineAhead(aheadMs: number): void {
  const wrongMs = () => RealDate.now() + aheadMs;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, given, made) => Reflect.construct(target, given.length === 0 ? [wrongMs()] : given, made),
    get: (target, name) => (name === 'now' ? wrongMs : Reflect.get(target, name)),
  });
}

describe.each([HOUR_MS, -HOUR_MS])('on a machine whose clock is %i ms ahead', (aheadMs) => {
  /** The clock of the database is known no better than its reading took. */
  let inexactMs = 0;

  beforeEach(async () => {
    setMachineAhead(aheadMs);
    const askedMs = performance.now();
    await followStoreClock(store);
    inexactMs = performance.now() - askedMs + 10;
  });

  test('a job is due by the clock of the database, and equal ones are stored once', async () => {
    const scheduler = await schedulerOnly();
    const at = inMs(400);
    for (let time = 0; time < 3; time++) await scheduler.schedule('deliver', 'id', at);
    const stored = await jobs.find({}).toArray();
    expect(stored.map(({ nextRunAt }) => nextRunAt)).toEqual([at]);
    const { runs } = await worker();
    await emptied();
    expect(runs).toHaveLength(1);
    expect(runs[0]?.atMs).toBeGreaterThanOrEqual(at.getTime());
  });

  test('a job is locked and due again at times of the database', async () => {
    const fromMs = RealDate.now();
    let isOver = false;
    const ending = eventually('its end', () => isOver);
    const work = { name: 'often', everyMs: 60_000, run: () => ending.then(() => false) };
    const oneTime = { deliver: () => {}, apply_ingest: () => {} };
    open.push(await openScheduler(store, log, { oneTime, recurring: [work] }));
    const job = (condition: object) => eventually('the job', async () => (await jobs.findOne(condition)) ?? undefined);
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

test('a job that was scheduled before an outage of the database runs after it', async () => {
  // It does not wait for the end of the outage, but a busy machine may need longer than that to connect.
  const opened = () => openStore(database.uri, database.name, 5_000, 5_000).catch(() => undefined);
  impatient = await eventually('a store', opened);
  const { scheduler, runs } = await worker(undefined, impatient);
  const inAnHour = inMs(HOUR_MS);
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
  const becomesDue = () => jobs.updateMany({}, { $set: { nextRunAt: new Date() } });
  await eventually('the database', () => becomesDue().catch(() => undefined));
  await emptied();
  expect(runs.map(({ id }) => id)).toEqual(['before']);
});

/** If one of these fails, Agenda has corrected a fault: what {@link JobRepository} does about it is needless then. */
describe('plain Agenda', () => {
  const onJobs = { mongo: store.db, db: { collection: JOBS_COLLECTION }, ensureIndex: false };
  const HELD = { name: 'plain', data: {}, type: 'normal', priority: 0 } as const;

  /** A worker by plain Agenda, which knows the job `plain`. */
  async function plainWorker(
    handle: (job: Job) => unknown,
    repository = new MongoJobRepository(onJobs),
  ): Promise<void> {
    const connect = () => repository.connect();
    const backend = { name: 'MongoDB', repository, ownsConnection: false, connect, disconnect: async () => {} };
    const agenda = new Agenda({ backend, processEvery: 50, defaultLockLifetime: 1_000, removeOnComplete: true });
    await agenda.ready;
    agenda.define('plain', async (job: Job) => void (await handle(job)));
    await agenda.start();
    open.push({ stop: () => agenda.stop(false) });
  }

  const stored = (times: Partial<Pick<JobParameters, 'nextRunAt' | 'lockedAt'>>) =>
    jobs.insertOne({ ...HELD, lockedAt: null, ...times });

  test('runs a job early, and locks it for longer, on a machine whose clock is ahead', async () => {
    await stored({ nextRunAt: inMs(HOUR_MS / 2) });
    setMachineAhead(HOUR_MS);
    const locked = Promise.withResolvers<Date>();
    await plainWorker(async (job) => {
      await job.touch();
      locked.resolve((await jobs.findOne())?.lockedAt);
    });
    expect((await locked.promise).getTime()).toBeGreaterThan(RealDate.now() + HOUR_MS / 2);
  });

  test('leaves a one-time job for ever if its process dies between the two writes at its end', async () => {
    class Dying extends MongoJobRepository {
      override removeJobs = () => new Promise<number>(() => {});
    }
    await stored({ nextRunAt: now() });
    await plainWorker(() => {}, new Dying(onJobs));
    const over = { nextRunAt: null, lockedAt: null, lastFinishedAt: { $ne: null } };
    await eventually('its end', async () => (await jobs.countDocuments(over)) === 1);
  });

  test('does not hear whether it could free a job', async () => {
    let hearers = 0;
    const freed = Promise.withResolvers<void>();
    class Freeing extends Promise<void> {
      // biome-ignore lint/suspicious/noThenProperty: whether anybody calls it is the question.
      override then: Promise<void>['then'] = (...given) => {
        hearers += 1;
        return super.then(...given);
      };
    }
    class Noting extends MongoJobRepository {
      override unlockJob = () => {
        freed.resolve();
        return new Freeing(() => {});
      };
    }
    // Its lock has ended, but it is not due for long.
    await stored({ nextRunAt: inMs(HOUR_MS), lockedAt: inMs(-HOUR_MS) });
    await plainWorker(() => {}, new Noting(onJobs));
    await freed.promise;
    await new Promise(setImmediate);
    expect(hearers).toBe(0);
    const unconnected = new JobRepository(onJobs);
    await unconnected.unlockJob({ ...HELD, _id: '0'.repeat(24) as JobId, nextRunAt: null });
  });
});
