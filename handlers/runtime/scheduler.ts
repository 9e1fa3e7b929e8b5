/**
 * Alarms: that something has to be looked at, by its id, at a time. They are jobs of Agenda, kept in the database, so
 * that any worker process wakes for them, whoever set them. An alarm says nothing about what is to be done: whoever
 * wakes looks at the rows, so an alarm too many changes nothing, and one that got lost with its process is made up for
 * by the watch of every worker (`handlers/jobs/jobs.ts`).
 */
import { MongoJobRepository } from '@agendajs/mongo-backend';
import { Agenda, type AgendaBackend, type Job } from 'agenda';
import { clockOffsetMs, monotonicMs, nowMs } from './clock.ts';
import { describeError, type Logger } from './log.ts';
import { indexQuorum, type Store } from './store.ts';

/** What alarms are about: `deliver` an endpoint, `apply-ingest` a tenant. */
export type AlarmName = 'deliver' | 'apply-ingest';

/** What is done at an alarm: it begins the work, and does not wait for it. */
export type AlarmHandlers = Readonly<Record<AlarmName, (id: string) => void>>;

/** How often a worker looks for alarms, in milliseconds; those in between are set precisely. */
const LOOK_EVERY_MS = 500;
/** After so long an alarm whose process died is another's, in milliseconds; ringing takes no time. */
const LOCK_MS = 5_000;
/** How many alarms ring at a time in one process. */
const AT_ONCE = 50;
/** An outage is a line in the log every so often, in milliseconds. */
const LOG_EVERY_MS = 60_000;

const COLLECTION = 'alarms';

/** Alarms that are open. */
export interface Alarms {
  /** Sets an alarm; one that is due rings at once if this process is a worker. */
  set(name: AlarmName, id: string, at: Date): Promise<void>;
  stop(): Promise<void>;
}

let current: Alarms | undefined;

/**
 * Sets an alarm from anywhere in a process that has opened alarms; elsewhere nothing happens. It never fails: the watch
 * finds what has none.
 * @param at by the service's clock; at once if it is left out
 */
export async function ring(name: AlarmName, id: string, at?: Date): Promise<void> {
  await current?.set(name, id, at ?? new Date(nowMs())).catch(() => {});
}

/** What Agenda leaves to chance: an unlock that fails would be a rejection that nobody handles. */
class AlarmRepository extends MongoJobRepository {
  override async unlockJob(job: Parameters<MongoJobRepository['unlockJob']>[0]): Promise<void> {
    await super.unlockJob(job).catch(() => {});
  }
}

/** Creates the index by which alarms are found; a repeat changes nothing. */
export async function createAlarmIndex(store: Store): Promise<void> {
  const key = { name: 1, nextRunAt: 1, priority: -1, lockedAt: 1, disabled: 1 } as const;
  const options = { name: 'findAndLockNextJobIndex', ...(await indexQuorum(store.client)) };
  await store.db.collection(COLLECTION).createIndex(key, options);
}

/**
 * Opens the alarms of this process.
 * @param handlers what this process does at alarms; without them it only sets them
 */
export async function openAlarms(store: Store, log: Logger, handlers?: AlarmHandlers): Promise<Alarms> {
  const repository = new AlarmRepository({ mongo: store.db, db: { collection: COLLECTION }, ensureIndex: false });
  const backend: AgendaBackend = {
    name: 'MongoDB',
    repository,
    ownsConnection: false,
    connect: () => repository.connect(),
    disconnect: async () => {},
  };
  const agenda = new Agenda({
    backend,
    processEvery: LOOK_EVERY_MS,
    maxConcurrency: AT_ONCE,
    defaultConcurrency: AT_ONCE,
    defaultLockLimit: AT_ONCE,
    defaultLockLifetime: LOCK_MS,
    removeOnComplete: true,
  });
  let loggedMs = Number.NEGATIVE_INFINITY;
  agenda.on('error', (error: Error) => {
    if (monotonicMs() - loggedMs < LOG_EVERY_MS) return;
    loggedMs = monotonicMs();
    log.warn({ event: 'alarms_unavailable', error: describeError(error) });
  });
  for (const [name, handle] of Object.entries(handlers ?? {})) {
    agenda.define(name, async (job: Job<{ id: string }>) => handle(job.attrs.data.id));
  }
  await agenda.ready;
  if (handlers !== undefined) await agenda.start();

  const alarms: Alarms = {
    async set(name, id, at) {
      if (handlers !== undefined && at.getTime() <= nowMs()) return handlers[name](id);
      // Agenda knows the machine's clock only.
      const nextRunAt = new Date(at.getTime() - clockOffsetMs());
      // An alarm that is ringing has no time any more, so that one set meanwhile is another one.
      const job = agenda.create(name, { id }).unique({ 'data.id': id, nextRunAt }, { insertOnly: true });
      await job.schedule(nextRunAt).save();
    },
    async stop() {
      if (current === alarms) current = undefined;
      await agenda.stop(false).catch(() => {});
    },
  };
  current = alarms;
  return alarms;
}
