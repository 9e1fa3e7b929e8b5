/** Recurring work: one run at a time in the whole deployment, in any worker, and even if a process dies. */
import { afterEach, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '../../scripts/kit/eventually.ts';
import { testDeployment } from '../../scripts/world/test-deployment.ts';
import { setClockOffset } from '../runtime/clock.ts';
import { loggerTo } from '../runtime/log.ts';
import type { TimedWork } from './recurring.ts';
import { createSchedulerIndexes, JOBS_COLLECTION, openScheduler, type Scheduler } from './scheduler.ts';

const { store } = await testDeployment();
let logged: string[] = [];
const log = loggerTo('info', { write: (line: string) => void logged.push(line) });
const HOUR_MS = 3_600_000;
const FAST = { lockMs: 1_000, touchMs: 200 };
let open: Scheduler[] = [];

beforeAll(async () => {
  await createSchedulerIndexes(store);
});

afterEach(async () => {
  setClockOffset(0);
  await Promise.all(open.map((scheduler) => scheduler.stop()));
  open = [];
  logged = [];
  await jobs.deleteMany({});
});

const jobs = store.db.collection(JOBS_COLLECTION);
const jobOf = (name: string) => jobs.findOne({ name });

async function worker(recurring: readonly TimedWork[], holding = FAST): Promise<Scheduler> {
  const oneTime = { deliver: () => {}, apply_ingest: () => {} };
  const scheduler = await openScheduler(store, log, { oneTime, recurring, holding });
  open.push(scheduler);
  return scheduler;
}

/** Work that notes its runs in all workers. */
class NotedRuns {
  readonly name: string;
  readonly everyMs: number;
  readonly begunMs: number[] = [];
  readonly stopping: AbortSignal[] = [];
  ended = 0;
  mostAtOnce = 0;
  run: () => Promise<boolean> = async () => false;

  constructor(name: string, everyMs: number) {
    this.name = name;
    this.everyMs = everyMs;
  }

  /** The work for one worker. */
  get work(): TimedWork {
    const run = async (stopping: AbortSignal) => {
      this.begunMs.push(Date.now());
      this.stopping.push(stopping);
      this.mostAtOnce = Math.max(this.mostAtOnce, this.begunMs.length - this.ended);
      return this.run().finally(() => void this.ended++);
    };
    return { name: this.name, everyMs: this.everyMs, run };
  }

  async runs(count: number): Promise<void> {
    await eventually(`run ${count} of ${this.name}`, () => this.begunMs.length >= count);
  }

  /** Makes every run wait. @returns a function that lets them end */
  hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.run = () => promise;
    return () => resolve(false);
  }
}

test('work runs once in each interval for all processes, by one job that holds no data', async () => {
  const [fast, slow] = [new NotedRuns('fast', 700), new NotedRuns('slow', 1_500)];
  // A lock that a busy machine does not outlast: else the other worker rightly begins a run, too.
  const holding = { lockMs: 20_000, touchMs: 200 };
  await Promise.all([worker([fast.work, slow.work], holding), worker([fast.work, slow.work], holding)]);
  await Promise.all([fast.runs(5), slow.runs(3)]);
  for (const { begunMs, everyMs, name } of [fast, slow]) {
    const gaps = begunMs.slice(1).map((ms, index) => ms - (begunMs[index] ?? Number.NaN));
    expect([name, gaps.filter((gap) => !(gap >= everyMs))]).toEqual([name, []]);
  }
  const rows = await jobs.find({}).toArray();
  expect(rows.map(({ name }) => name).toSorted()).toEqual(['fast', 'slow']);
  for (const { data, failReason } of rows) expect([data, failReason]).toEqual([{}, null]);
});

test('a run that takes longer than the interval holds its lock on, and is not begun a second time', async () => {
  // Its lock is renewed long before it ends.
  const holding = { lockMs: 60_000, touchMs: 200 };
  const work = new NotedRuns('long', 300);
  const release = work.hold();
  await worker([work.work], holding);
  await work.runs(1);
  const first = (await jobOf('long'))?.lockedAt as Date;
  // Another worker that starts meanwhile finds the job locked, and leaves it locked.
  await worker([work.work], holding);
  const isLater = async () => (await jobOf('long'))?.lockedAt > first.getTime() + 2 * work.everyMs;
  try {
    await eventually('a lock that is held on', isLater);
    expect(work.begunMs).toHaveLength(1);
  } finally {
    release();
  }
  await work.runs(3);
  expect(work.mostAtOnce).toBe(1);
});

test('a run of a killed process is taken over when its lock is over, and not before', async () => {
  const work = new NotedRuns('orphan', HOUR_MS);
  const lockedAt = new Date();
  const nextRunAt = new Date(lockedAt.getTime() - 1);
  const killed = { name: 'orphan', data: {}, type: 'normal', priority: 0, repeatInterval: HOUR_MS };
  await jobs.insertOne({ ...killed, nextRunAt, lockedAt });
  await worker([work.work]);
  await work.runs(1);
  expect(work.begunMs[0]).toBeGreaterThanOrEqual(lockedAt.getTime() + FAST.lockMs);
});

test('a stop aborts the run under way, waits for it, and unlocks the job for others', async () => {
  const work = new NotedRuns('stopped', 1_000);
  const release = work.hold();
  // It is unlocked long before the lock ends, also on a busy machine.
  const holding = { lockMs: 20_000, touchMs: 200 };
  const first = await worker([work.work], holding);
  await work.runs(1);
  const stopped = first.stop();
  await eventually('the word', () => work.stopping[0]?.aborted);
  release();
  await stopped;
  expect(work.ended).toBe(1);
  expect((await jobOf('stopped'))?.lockedAt).toBeNull();
  await worker([work.work], holding);
  await work.runs(2);
});

test('a run with more to do or a failure is followed by another soon; a failure is logged once, without its text', async () => {
  const work = new NotedRuns('busy', HOUR_MS);
  work.run = async () => {
    if (work.begunMs.length === 1) return true;
    if (work.begunMs.length < 4)
      throw Object.assign(new Error('quotes a value'), { name: 'MongoServerError', code: 2 });
    return false;
  };
  // No lock ends here, however slow the machine is.
  await worker([work.work], { lockMs: 20_000, touchMs: 5_000 });
  await work.runs(4);
  await eventually('its end', async () => (await jobOf('busy'))?.lockedAt === null);
  expect(logged.map((line) => JSON.parse(line))).toMatchObject([{ event: 'work_failed', work: 'busy' }]);
  expect(JSON.stringify([logged, await jobOf('busy')])).not.toContain('quotes');
});

test('work runs when the clock is moved, and again after a run during which it was moved', async () => {
  const work = new NotedRuns('daily', 24 * HOUR_MS);
  const release = work.hold();
  await worker([work.work]);
  await work.runs(1);
  setClockOffset(25 * HOUR_MS);
  release();
  await work.runs(2);
  await eventually('its end', async () => (await jobOf('daily'))?.lockedAt === null);
  setClockOffset(50 * HOUR_MS);
  const movedMs = performance.now();
  await work.runs(3);
  // Once a minute missing jobs are created; nothing else may be what finds the move.
  expect(performance.now() - movedMs).toBeLessThan(30_000);
  expect(work.mostAtOnce).toBe(1);
});
