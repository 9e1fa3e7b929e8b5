/**
 * What a worker process does beside requests. Several workers can do all of this at once: doing work twice changes nothing,
 * and another worker finds what one leaves undone. So no leader election and no failover are needed.
 *
 * - **One-time jobs of Agenda**, which any process schedules: a batch was accepted, an endpoint's next attempt is due. The
 *   work that they begin is held by a lease in the rows that it is about, so a lock of a job need not last as long as it.
 * - **Recurring jobs of Agenda**, one run at a time in the whole deployment.
 * - **Repeated in every worker**: the relay, which a change in this process wakes within 20 ms without a write for a job (as
 *   a job it would wait for the lock of a killed worker, and cost three writes a second); and the watches, by which a worker
 *   with free places takes up what is due and nobody holds. A first attempt at a delivery needs no job: the relay's process
 *   begins it.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { onOutboxFilled } from './data/outbox.ts';
import type { Store } from './data/store.ts';
import { advanceStatuses } from './employees/write/advance-statuses.ts';
import { followPersons } from './employees/write/persons.ts';
import { batchesInTurn } from './fairness/work-in-turn.ts';
import { sweepFiles } from './files/sweep-files.ts';
import { applyIngest, overdueIngest } from './ingest/apply/apply-ingest.ts';
import { sweepIngest } from './ingest/sweep-ingest.ts';
import { oneAtATime, type WorkById } from './jobs/one-at-a-time.ts';
import { type PeriodicWork, startPeriodic } from './jobs/periodic.ts';
import { openScheduler } from './jobs/scheduler.ts';
import { now } from './runtime/clock.ts';
import type { Logger } from './runtime/log.ts';
import type { Storage } from './storage/storage.ts';
import type { Sender } from './webhooks/attempt.ts';
import { Deliveries, overdueEndpoints } from './webhooks/deliver.ts';
import { relayEvents } from './webhooks/relay-events.ts';
import { pruneDeliveries } from './webhooks/schedule.ts';

/** How often every worker repeats its work, in milliseconds, unless something wakes it sooner. */
const RELAY_MS = 1_000;
/** How long events are gathered before the relay is woken: many changes at once are one round. */
const GATHER_MS = 20;
const WATCH_MS = 2_000;
/** How long a start waits for the first runs at most, in milliseconds. */
const FIRST_RUNS_MS = 500;
/** How often each recurring job runs in the deployment, in milliseconds. */
const SWEEP_MS = 60_000;
const PRUNE_MS = 10 * 60_000;
/** Tenants are in any time zone, so a day may begin at any minute. */
const ADVANCE_MS = 60_000;

/** The recurring jobs. */
export const recurringNames = ['sweep_files', 'sweep_ingest', 'prune_deliveries', 'advance_statuses'] as const;

/** What the jobs work with. */
export interface JobParts {
  readonly store: Store;
  readonly storage: Storage;
  readonly send: Sender;
  readonly log: Logger;
}

/** Jobs that have begun. */
export interface Jobs {
  /** Resolves after everything that a worker repeats has run once, at the latest after {@link FIRST_RUNS_MS}. */
  readonly haveRun?: Promise<unknown>;
  /** Starts no more work, and lets running work end, for up to 9 s. */
  stop(): Promise<void>;
}

/** Starts all jobs. */
export async function startJobs({ store, storage, send, log }: JobParts): Promise<Jobs> {
  const deliveries = new Deliveries({ store, send, log, random: Math.random }, (id, at) =>
    scheduler.schedule('deliver', id, at),
  );
  const apply: WorkById['run'] = (tenantId, stopping, rest) => applyIngest(store, tenantId, stopping, rest);
  const ingest = oneAtATime({ name: 'apply_ingest', inTurn: batchesInTurn, run: apply }, log);
  const scheduler = await openScheduler(store, log, {
    oneTime: { deliver: deliveries.work, apply_ingest: ingest.begin },
    recurring: [
      { name: 'sweep_files', everyMs: SWEEP_MS, run: (stopping) => sweepFiles(store, storage, stopping) },
      { name: 'sweep_ingest', everyMs: SWEEP_MS, run: (stopping) => sweepIngest(store, stopping) },
      { name: 'prune_deliveries', everyMs: PRUNE_MS, run: () => pruneDeliveries(store) },
      { name: 'advance_statuses', everyMs: ADVANCE_MS, run: (stopping) => advanceStatuses(store, stopping) },
    ],
  });
  const repeat = (name: string, everyMs: number, run: PeriodicWork['run']) =>
    startPeriodic({ name, everyMs, run }, log);
  // The events of a change of a person are those of its employments.
  const followed = (atMost: number) => followPersons(store, now(), atMost);
  const relay = repeat('relay_events', RELAY_MS, (stopping) =>
    relayEvents(store, { queued: deliveries.work, followed }, stopping),
  );
  let isGathering = false;
  const unlisten = onOutboxFilled(() => {
    if (isGathering) return;
    isGathering = true;
    setTimeout(() => {
      isGathering = false;
      relay.wake();
    }, GATHER_MS).unref();
  });
  const repeated = [
    relay,
    repeat('watch_deliveries', WATCH_MS, async () => {
      const overdue = await overdueEndpoints(store, deliveries.working());
      for (const [endpointId, tenantId] of overdue) deliveries.work(endpointId, tenantId);
      return false;
    }),
    repeat('watch_ingest', WATCH_MS, async () => {
      for (const tenantId of await overdueIngest(store)) ingest.begin(tenantId);
      return false;
    }),
  ];
  const firstRuns = Promise.all(repeated.map(({ hasRun }) => hasRun));
  return {
    haveRun: Promise.race([firstRuns, pause(FIRST_RUNS_MS, undefined, { ref: false })]),
    async stop() {
      unlisten();
      await Promise.all([...repeated.map((work) => work.stop()), scheduler.stop(), deliveries.stop(), ingest.stop()]);
    },
  };
}
