/** For what must be done within a time: a machine that stood still is told from a program that is too slow. */
import { clearInterval, setInterval } from 'node:timers';

/** What an attempt is made again for at most, so that what never works is still seen. */
const MOST_TRIES = 5;
const BEAT_MS = 50;

/** Makes an attempt, and makes it again where it failed after more than the time that it may take. */
export async function inTime<T>(limitMs: number, attempt: () => Promise<T>): Promise<T> {
  for (let nth = 1; ; nth++) {
    const startedAt = performance.now();
    try {
      return await attempt();
    } catch (error) {
      if (nth === MOST_TRIES || performance.now() - startedAt < limitMs) throw error;
    }
  }
}

/** Watches how long this process waits for its turn. @returns ends that, and tells the sum in milliseconds */
export function watchStalls(): () => number {
  let [stalledMs, beatAt] = [0, performance.now()];
  const beat = () => {
    const now = performance.now();
    stalledMs += Math.max(0, now - beatAt - BEAT_MS);
    beatAt = now;
  };
  const timer = setInterval(beat, BEAT_MS).unref();
  return () => {
    clearInterval(timer);
    beat();
    return stalledMs;
  };
}
