/** Moving the target's clock in rules that run alone. */
import type { Trial } from '../trial.ts';

/** Room for the time that the steps of a test take. */
export const MARGIN_MS = 60_000;
export const DAY_MS = 86_400_000;

/** Runs with a movable clock; the buckets are in an unknown state afterwards. */
export async function withClock(
  t: Trial,
  work: (advance: (ms: number) => Promise<void>) => Promise<void>,
): Promise<void> {
  try {
    await t.withClock(work);
  } finally {
    await t.link.ask({ op: 'drain' });
  }
}
