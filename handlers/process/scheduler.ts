/**
 * Agenda, which schedules what is done at a time: its jobs are kept in the database, so that any worker process wakes for
 * them, whoever set them and whatever has died since. There are two kinds.
 *
 * - Alarms: that something has to be looked at, by its id, at a time. An alarm says nothing about what is to be done:
 *   whoever wakes looks at the rows, so an alarm too many changes nothing, and one that got lost is made up for by the
 *   watch of every worker (`handlers/worker.ts`). Attempts, leases and outcomes are in those rows, never in a job: a
 *   job's lock is no fence, and what Agenda cannot save of its end it drops.
 * - Recurring work, which runs once for all processes: `recurring.ts`.
 *
 * A worker looks for due jobs twice a second, with one command for each name. It does not wait for that look where it
 * sets a job itself: Agenda tells its own process at once.
 */
import { MongoJobRepository } from '@agendajs/mongo-backend';
import { Agenda, type AgendaBackend, InMemoryNotificationChannel, type Job, type JobId } from 'agenda';
import { indexQuorum, type Store } from '../data/store.ts';
import { clockOffsetMs, monotonicMs, now, nowMs } from './clock.ts';
import { describeError, type Logger } from './log.ts';
import type { PeriodicWork } from './periodic.ts';
import { type Holding, recur } from './recurring.ts';

/** What alarms are about: `deliver` an endpoint, `apply_ingest` a tenant. */
export type AlarmName = 'deliver' | 'apply_ingest';

/** What is done at an alarm: it begins the work, and does not wait for it. */
export type AlarmHandlers = Readonly<Record<AlarmName, (id: string) => void>>;

/** What a worker does at the times of jobs. */
export interface ScheduledWork {
  readonly alarms: AlarmHandlers;
  readonly recurring: readonly PeriodicWork[];
  /** How runs of recurring work hold their jobs; for tests. */
  readonly holding?: Holding;
}

/** How often a worker looks for jobs, in milliseconds; those in between are set precisely. */
const LOOK_EVERY_MS = 500;
/** After so long an alarm whose process died is another's, in milliseconds; ringing takes no time. */
const LOCK_MS = 5_000;
/** How many alarms ring at a time in one process. */
const AT_ONCE = 50;
/** An outage is a line in the log every so often, in milliseconds. */
const LOG_EVERY_MS = 60_000;

const COLLECTION = 'alarms';

/** Agenda as this process has it open. */
export interface Scheduler {
  /** Sets an alarm; one that is due rings at once if this process is a worker. */
  set(name: AlarmName, id: string, at: Date): Promise<void>;
  /** Begins no job any more, and waits up to 3 s for recurring work that is under way. */
  stop(): Promise<void>;
}

let current: Scheduler | undefined;

/**
 * Sets an alarm from anywhere in a process that has opened the scheduler; elsewhere nothing happens. It never fails: the
 * watch finds what has none.
 * @param at by the service's clock; at once if it is left out
 */
export async function ring(name: AlarmName, id: string, at?: Date): Promise<void> {
  await current?.set(name, id, at ?? new Date(nowMs())).catch(() => {});
}

/** What Agenda leaves to chance. */
class JobRepository extends MongoJobRepository {
  /** One that fails would be a rejection that nobody handles. */
  override async unlockJob(job: Parameters<MongoJobRepository['unlockJob']>[0]): Promise<void> {
    await super.unlockJob(job).catch(() => {});
  }

  /** The write that ends an alarm removes it. Agenda removes it afterwards, and a crash in between would leave it for ever. */
  override async saveJobState(...[job, options]: Parameters<MongoJobRepository['saveJobState']>): Promise<void> {
    const isOver = !job.lockedAt && job.nextRunAt === null;
    if (isOver) await this.removeJobs({ id: job._id as JobId });
    else await super.saveJobState(job, options);
  }
}

/** Creates the indexes by which jobs are found, and by which recurring work has one job; a repeat changes nothing. */
export async function createSchedulerIndexes(store: Store): Promise<void> {
  const found = { name: 1, nextRunAt: 1, priority: -1, lockedAt: 1, disabled: 1 } as const;
  const isRecurring = { repeatInterval: { $gt: 0 } };
  await store.db.collection(COLLECTION).createIndexes(
    [
      { key: found, name: 'findAndLockNextJobIndex' },
      { key: { name: 1 }, name: 'recurring', unique: true, partialFilterExpression: isRecurring },
    ],
    await indexQuorum(store.client),
  );
}

/**
 * Opens Agenda in this process.
 * @param work what this process does at the times of jobs; without it, it only sets alarms
 */
export async function openScheduler(store: Store, log: Logger, work?: ScheduledWork): Promise<Scheduler> {
  const repository = new JobRepository({ mongo: store.db, db: { collection: COLLECTION }, ensureIndex: false });
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
    ...(channel && { notificationChannel: channel }),
    processEvery: LOOK_EVERY_MS,
    maxConcurrency: AT_ONCE,
    defaultConcurrency: AT_ONCE,
    defaultLockLimit: AT_ONCE,
    defaultLockLifetime: LOCK_MS,
  });
  sayErrors(agenda, log);
  await agenda.ready;
  for (const [name, handle] of Object.entries(work?.alarms ?? {})) {
    agenda.define(name, async (job: Job<{ id: string }>) => handle(job.attrs.data.id));
  }
  const wake = (jobName: string) =>
    void channel
      ?.publish({ jobId: '' as JobId, jobName, nextRunAt: null, priority: 0, timestamp: now() })
      .catch(() => {});
  const jobs = store.db.collection(COLLECTION);
  const recurring = work && recur({ agenda, jobs, wake, log }, work.recurring, work.holding);
  if (work !== undefined) await agenda.start();

  const scheduler: Scheduler = {
    async set(name, id, at) {
      // Agenda knows the machine's clock only.
      const nextRunAt = new Date(at.getTime() - clockOffsetMs());
      // An alarm that is ringing has no time any more, so that one set meanwhile is another one.
      const job = agenda.create(name, { id }).unique({ 'data.id': id, nextRunAt }, { insertOnly: true });
      await job.schedule(nextRunAt).save();
    },
    async stop() {
      if (current === scheduler) current = undefined;
      recurring?.stop();
      await agenda.stop(false).catch(() => {});
      await recurring?.ended();
    },
  };
  current = scheduler;
  return scheduler;
}

function sayErrors(agenda: Agenda, log: Logger): void {
  let loggedMs = Number.NEGATIVE_INFINITY;
  agenda.on('error', (error: Error) => {
    if (monotonicMs() - loggedMs < LOG_EVERY_MS) return;
    loggedMs = monotonicMs();
    log.warn({ event: 'alarms_unavailable', error: describeError(error) });
  });
}
