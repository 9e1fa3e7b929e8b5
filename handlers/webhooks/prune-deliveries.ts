/** Removes deliveries from the log 30 days after their end. */
import type { Store } from '../data/store.ts';
import { nowMs } from '../process/clock.ts';

const KEPT_FOR_MS = 30 * 24 * 60 * 60 * 1000;
/** How many deliveries are removed at a time. */
const BATCH = 1_000;

/**
 * Makes one run.
 * @returns whether there may be more to remove
 */
export async function pruneDeliveries(store: Store): Promise<boolean> {
  const ended_at = { $lte: new Date(nowMs() - KEPT_FOR_MS) };
  const rows = await store.deliveries
    .find({ ended_at }, { projection: { tenant_id: 1 }, sort: { ended_at: 1 }, limit: BATCH, batchSize: BATCH + 1 })
    .toArray();
  if (rows.length === 0) return false;
  const removals = [...Map.groupBy(rows, ({ tenant_id }) => tenant_id)].map(([tenant_id, own]) => ({
    // Checks `ended_at` again: the settings tool may have started one of them again meanwhile.
    deleteMany: { filter: { tenant_id, _id: { $in: own.map(({ _id }) => _id) }, ended_at } },
  }));
  await store.deliveries.bulkWrite(removals, { ordered: false });
  return rows.length === BATCH;
}
