/** Reads the database's clock, which `runtime/clock.ts` follows. */
import { followDatabase, monotonicMs } from '../runtime/clock.ts';
import type { Store } from './store.ts';

/**
 * Asks the database for its time, in a replica set that of the primary, by which `$$NOW` goes as well, and follows it.
 * @returns how far the database's clock is ahead of the machine's, in milliseconds
 */
export async function followStoreClock(store: Store): Promise<number> {
  const askedMs = monotonicMs();
  const { localTime } = await store.db.command({ hello: 1 });
  return followDatabase(localTime, askedMs, monotonicMs());
}
