/** Waiting for what happens elsewhere, in tests and checks. */
import { PATIENCE_MS } from './program.ts';

const POLL_MS = 20;

/** Waits until the check returns a value other than false and undefined; fails after the deadline, and at once if the check fails. */
export async function eventually<T>(
  what: string,
  check: () => T | false | undefined | Promise<T | false | undefined>,
  deadlineMs = PATIENCE_MS,
): Promise<T> {
  const endAt = performance.now() + deadlineMs;
  for (;;) {
    const found = await check();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > endAt) throw new Error(`not within ${deadlineMs} ms: ${what}`);
    await new Promise((next) => setTimeout(next, POLL_MS));
  }
}
