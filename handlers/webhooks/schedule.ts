/** When deliveries are attempted, how they end without an attempt, and how long they are kept (D-24, D-27). */
import { deliveries } from '../data/collections/deliveries.ts';
import { ofTenant } from '../data/of-tenant.ts';
import { keptMs } from '../data/retention.ts';
import type { Store } from '../data/store.ts';
import { now, nowMs } from '../runtime/clock.ts';

/** The most attempts of a delivery (D-27). */
export const MAX_ATTEMPTS = 8;
/** After this many deliveries in a row have failed for good, their endpoint is disabled (D-27). */
export const MAX_FAILURES = 20;
/** The first wait, in milliseconds; each further one is four times as long (D-27). */
const FIRST_WAIT_MS = 15_000;
/** The largest share of a wait that is added to it at random (D-27). */
const MAX_JITTER = 0.1;
const KEPT_FOR_MS = keptMs(deliveries);
/** How many deliveries are removed at a time. */
const PRUNED_AT_ONCE = 1_000;

/** How long to wait after a failed attempt, in milliseconds (D-27). @param attempt its number, from 1 to 7 */
export function waitAfter(attempt: number): number {
  return Math.round(FIRST_WAIT_MS * 4 ** (attempt - 1) * (1 + MAX_JITTER * Math.random()));
}

/**
 * Cancels the pending deliveries of an endpoint: after it was deleted or disabled, and before it is enabled again, so
 * that nothing is replayed (D-24, D-27). An attempt under way may finish, and its success is still shown; no other
 * follows.
 */
export async function cancelPending(store: Store, tenantId: string, endpointId: string): Promise<void> {
  await ofTenant(store.deliveries, tenantId).updateMany(
    { endpoint_id: endpointId, status: 'PENDING' },
    { $set: { status: 'CANCELLED', next_at: null, ended_at: now() } },
  );
}

/**
 * Removes deliveries from the log 30 days after their end, in one run.
 * @returns whether there may be more to remove
 */
export async function pruneDeliveries(store: Store): Promise<boolean> {
  const ended_at = { $lte: new Date(nowMs() - KEPT_FOR_MS) };
  const rows = await store.deliveries
    .find(
      { ended_at },
      { projection: { tenant_id: 1 }, sort: { ended_at: 1 }, limit: PRUNED_AT_ONCE, batchSize: PRUNED_AT_ONCE + 1 },
    )
    .toArray();
  if (rows.length === 0) return false;
  const removals = [...Map.groupBy(rows, ({ tenant_id }) => tenant_id)].map(([tenant_id, own]) => ({
    // Checks `ended_at` again: the settings tool may have started one of them again meanwhile.
    deleteMany: { filter: { tenant_id, _id: { $in: own.map(({ _id }) => _id) }, ended_at } },
  }));
  await store.deliveries.bulkWrite(removals, { ordered: false });
  return rows.length === PRUNED_AT_ONCE;
}
