/**
 * What a worker process does beside requests. Several workers can do all of this at once: doing work twice changes nothing,
 * and another worker finds what one leaves undone. So no leader election and no failover are needed.
 *
 * - **One-time jobs of Agenda**, which any process schedules: a batch was accepted, an endpoint's next attempt is due, a process
 *   stops before its work is done. The work that they begin is held by a lease in the rows that it is about, so a lock of a job
 *   need not last as long as it.
 * - **Recurring jobs of Agenda**, one run at a time in the whole deployment (`recurring-work.ts`).
 * - **Repeated in every worker**: the relay, which a change in this process wakes within 20 ms without a write for a job (as
 *   a job it would wait for the lock of a killed worker, and cost three writes a second); and the watches, which repair: they take
 *   up what is due, but has no job, and nobody holds. A first attempt at a delivery needs no job: the relay's process begins it.
 */
import { onRecovery } from './data/outages.ts';
import { onOutboxFilled } from './data/outbox.ts';
import type { Store } from './data/store.ts';
import { followPersons } from './employees/write/persons.ts';
import { batchesInTurn } from './fairness/work-in-turn.ts';
import { applyIngest, overdueIngest } from './ingest/apply/apply-ingest.ts';
import type { TimedWork } from './jobs/recurring.ts';
import { type RepeatedWork, repeatWork, type Work } from './jobs/repeated-work.ts';
import { openScheduler } from './jobs/scheduler.ts';
import { now } from './runtime/clock.ts';
import type { AttemptMeans } from './webhooks/attempt.ts';
import { Deliveries, overdueEndpoints } from './webhooks/deliver.ts';
import { relayEvents } from './webhooks/relay-events.ts';

/** How often every worker repeats its work, in milliseconds, unless something wakes it sooner. */
const RELAY_MS = 1_000;
/** How long events are gathered before the relay is woken: many changes at once are one round. */
const GATHER_MS = 20;
/** How often a worker looks for due work without a job, in milliseconds; it looks after an outage of the database, too. */
const WATCH_MS = 10_000;
/** How long a stop waits for a chunk of a batch, in milliseconds. */
const APPLY_STOP_MS = 8_000;
/** What the jobs work with. */
export interface JobParts extends AttemptMeans {
  /** The most simultaneous attempts at an endpoint. */
  readonly perEndpoint: number;
  readonly recurring: readonly TimedWork[];
  /** What else a worker repeats, from its first interval on. */
  readonly others?: readonly TimedWork[];
  /** How work is repeated; set by tests only. */
  readonly repeat?: typeof repeatWork;
}

/** Jobs that have begun. */
export interface Jobs {
  /** Resolves when everything that a worker repeats has run once. */
  readonly haveRun?: Promise<unknown>;
  /** Starts no more work, and lets running work end, for up to 9 s. */
  stop(): Promise<void>;
}

/** What finds work that is due, but has no job, and that nobody holds. */
function watchesOf(store: Store, deliveries: Deliveries, ingest: RepeatedWork): TimedWork[] {
  const watchDeliveries = async () => {
    const overdue = await overdueEndpoints(store, deliveries.working());
    for (const [endpointId, tenantId] of overdue) deliveries.work(endpointId, tenantId);
    return false;
  };
  const watchIngest = async () => {
    for (const tenantId of await overdueIngest(store)) void ingest.begin(tenantId);
    return false;
  };
  return [
    { name: 'watch_deliveries', everyMs: WATCH_MS, run: watchDeliveries },
    { name: 'watch_ingest', everyMs: WATCH_MS, run: watchIngest },
  ];
}

/** Starts all jobs. */
export async function startJobs({
  store,
  send,
  perEndpoint,
  log,
  recurring,
  others = [],
  repeat = repeatWork,
}: JobParts): Promise<Jobs> {
  const deliveries = new Deliveries({ store, send, log }, perEndpoint, (id, at) =>
    scheduler.schedule('deliver', id, at),
  );
  const apply: Work['run'] = async (stopping, tenantId) => {
    await batchesInTurn(tenantId, (rest) => applyIngest(store, tenantId, stopping, rest));
    // Another worker continues.
    if (stopping.aborted) await scheduler.schedule('apply_ingest', tenantId, now());
    return false;
  };
  const ingest = repeatWork({ name: 'apply_ingest', stopMs: APPLY_STOP_MS, run: apply }, log);
  const scheduler = await openScheduler(store, log, {
    oneTime: { deliver: deliveries.work, apply_ingest: (tenantId) => void ingest.begin(tenantId) },
    recurring,
  });
  // The events of a change of a person are those of its employments.
  const followed = (atMost: number) => followPersons(store, now(), atMost);
  const run: Work['run'] = (stopping) => relayEvents(store, { queued: deliveries.work, followed }, stopping);
  const relay = repeat({ name: 'relay_events', everyMs: RELAY_MS, run }, log);
  let isGathering = false;
  const unlisten = onOutboxFilled(() => {
    if (isGathering) return;
    isGathering = true;
    setTimeout(() => {
      isGathering = false;
      void relay.begin();
    }, GATHER_MS).unref();
  });
  const watches = watchesOf(store, deliveries, ingest).map((work) => repeat(work, log));
  const unwatch = onRecovery(() => {
    for (const watch of watches) void watch.begin();
  });
  const repeated = [relay, ...watches];
  const later = others.map((each) => {
    const work = repeat(each, log);
    setTimeout(work.begin, each.everyMs).unref();
    return work;
  });
  return {
    haveRun: Promise.all(repeated.map((work) => work.begin())),
    async stop() {
      unlisten();
      unwatch();
      await Promise.all([
        ...[...repeated, ...later].map((work) => work.stop()),
        scheduler.stop(),
        deliveries.stop(),
        ingest.stop(),
      ]);
    },
  };
}
