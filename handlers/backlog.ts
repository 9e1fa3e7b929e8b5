/**
 * What waits in the store, for the metrics. Every process tells it, so it is known even while no worker is alive. Each read is
 * bounded and stands at an index, and they are made at most once in a while, however often somebody scrapes.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Gauge } from 'prom-client';
import { HAS_EVENTS } from './data/collection.ts';
import type { DeliveryRow } from './data/collections/deliveries.ts';
import { seemsHeld } from './data/lease.ts';
import type { PendingEvent } from './data/outbox.ts';
import type { Store } from './data/store.ts';
import { JOBS_COLLECTION } from './jobs/scheduler.ts';
import { recurringNames } from './recurring-work.ts';
import { monotonicMs, now, nowMs } from './runtime/clock.ts';
import { gauge, onScrape } from './runtime/metrics.ts';

const outboxRows = gauge(
  'outbox_rows',
  'Changed rows with events that are not relayed yet, one or two each (of persons: whose events are not written yet). Of the whole store, counted up to 10000.',
  'db_collection_name',
);

const outboxOldestAge = gauge(
  'outbox_oldest_age_seconds',
  'Age of the oldest event that is not relayed yet; 0 if there is none. Of the whole store.',
  'db_collection_name',
);

const deliveriesPending = gauge(
  'webhook_deliveries_pending',
  'Deliveries that are neither delivered nor given up. Of the whole store, counted up to 10000.',
);

const deliveriesDue = gauge(
  'webhook_deliveries_due',
  'Pending deliveries whose next attempt is due, with those that are being attempted. Of the whole store, counted up to 10000.',
);

const deliveriesOldestDue = gauge(
  'webhook_deliveries_oldest_due_seconds',
  'For how long the attempt has been due that has been due longest, of endpoints at which none is under way; 0 if none is. Of the whole store.',
);

const endpointOldestDue = gauge(
  'webhook_endpoint_oldest_due_seconds',
  'For how long deliveries have been due to a receiver that is slow: of the five endpoints, with attempts under way, whose have been due longest among the first 1000. Of the whole store.',
  'tenant_id',
  'endpoint_id',
);

const endpointsDisabled = gauge(
  'webhook_endpoints_disabled',
  'Endpoints that are disabled, by reason. Of the whole store, counted up to 10000.',
  'disabled_reason',
);

const batchesWaiting = gauge(
  'ingest_batches_waiting',
  'Batches that are accepted and not applied to their end. Of the whole store, counted up to 10000.',
);

const recordsWaiting = gauge(
  'ingest_records_waiting',
  'Records of the batches that wait which are not applied yet. Of the whole store, of up to 1000 batches.',
);

const oldestBatchAge = gauge(
  'ingest_oldest_batch_age_seconds',
  'Age of the oldest batch that is not applied to its end; 0 if there is none. Of the whole store, of up to 1000 batches.',
);

const recurringLastRun = gauge(
  'recurring_work_last_run_timestamp_seconds',
  'When a run of the recurring work last ended in any process, by the clock of the database. Of the whole store.',
  'work',
);

/** All that is read. */
const gauges: readonly Gauge<string>[] = [
  outboxRows,
  outboxOldestAge,
  deliveriesPending,
  deliveriesDue,
  deliveriesOldestDue,
  endpointOldestDue,
  endpointsDisabled,
  batchesWaiting,
  recordsWaiting,
  oldestBatchAge,
  recurringLastRun,
];

const databaseUp = gauge(
  'database_up',
  '1 if the gauges of the whole store could be read for this scrape; otherwise 0, and they are absent.',
);

/** How long what was read counts, in milliseconds. */
const FRESH_MS = 10_000;
/** How long a scrape waits for the database, in milliseconds. */
const PATIENCE_MS = 700;
/** How long the database may work on one read, in milliseconds. */
const MOST_WORK_MS = 500;
/** The most that is counted, and the most batches that are read; the help of the metrics says so too. */
const MOST_COUNTED = 10_000;
const MOST_BATCHES = 1_000;
const MOST_DUE = 1_000;
const MOST_ENDPOINTS = 5;

