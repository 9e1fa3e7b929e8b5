/**
 * Work that recurs once for the whole deployment: a job of Agenda for each, kept in the database. Whichever worker comes
 * first locks it and makes the run; the others find it locked, or not due.
 *
 * - A run holds its lock for as long as it takes, by saying every few seconds that it goes on. So a long one is not
 *   begun a second time, and that of a process that was killed is another's 20 s after its last word, or when the
 *   interval is over if that is later.
 * - A lock is no fence: of a process that was frozen for longer than that, or whose clock is that far off, the run
 *   meets another one. So the work has to bear being done by several at once, as what is repeated in a process does.
 * - A failure is not left to Agenda, which would keep its text in the job. Jobs hold nothing but times.
 */
import type { Agenda, Job } from 'agenda';
import type { Collection } from 'mongodb';
import { unlessThere } from '../data/insert.ts';
import { clockOffsetMs, machineMs, onClockChange } from './clock.ts';
import type { Logger } from './log.ts';
import { attempts, type PeriodicWork, startPeriodic } from './periodic.ts';

/** How a run holds its job. */
export interface Holding {
  /** After so long without a word the run is over, in milliseconds. */
  readonly lockMs: number;
  /** How often the run says that it goes on, in milliseconds. */
  readonly touchMs: number;
}

const HOLDING: Holding = { lockMs: 20_000, touchMs: 5_000 };
/** How often it is seen to that the jobs exist, in milliseconds: somebody may have emptied the collection. */
const PLANT_MS = 60_000;
/** Longest that an end waits for runs under way, in milliseconds: work bears a crash, so it bears this too. */
const STOP_MS = 3_000;

/** Recurring work that this process takes part in. */
export interface Recurring {
  /** Tells the runs that are under way to end, and has no job created or moved any more. */
  stop(): void;
  /** Waits a little until those runs have ended and their jobs are free for others. */
  ended(): Promise<void>;
}

/** What the work recurs by. */
export interface RecurringParts {
  readonly agenda: Agenda;
  /** Where Agenda keeps its jobs. */
  readonly jobs: Collection;
  /** Has this process look for due jobs of a name at once. */
  readonly wake: (name: string) => void;
  readonly log: Logger;
}

/** Has this process take its turns at the work, from when Agenda starts on. */
export function recur(parts: RecurringParts, works: readonly PeriodicWork[], { lockMs, touchMs } = HOLDING): Recurring {
  const { agenda, log } = parts;
  const stopping = new AbortController();
  const running = new Set<Job>();
  let idle: (() => void) | undefined;
  for (const work of works) {
    const attempt = attempts(work, log);
    const alone = { concurrency: 1, lockLimit: 1, lockLifetime: lockMs };
    agenda.define(work.name, (job: Job) => turn(job, attempt, stopping.signal, touchMs), alone);
    agenda.on(`start:${work.name}`, (job: Job) => void running.add(job));
    agenda.on(`complete:${work.name}`, (job: Job) => {
      running.delete(job);
      if (running.size === 0) idle?.();
    });
  }
  const planting = startPeriodic(plant(parts, works), log);
  return {
    stop: () => stopping.abort(),
    async ended() {
      await planting.stop();
      if (running.size === 0) return;
      await new Promise<void>((resolve) => {
        idle = resolve;
        setTimeout(resolve, STOP_MS).unref();
      });
    },
  };
}

/**
 * Creates the jobs that are not there, and has all of them be due when the clock was moved. `agenda.every` would do for
 * one process: it also frees the job of a run that is under way in another one, and so has that begun twice.
 */
function plant({ agenda, jobs, wake }: RecurringParts, works: readonly PeriodicWork[]): PeriodicWork {
  let offsetMs = clockOffsetMs();
  return {
    name: 'recurring_work',
    everyMs: PLANT_MS,
    async run() {
      for (const { name, everyMs } of works) {
        const job = agenda.create(name, {}).repeatEvery(everyMs).unique({}, { insertOnly: true });
        // False where another process was first.
        await unlessThere(() => job.save());
      }
      const movedMs = clockOffsetMs();
      if (movedMs === offsetMs) return false;
      const present = new Date(machineMs());
      // A run that is under way in this process sees to itself.
      const early = { name: { $in: works.map(({ name }) => name) }, nextRunAt: { $gt: present } };
      await jobs.updateMany(early, { $set: { nextRunAt: present } });
      offsetMs = movedMs;
      for (const { name } of works) wake(name);
      return false;
    },
  };
}

/** One run, after which the job knows when the next one is. */
async function turn(
  job: Job,
  attempt: (stopping: AbortSignal) => Promise<number>,
  stopping: AbortSignal,
  touchMs: number,
): Promise<void> {
  let isClockMoved = false;
  const unlisten = onClockChange(() => {
    isClockMoved = true;
  });
  const lost = new AbortController();
  let touch = Promise.resolve();
  const touching = setInterval(() => {
    touch = job.touch().catch(() => {
      // The lock was over before this; where the database is away, the next word may still come in time.
      if (job.getCanceledMessage()) lost.abort();
    });
  }, touchMs).unref();
  const waitMs = await attempt(AbortSignal.any([stopping, lost.signal]));
  clearInterval(touching);
  unlisten();
  // It would lock the job anew if it came after the end.
  await touch;
  job.attrs.nextRunAt = new Date(machineMs() + (isClockMoved ? 0 : waitMs));
}
