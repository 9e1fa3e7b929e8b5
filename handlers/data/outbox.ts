/**
 * Events are written with the change that they report, in the same write of the same row: `pending_events` holds them,
 * and `outbox_at` marks the row, until the relay (`handlers/webhooks/relay-events.ts`) has made deliveries from them.
 * So there is never a change without its events, or an event without its change.
 */
import { randomUUID } from 'node:crypto';
import type { Collection, Filter } from 'mongodb';
import type { enumerations } from '../../generated/contract.ts';
import { Turns } from '../fairness/shares.ts';
import { traceparent } from '../runtime/tracing.ts';
import { HAS_EVENTS } from './collection.ts';

/** The types of events that an endpoint can subscribe to. */
export type EventType = keyof typeof enumerations.webhook_event_type;

/** An event that is not relayed yet. It is written together with the change that it reports. */
export interface PendingEvent {
  id: string;
  type: EventType;
  occurred_at: Date;
  /** Of the request that made the change, if its trace concerns others. */
  traceparent?: string;
}

/** An event of a change. @param at the time of the change */
export function pendingEvent(type: EventType, at: Date): PendingEvent {
  return inItsTrace({ id: randomUUID(), type, occurred_at: at });
}

/** The event with the trace of what is being done. */
function inItsTrace(event: PendingEvent): PendingEvent {
  const parent = traceparent();
  return parent === undefined ? event : { ...event, traceparent: parent };
}

/** What the update of a row must contain, besides the change itself, so that its events are relayed. */
interface EventsUpdate {
  $push?: { pending_events: { $each: PendingEvent[] } };
  $set?: { outbox_at: Date };
}

/**
 * The parts of an update that write events with a change; empty without events. A caller merges this `$set` into its
 * own. A new row gets `pending_events` and `outbox_at` as fields instead.
 */
export function eventsUpdate(events: readonly PendingEvent[]): EventsUpdate {
  const last = events.at(-1);
  if (last === undefined) return {};
  return { $push: { pending_events: { $each: events.map(inItsTrace) } }, $set: { outbox_at: last.occurred_at } };
}

interface OutboxRow {
  readonly _id: string;
  readonly tenant_id: string;
}

/** The most reads of one call; each read leaves out the tenants already found, which may have thousands of rows. */
const LOOKS = 8;

/**
 * Rows with events: the oldest of each tenant, then the second oldest of each, and so on (D-33). So a tenant that has
 * changed thousands of rows gets only the places that the others do not need.
 */
export async function readOutbox<Row extends OutboxRow>(
  collection: Collection<Row>,
  fields: Readonly<Record<string, 1>>,
  most: number,
): Promise<Row[]> {
  const turns = new Turns<Row>();
  for (let look = 0; look < LOOKS && turns.tenants < most; look++) {
    const others = look === 0 ? {} : { tenant_id: { $nin: turns.tenantIds() } };
    const options = { projection: fields, sort: { outbox_at: 1 }, limit: most, batchSize: most + 1 } as const;
    const rows = (await collection.find({ ...HAS_EVENTS, ...others } as Filter<Row>, options).toArray()) as Row[];
    for (const row of rows) turns.add(row.tenant_id, row);
    if (rows.length < most) break;
  }
  const rows: Row[] = [];
  for (let row = turns.next(); row !== undefined && rows.length < most; row = turns.next()) rows.push(row);
  return rows;
}

const listeners = new Set<() => void>();

/** Call after a write with events: wakes the relay in this process. Those in others find it within a second. */
export function outboxFilled(): void {
  for (const listener of listeners) listener();
}

/** Calls the listener on every {@link outboxFilled}. @returns a function that removes it */
export function onOutboxFilled(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
