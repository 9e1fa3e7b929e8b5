/** Waiting for what happens elsewhere, in tests and checks. */
import { PATIENCE_MS } from '../../conformance/processes/program.ts';

const POLL_MS = 20;

/** Waits until the check returns a value, and fails with its last error after the deadline. */
export async function eventually<T>(
  what: string,
  check: () => T | undefined | Promise<T | undefined>,
  deadlineMs = PATIENCE_MS,
): Promise<T> {
  const endAt = performance.now() + deadlineMs;
  for (;;) {
    const found = await check();
    if (found !== undefined) return found;
    if (performance.now() > endAt) throw new Error(`not within ${deadlineMs} ms: ${what}`);
    await new Promise((next) => setTimeout(next, POLL_MS));
  }
}
