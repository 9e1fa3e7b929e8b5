/** Waiting for the end of several works, but not for ever. */
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Waits until all of these have ended, in whatever way, but no longer than this.
 * @param signal ends the waiting
 * @returns whether they have ended
 */
export async function settledWithin(
  works: readonly Promise<unknown>[],
  ms: number,
  signal: AbortSignal = new AbortController().signal,
): Promise<boolean> {
  const over = new AbortController();
  const late = pause(ms, false, { signal: AbortSignal.any([signal, over.signal]) }).catch(() => false);
  const ended = await Promise.race([Promise.allSettled(works).then(() => true), late]);
  over.abort();
  return ended;
}