/** Removes the values of the gauges; those without labels would otherwise count as 0. */
function clear(): void {
  for (const each of gauges) {
    each.reset();
    each.remove({});
  }
}

type Setting = () => void;

/** An option of every read. */
interface MostWork {
  readonly maxTimeMS: number;
}

/** Reads everything. @returns what sets the gauges */
export async function readBacklog(store: Store, mostWorkMs = MOST_WORK_MS): Promise<readonly Setting[]> {
  const most: MostWork = { maxTimeMS: mostWorkMs };
  const outboxes = OUTBOXES.map((name) => outbox(store, name, most));
  const parts = [deliveries(store, most), endpoints(store, most), ingest(store, most), recurring(store, most)];
  return (await Promise.all([...outboxes, ...parts])).flat();
}

const OUTBOXES = ['employees', 'documents', 'persons'] as const;

/** A row of an outbox; persons have no events of their own. */
interface WaitingRow {
  readonly pending_events?: readonly PendingEvent[];
  readonly outbox_at: Date;
}

async function outbox(store: Store, db_collection_name: (typeof OUTBOXES)[number], most: MostWork): Promise<Setting[]> {
  const rows = store.db.collection<WaitingRow>(db_collection_name);
  const projection = { _id: 0, outbox_at: 1, pending_events: 1 };
  const options = { projection, sort: { outbox_at: 1 }, limit: 1, ...most } as const;
  const [oldest] = await rows.find(HAS_EVENTS, options).toArray();
  const count = oldest === undefined ? 0 : await rows.count(HAS_EVENTS, { limit: MOST_COUNTED, ...most });
  const times = oldest && [oldest.outbox_at, ...(oldest.pending_events ?? []).map(({ occurred_at }) => occurred_at)];
  return [
    () => outboxRows.set({ db_collection_name }, count),
    () => outboxOldestAge.set({ db_collection_name }, secondsSince(times ?? [])),
  ];
}

/** How long the first of the times is ago, by the clock of the service; 0 without one, or if it is to come. */
function secondsSince(times: readonly Date[]): number {
  const present = nowMs();
  return (present - Math.min(present, ...times.map((at) => at.getTime()))) / 1_000;
}

const EPOCH = new Date(0);

async function deliveries(store: Store, most: MostWork): Promise<Setting[]> {
  const rows = store.deliveries;
  const pending = { next_at: { $gt: EPOCH } };
  const options = { projection: { _id: 0, next_at: 1 }, sort: { next_at: 1 }, limit: 1, ...most } as const;
  const [first] = await rows.find(pending, options).toArray();
  const isDue = first?.next_at != null && first.next_at <= now();
  const counting = { limit: MOST_COUNTED, ...most };
  const [all, due, waits] = await Promise.all([
    first === undefined ? 0 : rows.count(pending, counting),
    isDue ? rows.count({ next_at: { $gt: EPOCH, $lte: now() } }, counting) : 0,
    isDue ? dueWaits(store, most) : { nobodys: [], slowest: [] },
  ]);
  return [
    () => deliveriesPending.set(all),
    () => deliveriesDue.set(due),
    () => deliveriesOldestDue.set(secondsSince(waits.nobodys)),
    ...waits.slowest.map(({ tenant_id, endpoint_id, next_at }) => () => {
      endpointOldestDue.set({ tenant_id, endpoint_id }, secondsSince(timesOf({ next_at })));
    }),
  ];
}

const timesOf = (row: Pick<DeliveryRow, 'next_at'> | undefined) => (row?.next_at ? [row.next_at] : []);

/**
 * Since when deliveries are due: at the endpoints where an attempt is under way, which wait for their receivers, and the
 * first of those where none is, which waits for the service.
 */
