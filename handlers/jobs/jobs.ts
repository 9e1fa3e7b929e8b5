/**
 * What a worker process does beside requests. All of it is done by every worker, at any time: doing a thing twice
 * changes nothing, and what one leaves undone another finds. So there is nobody to elect and nothing to fail over.
 */
import type { Logger } from '../runtime/log.ts';
import { onOutboxFilled } from '../runtime/outbox.ts';
import { type Periodic, startPeriodic } from '../runtime/periodic.ts';
import { openAlarms } from '../runtime/scheduler.ts';
import type { Storage } from '../runtime/storage/storage.ts';
import type { Store } from '../runtime/store.ts';
import { readStoreClock } from '../runtime/store-clock.ts';
import { advanceStatuses } from './advance-statuses.ts';
import { applyIngest, overdueIngest } from './apply-ingest.ts';
import type { Sender } from './attempt.ts';
import { overdueEndpoints, startDeliveries } from './deliver.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { pruneDeliveries } from './prune-deliveries.ts';
import { relayEvents } from './relay-events.ts';
import { sweepFiles } from './sweep-files.ts';
import { sweepIngest } from './sweep-ingest.ts';

/** How often each is done, in milliseconds, where nothing wakes it sooner. */
const RELAY_MS = 1_000;
/** How long events are gathered before the relay is woken: many changes at once are one round. */
const GATHER_MS = 20;
const WATCH_MS = 2_000;
const SWEEP_MS = 60_000;
const PRUNE_MS = 10 * 60_000;

/** How many tenants' batches one process applies at a time; more of them take turns, portion by portion. */
const TENANTS_AT_ONCE = 4;

/** What the jobs work with. */
export interface JobParts {
  readonly store: Store;
  readonly storage: Storage;
  readonly send: Sender;
  readonly log: Logger;
}

/** Jobs that have begun. */
export interface Jobs {
  /** Begins nothing more, and lets what is under way end, for up to 9 s. */
  stop(): Promise<void>;
}

/** What a process without jobs does of them: it sets alarms for those that have them. */
export function openAlarmsOnly({ store, log }: Pick<JobParts, 'store' | 'log'>): Promise<Jobs> {
  return openAlarms(store, log);
}

/** Begins all of them. */
export async function startJobs({ store, storage, send, log }: JobParts): Promise<Jobs> {
  // Before anything is taken for due; where it fails, the watch asks again.
  await readStoreClock(store).catch(() => {});
  const deliveries = startDeliveries({ store, send, log, random: Math.random }, (id, at) =>
    alarms.set('deliver', id, at),
  );
  const apply = applyIngest.bind(undefined, store);
  const ingest = oneAtATime({ name: 'apply_ingest', atOnce: TENANTS_AT_ONCE, run: apply }, log);
  const alarms = await openAlarms(store, log, { deliver: deliveries.work, 'apply-ingest': ingest.begin });
  const repeat = (name: string, everyMs: number, run: (stopping: AbortSignal) => Promise<boolean>): Periodic =>
    startPeriodic({ name, everyMs, run }, log);

  const relay = repeat('relay_events', RELAY_MS, (stopping) =>
    relayEvents(store, { queued: deliveries.work }, stopping),
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
      await readStoreClock(store);
      const overdue = await overdueEndpoints(store, deliveries.working());
      for (const [endpointId, tenantId] of overdue) deliveries.work(endpointId, tenantId);
      return false;
    }),
    repeat('watch_ingest', WATCH_MS, async () => {
      for (const tenantId of await overdueIngest(store)) ingest.begin(tenantId);
      return false;
    }),
    repeat('sweep_files', SWEEP_MS, (stopping) => sweepFiles(store, storage, stopping)),
    repeat('sweep_ingest', SWEEP_MS, (stopping) => sweepIngest(store, stopping)),
    startPeriodic(advanceStatuses(store), log),
    repeat('prune_deliveries', PRUNE_MS, () => pruneDeliveries(store)),
  ];
  return {
    async stop() {
      unlisten();
      await Promise.all([...repeated.map((work) => work.stop()), alarms.stop(), deliveries.stop(), ingest.stop()]);
    },
  };
}
