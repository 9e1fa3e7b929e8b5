/** Arithmetic that several scenarios share. */
import { rateLimit } from '../../../../generated/rate-limit.ts';
import { median } from '../../statistics.ts';

/** How much a value has grown, in percent of what it was; NaN if it was nothing. */
export const growth = (before: number, after: number): number =>
  before > 0 ? (100 * (after - before)) / before : Number.NaN;

/** A value that was read after so many requests. */
export interface Reading {
  readonly requests: number;
  readonly value: number;
}

/**
 * How much a value grows steadily: the median of the slopes between all pairs of readings (Theil and Sen). A step up or
 * down between two readings hardly changes it.
 * @returns the growth for each request; NaN for fewer than two readings
 */
export function steadyGrowth(readings: readonly Reading[]): number {
  const slopes = readings.flatMap((one, nth) =>
    readings.slice(nth + 1).map((other) => (other.value - one.value) / (other.requests - one.requests)),
  );
  return slopes.length === 0 ? Number.NaN : median(slopes);
}

/** How many requests the bucket of a key admits within a span of seconds. */
export const admissible = (seconds: number): number => rateLimit.burst + rateLimit.perSecond * seconds;