async function dueWaits({ deliveries: rows }: Store, most: MostWork) {
  const due = { next_at: { $gt: EPOCH, $lte: now() } };
  const projection = { _id: 0, endpoint_id: 1, tenant_id: 1, next_at: 1, lease_until: 1 };
  const options = { projection, sort: { next_at: 1 }, limit: MOST_DUE, batchSize: MOST_DUE + 1, ...most } as const;
  const seen = await rows.find(due, options).toArray();
  const worked = new Set(seen.filter(seemsHeld).map(({ endpoint_id }) => endpoint_id));
  const firsts = new Map(seen.toReversed().map((row) => [row.endpoint_id, row]));
  const slowest = [...firsts.values()].filter(({ endpoint_id }) => worked.has(endpoint_id)).toReversed();
  const others = { ...due, endpoint_id: { $nin: [...worked] } };
  const [nobodys] = await rows.find(others, { ...options, limit: 1, batchSize: 2 }).toArray();
  return { nobodys: timesOf(nobodys), slowest: slowest.slice(0, MOST_ENDPOINTS) };
}

function endpoints(store: Store, most: MostWork): Promise<Setting[]> {
  const reasons = ['CONSECUTIVE_FAILURES', 'MANUAL'] as const;
  const counting = reasons.map(async (disabled_reason): Promise<Setting> => {
    const disabled = { status: 'DISABLED', disabled_reason } as const;
    const count = await store.webhook_endpoints.count(disabled, { limit: MOST_COUNTED, ...most });
    return () => endpointsDisabled.set({ disabled_reason }, count);
  });
  return Promise.all(counting);
}

async function ingest(store: Store, most: MostWork): Promise<Setting[]> {
  const projection = { _id: 0, record_count: 1, counts: 1, create_time: 1 };
  const options = { projection, limit: MOST_BATCHES, batchSize: MOST_BATCHES + 1, ...most };
  const batches = await store.ingest_requests.find({ ended_at: null }, options).toArray();
  const count =
    batches.length < MOST_BATCHES
      ? batches.length
      : await store.ingest_requests.count({ ended_at: null }, { limit: MOST_COUNTED, ...most });
  const records = batches.map(({ record_count, counts }) => {
    return record_count - counts.created - counts.updated - counts.unchanged - counts.skipped;
  });
  return [
    () => batchesWaiting.set(count),
    () => recordsWaiting.set(records.reduce((sum, each) => sum + each, 0)),
    () => oldestBatchAge.set(secondsSince(batches.map(({ create_time }) => create_time))),
  ];
}

/** A job of Agenda, of which only the recurring ones are read. */
interface RecurringJobRow {
  readonly name: string;
  readonly lastFinishedAt?: Date | null;
}

async function recurring(store: Store, most: MostWork): Promise<Setting[]> {
  const jobs = await store.db
    .collection<RecurringJobRow>(JOBS_COLLECTION)
    .find({ name: { $in: [...recurringNames] } }, { projection: { name: 1, lastFinishedAt: 1 }, ...most })
    .toArray();
  return jobs.flatMap(({ name: work, lastFinishedAt: at }) => {
    return at instanceof Date ? [() => recurringLastRun.set({ work }, at.getTime() / 1_000)] : [];
  });
}

/** In milliseconds; set by tests only. */
interface BacklogTimes {
  /** How long what was read counts. */
  readonly freshMs?: number;
  /** How long a scrape waits for the database. */
  readonly patienceMs?: number;
  /** How long the database may work on one read. */
  readonly mostWorkMs?: number;
}

/** Tells the metrics what waits in the store, at each scrape. @returns a function that ends it */
export function tellBacklog(
  store: Store,
  { freshMs = FRESH_MS, patienceMs = PATIENCE_MS, mostWorkMs = MOST_WORK_MS }: BacklogTimes = {},
): () => void {
  let readMs = Number.NEGATIVE_INFINITY;
  let reading: Promise<readonly Setting[] | undefined> | undefined;
  return onScrape(async () => {
    if (monotonicMs() - readMs < freshMs) return;
    reading ??= readBacklog(store, mostWorkMs)
      .catch(() => undefined)
      .finally(() => {
        reading = undefined;
      });
    const settings = await Promise.race([reading, pause(patienceMs, undefined, { ref: false })]);
    clear();
    databaseUp.set(settings === undefined ? 0 : 1);
    if (settings === undefined) return;
    for (const set of settings) set();
    readMs = monotonicMs();
  });
}
