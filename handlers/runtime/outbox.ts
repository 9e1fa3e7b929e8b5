/**
 * Events are written with the change that they tell of, in the same write of the same row: `pending_events` holds them
 * and `outbox_at` says that there are some, until the relay (`handlers/jobs/relay-events.ts`) has made deliveries of
 * them. So no change is without its events and no event without its change, whenever a process dies.
 */
import { randomUUID } from 'node:crypto';
import type { PendingEvent } from './store.ts';

/** An event of a change. @param type as the contract's webhooks name it; @param at the time of the change */
export function pendingEvent(type: string, at: Date): PendingEvent {
  return { id: randomUUID(), type, occurred_at: at };
}

/** What a row's update has to hold, beside the change itself, so that its events are relayed. */
export interface EventsUpdate {
  $push?: { pending_events: { $each: PendingEvent[] } };
  $set?: { outbox_at: Date };
}

/**
 * The parts of an update that write events with a change; without events there are none. Whoever has a `$set` of its
 * own puts the one of this into it. A new row gets `pending_events` and `outbox_at` as fields instead.
 */
export function eventsUpdate(events: readonly PendingEvent[]): EventsUpdate {
  const last = events.at(-1);
  if (last === undefined) return {};
  return { $push: { pending_events: { $each: [...events] } }, $set: { outbox_at: last.occurred_at } };
}

const listeners = new Set<() => void>();

/**
 * Says, after a write with events, that there is something to relay. Only a relay in this process hears it; others
 * find it within a second.
 */
export function outboxFilled(): void {
  for (const listener of listeners) listener();
}

/** Tells of every {@link outboxFilled}. @returns a function that ends it */
export function onOutboxFilled(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
