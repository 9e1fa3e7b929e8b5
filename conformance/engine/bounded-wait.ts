/** Waiting, but not for ever. */
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

/**
 * Looks again and again until that is enough. What it looks for may also be seen just when the time is over.
 * @returns what was seen last
 */
export async function seenWithin<Seen>(
  ms: number,
  look: () => Promise<Seen>,
  isEnough: (seen: Seen) => boolean,
  pauseMs = 250,
): Promise<Seen> {
  const end = performance.now() + ms;
  for (;;) {
    const asked = performance.now();
    const seen = await look();
    if (isEnough(seen) || asked > end) return seen;
    await pause(pauseMs);
  }
}
