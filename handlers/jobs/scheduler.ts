/**
 * Scheduled jobs, by Agenda. They are kept in the database, so any worker process runs them when they are due, even if the
 * process that scheduled them has died.
 *
 * - One-time jobs name an id to check at a time of the service's clock, as it stands in the rows that tell the handler what to
 *   do. So they follow the control clock, an extra job changes nothing, and the watches (`handlers/worker.ts`) make up for a lost
 *   one within 10 s. Attempts, leases and outcomes are in those rows, never in a job: a job's lock does not exclude other
 *   processes for certain, and Agenda drops the end of a job that it cannot save.
 * - Recurring work, which runs once for all processes: `recurring.ts`.
 *
 * A worker looks for due jobs twice a second, with one command for each name. Of a job that it schedules itself, Agenda
 * notifies it at once.
 */
import { MongoJobRepository } from '@agendajs/mongo-backend';
import { Agenda, type AgendaBackend, InMemoryNotificationChannel, type Job, type JobId } from 'agenda';
import type { IndexDeclaration } from '../data/collection.ts';
import { indexQuorum } from '../data/engine.ts';
import { isPartOfOutage } from '../data/outages.ts';
import type { Store } from '../data/store.ts';
import { clockOffsetMs, databaseMs, machineMs, monotonicMs, now, onClockChange } from '../runtime/clock.ts';
import { describeError, type Logger } from '../runtime/log.ts';
import { type Holding, recur, type TimedWork } from './recurring.ts';

/** The one-time jobs: the id of `deliver` is an endpoint, that of `apply_ingest` a tenant. */
const ONE_TIME = ['deliver', 'apply_ingest'] as const;
type OneTimeJob = (typeof ONE_TIME)[number];

/** Handlers of one-time jobs. Each begins the work and does not wait for it. */
type OneTimeHandlers = Readonly<Record<OneTimeJob, (id: string) => void>>;

/** The work that a worker does when jobs are due. */
interface ScheduledWork {
  readonly oneTime: OneTimeHandlers;
  readonly recurring: readonly TimedWork[];
  /** How runs of recurring work hold their jobs; set by tests only. */
  readonly holding?: Holding;
  /** How often it looks for jobs, in milliseconds; set by tests only. */
  readonly lookEveryMs?: number;
}

/** How often a worker looks for jobs, in milliseconds. Jobs that fall due in between still run at their exact time. */
const LOOK_EVERY_MS = 500;
/** After this long another process takes over a one-time job whose process died, in milliseconds; a handler takes no time. */
const LOCK_MS = 5_000;
/** How many one-time jobs run at the same time in one process. */
const AT_ONCE = 50;
/** How often a failure of Agenda is logged, in milliseconds. */
const LOG_EVERY_MS = 60_000;

/** Where the jobs are stored. */
export const JOBS_COLLECTION = 'alarms';

/** The open Agenda of this process. */
export interface Scheduler {
  /** Schedules a one-time job. One that is due runs at once if this process is a worker. */
  schedule(name: OneTimeJob, id: string, at: Date): Promise<void>;
  /** Starts no more jobs, and waits up to 3 s for recurring work under way. */
  stop(): Promise<void>;
}

let current: Scheduler | undefined;

/**
 * Schedules a one-time job, from anywhere in a process that has opened the scheduler; in other processes it does
 * nothing. It never fails: the watches of the workers find due work that has no job.
 * @param at by the service's clock; at once if it is left out
 */
export async function scheduleJob(name: OneTimeJob, id: string, at?: Date): Promise<void> {
  await current?.schedule(name, id, at ?? now()).catch(() => {});
}

/** The indexes of the jobs, as those of `data/collections/`. */
export const schedulerIndexes: readonly IndexDeclaration[] = [
  {
    key: { name: 1, nextRunAt: 1, priority: -1, lockedAt: 1, disabled: 1 },
    options: { name: 'findAndLockNextJobIndex' },
    serves: 'Agenda finds the next job, and locks it.',
  },
  {
    key: { name: 1 },
    options: { name: 'recurring', unique: true, partialFilterExpression: { repeatInterval: { $gt: 0 } } },
    serves: 'There is one job for each recurring work.',
  },
];

/** Creates the {@link schedulerIndexes}; a second call changes nothing. */
export async function createSchedulerIndexes(store: Store): Promise<void> {
  const indexes = schedulerIndexes.map(({ key, options }) => ({ ...options, key }));
  await store.db.collection(JOBS_COLLECTION).createIndexes(indexes, await indexQuorum(store.client));
}

/**
 * Opens Agenda in this process.
 * @param work what this process does when jobs are due; without it, the process only schedules jobs
 */
