/**
 * The only source of time. A test instance may shift it (the control clock), so that the 24 hours of keys and tokens
 * pass in seconds. The rate limit does not follow the shift, because it promises real seconds.
 */
let offsetMs = 0;

/** The service's present time, in milliseconds since the epoch. */
export function nowMs(): number {
  return Date.now() + offsetMs;
}

/** The service's present time. */
export function now(): Date {
  return new Date(nowMs());
}

/**
 * The machine's time, in milliseconds since the epoch: it is compared with the database's clock, and Agenda uses it.
 */
export function machineMs(): number {
  return nowMs() - offsetMs;
}

/** How far the service's time is ahead of the machine's, in milliseconds. */
export function clockOffsetMs(): number {
  return offsetMs;
}

const listeners = new Set<() => void>();

/** Sets how far the service's time is ahead of the machine's, in milliseconds; for the control clock only. */
export function setClockOffset(ms: number): void {
  offsetMs = ms;
  for (const listener of listeners) listener();
}

/**
 * Calls the listener after every {@link setClockOffset}, so that code that waits for an instant checks the time again.
 * @returns a function that removes the listener
 */
export function onClockChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/**
 * The time at which the process's monotonic clock was zero. If the process is suspended between the two readings, the
 * difference is too small, so the largest of several is right. Processes must agree on the time (rate limit).
 */
const startedAt = Math.max(...Array.from({ length: 9 }, () => Date.now() - performance.now()));

/**
 * Milliseconds since the epoch that never run backwards and ignore steps of the machine's clock, for the rate limit.
 */
export function monotonicMs(): number {
  return startedAt + performance.now();
}
