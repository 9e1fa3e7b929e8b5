import { fail } from '../answers/errors.ts';

/**
 * Repeats a read, a decision and a write until no other write happens between the read and the write.
 * @param attempts the largest number of attempts
 * @param attempt reads, decides, and writes only over what it has read; returns undefined if another write was faster
 * @param giveUp what to do after the last attempt; without it, ApiError UNAVAILABLE is thrown
 * @throws what an attempt throws; then there is no further attempt
 */
export async function untilWritten<T>(
  attempts: number,
  attempt: () => Promise<T | undefined>,
  giveUp: () => T | Promise<T> = () => fail('UNAVAILABLE', { retryAfterMs: 1_000 }),
): Promise<T> {
  for (let made = 0; made < attempts; made++) {
    const written = await attempt();
    if (written !== undefined) return written;
  }
  return giveUp();
}