export async function openScheduler(store: Store, log: Logger, work?: ScheduledWork): Promise<Scheduler> {
  const repository = new JobRepository({ mongo: store.db, db: { collection: JOBS_COLLECTION }, ensureIndex: false });
  const backend: AgendaBackend = {
    name: 'MongoDB',
    repository,
    ownsConnection: false,
    connect: () => repository.connect(),
    disconnect: async () => {},
  };
  const channel = work === undefined ? undefined : new InMemoryNotificationChannel();
  const agenda = new Agenda({
    backend,
    notificationChannel: channel,
    processEvery: work?.lookEveryMs ?? LOOK_EVERY_MS,
    maxConcurrency: AT_ONCE,
    defaultConcurrency: AT_ONCE,
    defaultLockLimit: AT_ONCE,
    defaultLockLifetime: LOCK_MS,
  });
  logErrors(agenda, log);
  await agenda.ready;
  for (const [name, handle] of Object.entries(work?.oneTime ?? {})) {
    agenda.define(name, async (job: Job<{ id: string }>) => handle(job.attrs.data.id));
  }
  const wake = (jobName: string) =>
    void channel
      ?.publish({ jobId: '' as JobId, jobName, nextRunAt: null, priority: 0, timestamp: now() })
      .catch(() => {});
  const jobs = store.db.collection(JOBS_COLLECTION);
  const recurring = work && recur({ agenda, jobs, wake, log }, work.recurring, work.holding);
  if (work !== undefined) await agenda.start();
  const unlisten = onClockChange(() => {
    for (const name of ONE_TIME) wake(name);
  });

  const scheduler: Scheduler = {
    async schedule(name, id, at) {
      // A job that is running has no `nextRunAt`, so one that is scheduled meanwhile is a separate job.
      const job = agenda.create(name, { id }).unique({ 'data.id': id, nextRunAt: at }, { insertOnly: true });
      await job.schedule(at).save();
    },
    async stop() {
      if (current === scheduler) current = undefined;
      unlisten();
      recurring?.stop();
      await agenda.stop(false).catch(() => {});
      await recurring?.ended();
    },
  };
  current = scheduler;
  return scheduler;
}

function logErrors(agenda: Agenda, log: Logger): void {
  let loggedMs = Number.NEGATIVE_INFINITY;
  agenda.on('error', (error: Error) => {
    if (isPartOfOutage(error) || monotonicMs() - loggedMs < LOG_EVERY_MS) return;
    loggedMs = monotonicMs();
    log.warn({ event: 'scheduler_failed', error: describeError(error) });
  });
}

/** Both clocks are read in whole milliseconds, so a converted time may be early by as much; a job must not begin early. */
const ROUNDING_MS = 2;

const later = (at: Date, ms: number): Date => new Date(at.getTime() + ms);

/** The job with all its times so much later. */
function withTimesLater<Job extends object>(job: Job, ms: number): Job {
  const times = Object.entries(job).filter(([, value]) => value instanceof Date);
  return { ...job, ...Object.fromEntries(times.map(([name, at]) => [name, later(at, ms)])) };
}

/** How far the database's clock is ahead of this machine's, in milliseconds. */
const databaseAheadMs = (): number => databaseMs() - machineMs();

/**
 * Agenda's repository, without three of its faults. `scheduler.test.ts` shows each in plain Agenda, so that it tells when one
 * is corrected there. Agenda goes by the clock of its machine, but what it stores is compared by all processes: in the rows
 * times are the database's, in the process the machine's, and a one-time job is due by the service's clock.
 */
export class JobRepository extends MongoJobRepository {
  override async getNextJobToRun(
    ...[name, scanAt, lockDeadline, , options]: Parameters<MongoJobRepository['getNextJobToRun']>
  ): ReturnType<MongoJobRepository['getNextJobToRun']> {
    const aheadMs = databaseAheadMs();
    const shiftMs = ONE_TIME.some((each) => each === name) ? clockOffsetMs() : 0;
    const [dueAt, freeAt] = [later(scanAt, aheadMs + shiftMs), later(lockDeadline, aheadMs)];
    const found = await super.getNextJobToRun(name, dueAt, freeAt, new Date(databaseMs()), options);
    const job = found && withTimesLater(found, ROUNDING_MS - aheadMs);
    return job && { ...job, nextRunAt: job.nextRunAt && later(job.nextRunAt, -shiftMs) };
  }

  /**
   * Removes a one-time job instead of saving its end. Agenda removes it later, and a crash in between would leave it for
   * ever.
   */
  override async saveJobState(...[job, options]: Parameters<MongoJobRepository['saveJobState']>): Promise<void> {
    const isOver = !job.lockedAt && job.nextRunAt === null;
    if (isOver) await this.removeJobs({ id: job._id as JobId });
    else await super.saveJobState(withTimesLater(job, databaseAheadMs()), options);
  }

  /** Ignores a failure, which would otherwise be an unhandled rejection. */
  override async unlockJob(job: Parameters<MongoJobRepository['unlockJob']>[0]): Promise<void> {
    await super.unlockJob(job).catch(() => {});
  }
}
