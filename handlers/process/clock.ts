/**
 * The one source of time. A test instance may shift it (the control clock), so that 24 hours of keys and tokens run in
 * seconds; the rate limit does not follow it, because its promise is about real seconds.
 */
let offsetMs = 0;

/** The service's present, as milliseconds since the epoch. */
export function nowMs(): number {
  return Date.now() + offsetMs;
}

/** The service's present. */
export function now(): Date {
  return new Date(nowMs());
}

/** The machine's present, as milliseconds since the epoch: what the database's clock is compared with, and Agenda knows. */
export function machineMs(): number {
  return nowMs() - offsetMs;
}

/** How far the service's present is ahead of the machine's, in milliseconds. */
export function clockOffsetMs(): number {
  return offsetMs;
}

const listeners = new Set<() => void>();

/** Sets how far the service's present is ahead of the machine's, in milliseconds; for the control clock only. */
export function setClockOffset(ms: number): void {
  offsetMs = ms;
  for (const listener of listeners) listener();
}

/**
 * Tells of every {@link setClockOffset}, so that what waits for an instant looks again without waiting in real time.
 * @returns a function that ends it
 */
export function onClockChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/**
 * When the process's monotonic clock stood at zero. A process that is put aside between the two readings sees too
 * small a difference, so the largest of several is the right one: processes must agree on it (rate limit).
 */
const startedAt = Math.max(...Array.from({ length: 9 }, () => Date.now() - performance.now()));

/**
 * Milliseconds since the epoch that never run backwards and ignore steps of the machine's clock: what the rate limit
 * counts by.
 */
export function monotonicMs(): number {
  return startedAt + performance.now();
}
