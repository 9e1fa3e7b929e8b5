/** Moves the target's clock, for rules that run alone. */
import type { TestContext } from '../../engine/test-context.ts';

/** Reserve for the time that the steps of a test take. */
export const MARGIN_MS = 60_000;
export const DAY_MS = 86_400_000;

/**
 * Runs `work` with a movable clock. The pacer's buckets are emptied afterwards, since the target's are unknown then.
 */
export async function withClock(
  t: TestContext,
  work: (advance: (ms: number) => Promise<void>) => Promise<void>,
): Promise<void> {
  try {
    await t.withClock(work);
  } finally {
    await t.link.ask({ op: 'drain' });
  }
}
