/**
 * The only source of time. Everything that processes compare with each other, or that others compare with their own
 * clock, goes by the database's clock: it is the same one for all processes, and the machine of a process may be wrong.
 *
 * The database's time is read regularly (`data/store-clock.ts`) and carried on by the process's monotonic clock. So a step
 * of the machine's clock changes nothing, and while the database is away time goes on as before. Until the first reading,
 * the machine's time counts.
 *
 * A test instance may shift the service's time (the control clock), so that the 24 hours of keys and tokens pass in
 * seconds. The rate limit does not follow the shift, because it promises real seconds.
 */

/** A correction backwards by at most this much lets time stand still until it is made up for, in milliseconds. */
const STANDS_STILL_MS = 1_000;

let offsetMs = 0;
/** The database's time at which the monotonic clock was zero; undefined until it has been read. */
let epochMs: number | undefined;
/** The last time that was given out. */
let givenMs = Number.NEGATIVE_INFINITY;

/** The service's present time, in milliseconds since the epoch. */
export function nowMs(): number {
  return databaseMs() + offsetMs;
}

/** The service's present time. */
export function now(): Date {
  return new Date(nowMs());
}

/** The present time without the shift of the control clock: the database's, in milliseconds since the epoch. */
export function databaseMs(): number {
  if (epochMs === undefined) return Date.now();
  const atMs = Math.floor(performance.now() + epochMs);
  const isSmallStepBack = atMs < givenMs && givenMs - atMs <= STANDS_STILL_MS;
  if (!isSmallStepBack) givenMs = atMs;
  return givenMs;
}

/** The machine's time, in milliseconds since the epoch, for what goes by it: Agenda, the AWS SDK, the file system. */
export function machineMs(): number {
  return Date.now();
}

/** Milliseconds that pass at a steady rate and never step, for durations. They say nothing about the time of day. */
export function monotonicMs(): number {
  return performance.now();
}

/**
 * Follows a reading of the database's clock. A time that the reading allows stays as it is, so that readings that took
 * long do not make it jitter; otherwise the middle of what it allows is the best guess.
 * @param localTime what the database said, in whole milliseconds
 * @param askedMs when it was asked, by {@link monotonicMs}
 * @param answeredMs when the answer was read
 * @returns how far the database's clock is ahead of the machine's, in milliseconds
 */
export function followDatabase(localTime: Date, askedMs: number, answeredMs: number): number {
  const earliestMs = localTime.getTime() - answeredMs;
  const latestMs = localTime.getTime() + 1 - askedMs;
  const machineEpochMs = machineEpoch();
  epochMs ??= machineEpochMs;
  if (epochMs < earliestMs || epochMs > latestMs) epochMs = (earliestMs + latestMs) / 2;
  return Math.round(epochMs - machineEpochMs);
}

/** How often two clocks are read: a pause between the two readings makes their difference too small. */
const READINGS = 3;

/** The machine's time at which the monotonic clock was zero. */
function machineEpoch(): number {
  return Math.max(...Array.from({ length: READINGS }, () => Date.now() - performance.now()));
}

/** How far the control clock has shifted the service's time, in milliseconds. */
export function clockOffsetMs(): number {
  return offsetMs;
}

const listeners = new Set<() => void>();

/** Shifts the service's time, in milliseconds; for the control clock only. */
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
