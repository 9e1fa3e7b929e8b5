/**
 * The relay: makes deliveries from the events that wait in changed rows, one for each active endpoint of the tenant
 * that subscribes to the type. While the tenant's flag is off, or without a subscriber, nothing is queued (D-27).
 *
 * Any number of relays may work at once, and each may die at any point: the id of a delivery consists of the ids of the
 * event and the endpoint, so it is inserted only once. After that the event is removed from its row, by its id, so that
 * events added meanwhile stay.
 */
import type { DeliveryRow } from '../data/collections/deliveries.ts';
import { NO_LEASE } from '../data/lease.ts';
import { type PendingEvent, readOutbox } from '../data/outbox.ts';
import type { Store } from '../data/store.ts';
import { insertNew } from '../data/writes.ts';
import { now } from '../runtime/clock.ts';
import { counter } from '../runtime/metrics.ts';

const eventsRelayed = counter(
  'events_relayed_total',
  'Events that left the outbox, whether or not somebody subscribes to them.',
);

const deliveriesCreated = counter(
  'webhook_deliveries_created_total',
  'Deliveries that the relay has made: one for each event and subscribed endpoint.',
);

/** How many rows with events one round reads; each has one or two events. */
const BATCH = 500;
/** Roughly how many deliveries one round makes. The events of other tenants wait that long for the next round. */
const MOST_DELIVERIES = 1_000;
/** How many rounds one run makes before other work gets its turn. */
const ROUNDS = 40;
/** How many deliveries are inserted at a time, so that the database can serve other requests in between. */
const INSERTED_AT_ONCE = 500;

/** A row as the relay reads it. */
interface RelayedRow {
  readonly _id: string;
  readonly tenant_id: string;
  readonly pending_events: PendingEvent[];
}

const FIELDS = { tenant_id: 1, pending_events: 1 } as const;

/** A collection with events, and the name that the id of its rows has in the envelope's `data`. */
interface EventSource {
  readonly collection: 'employees' | 'documents';
  readonly subject: DeliveryRow['subject']['name'];
}

const sources: readonly EventSource[] = [
  { collection: 'employees', subject: 'employee_id' },
  { collection: 'documents', subject: 'document_id' },
];

/** Calls that the relay makes besides its own writes. */
interface RelayHooks {
  /** Called for every endpoint that has new deliveries. */
  readonly queued: (endpointId: string, tenantId: string) => void;
  /**
   * Writes events that follow from changes of other rows, for at most `atMost` rows. @returns for how many it wrote
   * them
   */
  readonly followed: (atMost: number) => Promise<number>;
}

/**
 * Makes one run: relays the waiting events, oldest first, taking the tenants in turn.
 * @returns whether there were any; more may follow soon then, also from processes that cannot wake this one
 */
export async function relayEvents(store: Store, hooks: RelayHooks, stopping: AbortSignal): Promise<boolean> {
  let hasFound = false;
  for (let round = 0; round < ROUNDS; round++) {
    if (stopping.aborted) return false;
    const followed = await hooks.followed(BATCH);
    const found: Backlog[] = [followed === 0 ? 'nothing' : followed < BATCH ? 'all' : 'more'];
    for (const source of sources) {
      if (stopping.aborted) return false;
      found.push(await relayRound(store, source, hooks));
    }
    hasFound ||= found.some((each) => each !== 'nothing');
    if (!found.includes('more')) break;
  }
  return hasFound;
}

/** What waited: nothing, as much as one round relays, or more. */
type Backlog = 'nothing' | 'all' | 'more';

