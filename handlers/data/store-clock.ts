/**
 * The time that decides what is due in the store: the service's time, corrected by the difference between this
 * machine's clock and the database's. Otherwise workers whose clocks differ by hours would take each other's retries as
 * due, and use them up at once.
 */
import { machineMs, nowMs } from '../process/clock.ts';
import type { Store } from './store.ts';

/** A smaller difference between the clocks is ignored, in milliseconds. */
const TOLERANCE_MS = 2_000;

let skewMs = 0;

/** The service's present time by the database's clock, with the difference that was last measured. */
export function storeNow(): Date {
  return new Date(storeNowMs());
}

/** As {@link storeNow}, in milliseconds since the epoch. */
export function storeNowMs(): number {
  return nowMs() + skewMs;
}

/** Converts a time of the database's clock to this machine's clock, as the service sets it. */
export function onThisMachine(at: Date): Date {
  return new Date(at.getTime() - skewMs);
}

/** Asks the database for its time, and keeps the difference. */
export async function readStoreClock(store: Store): Promise<void> {
  const before = machineMs();
  const { localTime } = await store.db.command({ hello: 1 });
  const after = machineMs();
  if (!(localTime instanceof Date)) return;
  const skew = localTime.getTime() - (before + after) / 2;
  // The database read its clock at an unknown time in between: on a busy machine the answer waits to be read.
  const uncertainMs = (after - before) / 2;
  skewMs = Math.abs(skew) < TOLERANCE_MS + uncertainMs ? 0 : Math.round(skew);
}
