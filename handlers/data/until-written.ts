import { fail } from '../http/errors.ts';

/**
 * Repeats an attempt that another write can overtake: it reads, decides, and writes only over what it has read.
 * @param attempts how often at most
 * @param attempt returns undefined if another write was faster
 * @param giveUp says what follows when every attempt was overtaken; ApiError UNAVAILABLE unless it is given
 * @throws what an attempt throws; it is not repeated then
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