async function relayRound(store: Store, { collection, subject }: EventSource, hooks: RelayHooks): Promise<Backlog> {
  const waiting = await readOutbox(store.db.collection<RelayedRow>(collection), FIELDS, BATCH);
  if (waiting.length === 0) return 'nothing';
  const subscribed = await subscribersOf(store, [...new Set(waiting.map((row) => row.tenant_id))]);
  const rows: RelayedRow[] = [];
  const deliveries: DeliveryRow[] = [];
  for (const row of waiting) {
    if (deliveries.length >= MOST_DELIVERIES) break;
    rows.push(row);
    for (const event of row.pending_events) {
      const endpoints = subscribed(row.tenant_id, event);
      deliveries.push(...endpoints.map((endpointId) => deliveryOf(row, subject, event, endpointId)));
    }
  }
  for (let from = 0; from < deliveries.length; from += INSERTED_AT_ONCE) {
    deliveriesCreated.inc(await insertNew(store.deliveries, deliveries.slice(from, from + INSERTED_AT_ONCE)));
  }
  await pull(store, collection, rows);
  eventsRelayed.inc(rows.reduce((sum, row) => sum + row.pending_events.length, 0));
  const endpoints = new Map(deliveries.map(({ endpoint_id, tenant_id }) => [endpoint_id, tenant_id]));
  for (const [endpointId, tenantId] of endpoints) hooks.queued(endpointId, tenantId);
  return rows.length < waiting.length || waiting.length === BATCH ? 'more' : 'all';
}

/**
 * Which endpoints of a tenant get an event: the active ones that subscribe to its type, if the flag is on and was on
 * when the event happened. The present flag alone is not enough, as a relay may reach an event after the flag is on
 * again.
 */
async function subscribersOf(store: Store, tenantIds: string[]) {
  const [enabled, endpoints] = await Promise.all([
    store.tenants
      .find({ _id: { $in: tenantIds }, developer_api_enabled: true }, { projection: { enabled_at: 1 } })
      .toArray(),
    store.webhook_endpoints
      .find({ tenant_id: { $in: tenantIds }, status: 'ACTIVE' }, { projection: { tenant_id: 1, event_types: 1 } })
      .toArray(),
  ]);
  const onSince = new Map(enabled.map(({ _id, enabled_at }) => [_id, enabled_at ?? new Date(0)]));
  const byTenant = Map.groupBy(endpoints, ({ tenant_id }) => tenant_id);
  return (tenantId: string, { type, occurred_at }: PendingEvent): string[] => {
    const since = onSince.get(tenantId);
    if (since === undefined || occurred_at < since) return [];
    const those = byTenant.get(tenantId) ?? [];
    return those.filter(({ event_types }) => event_types.includes(type)).map(({ _id }) => _id);
  };
}

function deliveryOf(
  row: RelayedRow,
  name: DeliveryRow['subject']['name'],
  event: PendingEvent,
  endpoint_id: string,
): DeliveryRow {
  const at = now();
  return {
    _id: `${event.id}:${endpoint_id}`,
    tenant_id: row.tenant_id,
    endpoint_id,
    event_id: event.id,
    event_type: event.type,
    occurred_at: event.occurred_at,
    subject: { name, id: row._id },
    ...(event.traceparent !== undefined && { traceparent: event.traceparent }),
    status: 'PENDING',
    next_at: at,
    attempt_count: 0,
    ...NO_LEASE,
    attempts: [],
    create_time: at,
    ended_at: null,
  };
}

/** Removes the events from their rows, by their ids; a row without events is no longer found. */
async function pull(store: Store, collection: EventSource['collection'], rows: readonly RelayedRow[]): Promise<void> {
  const operations = rows.map(({ _id, tenant_id, pending_events }) => {
    const relayed = { $literal: pending_events.map(({ id }) => id) };
    const left = { $filter: { input: '$pending_events', cond: { $not: [{ $in: ['$$this.id', relayed] }] } } };
    const update = [
      { $set: { pending_events: left } },
      { $set: { outbox_at: { $cond: [{ $eq: ['$pending_events', []] }, null, '$outbox_at'] } } },
    ];
    return { updateOne: { filter: { _id, tenant_id }, update } };
  });
  await store.db.collection<RelayedRow>(collection).bulkWrite(operations, { ordered: false });
}
