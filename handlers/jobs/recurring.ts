/**
 * Recurring work that runs once for the whole deployment: each has one job of Agenda in the database. The first worker
 * locks the job and makes the run; the others find it locked, or not due. A run renews its lock every few seconds; if its
 * process is killed, another one takes the job over 20 s after the last renewal, or when the interval is over if that is
 * later. A process that is frozen for longer finds its run overlapped by another one, so several must be able to do the work
 * at once. Agenda does not see failures, since it would store their text in the job: jobs hold nothing but times.
 */
import { once } from 'node:events';
import type { Agenda, Job } from 'agenda';
import type { Collection } from 'mongodb';
import { unlessThere } from '../data/writes.ts';
import { clockOffsetMs, databaseMs, machineMs, onClockChange } from '../runtime/clock.ts';
import type { Logger } from '../runtime/log.ts';
import { attempts, repeatWork, STOP_MS, type Work, type WorkAttempt } from './repeated-work.ts';

/** How a run holds its job. */
export interface Holding {
  /** Without a renewal, the lock ends after this long, in milliseconds. */
  readonly lockMs: number;
  /** How often the run renews its lock, in milliseconds. */
  readonly touchMs: number;
}

const HOLDING: Holding = { lockMs: 20_000, touchMs: 5_000 };
/** How often missing jobs are created, in milliseconds: somebody may have emptied the collection. */
const CREATE_MS = 60_000;

/** Work at an interval. */
export type TimedWork = Work & Required<Pick<Work, 'everyMs'>>;

/** Recurring work that this process takes part in. */
interface RecurringWork {
  /** Asks the runs under way to end. */
  stop(): void;
  /** Stops creating and moving jobs, and waits a little until the runs under way have ended and freed their jobs. */
  ended(): Promise<void>;
}

/** What recurring work needs. */
interface RecurringParts {
  readonly agenda: Agenda;
  /** Where Agenda keeps its jobs. */
  readonly jobs: Collection;
  /** Makes this process look for due jobs of a name at once. */
  readonly wake: (name: string) => void;
  readonly log: Logger;
}

/** Lets this process take its turns at the work, beginning when Agenda starts. */
export function recur(
  parts: RecurringParts,
  works: readonly TimedWork[],
  { lockMs, touchMs } = HOLDING,
): RecurringWork {
  const { agenda, log } = parts;
  const stopping = new AbortController();
  const running = new Set<Job>();
  for (const work of works) {
    const attempt = attempts(work, log);
    const alone = { concurrency: 1, lockLimit: 1, lockLifetime: lockMs };
    agenda.define(work.name, (job: Job) => turn(job, attempt, stopping.signal, touchMs), alone);
    agenda.on(`start:${work.name}`, (job: Job) => void running.add(job));
    agenda.on(`complete:${work.name}`, (job: Job) => void running.delete(job));
  }
  const creating = repeatWork(missingJobs(parts, works), log);
  const create = () => void creating.begin();
  create();
  const unlisten = onClockChange(create);
  return {
    stop: () => stopping.abort(),
    async ended() {
      unlisten();
      await creating.stop();
      const late = AbortSignal.timeout(STOP_MS);
      while (running.size > 0 && !late.aborted) await once(agenda, 'complete', { signal: late }).catch(() => {});
    },
  };
}

/**
 * Creates missing jobs, and makes all jobs due when the clock was moved. `agenda.every` would work for one process
 * only: it also unlocks a job whose run is under way in another process, so that a second run begins.
 */
function missingJobs({ agenda, jobs, wake }: RecurringParts, works: readonly TimedWork[]): Work {
  let offsetMs = clockOffsetMs();
  return {
    name: 'recurring_work',
    everyMs: CREATE_MS,
    async run() {
      for (const { name, everyMs } of works) {
        const job = agenda.create(name, {}).repeatEvery(everyMs).unique({}, { insertOnly: true });
        // False where another process was first.
        await unlessThere(() => job.schedule(new Date(databaseMs())).save());
      }
      const movedMs = clockOffsetMs();
      if (movedMs === offsetMs) return false;
      const present = new Date(databaseMs());
      // A run under way in this process handles a moved clock itself, at its end.
      const early = { name: { $in: works.map(({ name }) => name) }, nextRunAt: { $gt: present } };
      await jobs.updateMany(early, { $set: { nextRunAt: present } });
      offsetMs = movedMs;
      for (const { name } of works) wake(name);
      return false;
    },
  };
}

/** Makes one run, then sets the time of the next one in the job. */
async function turn(job: Job, attempt: WorkAttempt, stopping: AbortSignal, touchMs: number): Promise<void> {
  const offsetMs = clockOffsetMs();
  const lost = new AbortController();
  let touch = Promise.resolve();
  const touching = setInterval(() => {
    touch = job.touch().catch(() => {
      // Cancelled means that the lock ended before this. If only the database is away, a later renewal may still
      // succeed.
      if (job.getCanceledMessage()) lost.abort();
    });
  }, touchMs).unref();
  const waitMs = await attempt(AbortSignal.any([stopping, lost.signal]), '');
  clearInterval(touching);
  // A renewal after the end would lock the job again.
  await touch;
  job.attrs.nextRunAt = new Date(machineMs() + (clockOffsetMs() === offsetMs ? waitMs : 0));
}
