/**
 * The time by which what is due in the store falls due: the service's, corrected by how far this machine's clock is
 * off the database's. Workers whose clocks differ by hours would otherwise take each other's retries for due, and use
 * them up in no time.
 */
import { machineMs, nowMs } from '../process/clock.ts';
import type { Store } from './store.ts';

/** Clocks that differ by less are taken to agree, in milliseconds. */
const TOLERANCE_MS = 2_000;

let skewMs = 0;

/** The service's present by the database's clock, as far as it was last asked. */
export function storeNow(): Date {
  return new Date(storeNowMs());
}

/** As {@link storeNow}, in milliseconds since the epoch. */
export function storeNowMs(): number {
  return nowMs() + skewMs;
}

/** When a time of the database's clock comes by this machine's, as the service sets it. */
export function onThisMachine(at: Date): Date {
  return new Date(at.getTime() - skewMs);
}

/** Asks the database what time it is. */
export async function readStoreClock(store: Store): Promise<void> {
  const before = machineMs();
  const { localTime } = await store.db.command({ hello: 1 });
  const after = machineMs();
  if (!(localTime instanceof Date)) return;
  const skew = localTime.getTime() - (before + after) / 2;
  // The database may have looked at its clock at any time between: on a busy machine an answer waits to be read.
  const uncertainMs = (after - before) / 2;
  skewMs = Math.abs(skew) < TOLERANCE_MS + uncertainMs ? 0 : Math.round(skew);
}
