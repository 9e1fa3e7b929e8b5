/** How long a stop may take, in milliseconds, before the process exits anyway, with 1. */
export const LONGEST_STOP_MS = 12_000;
const BEATS = 12;

/**
 * Calls back when a stop has taken so long. Of a time in which this process stood still only one beat counts: what it
 * waits for may have happened in it, and is read after the beat.
 */
export function afterLongestStop(giveUp: () => void, longestMs = LONGEST_STOP_MS): void {
  let beats = 0;
  setInterval(() => ++beats === BEATS && giveUp(), longestMs / BEATS).unref();
}
