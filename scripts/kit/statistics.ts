/** Figures of many measurements. */

/** The value that this share (0 to 1) of the numbers does not exceed, in their unit; 0 if there are no numbers. */
export function percentile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}

/** The value in the middle, in the unit of the numbers; 0 if there are no numbers. */
export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  const [below = 0, above = 0] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]];
  return (below + above) / 2;
}

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
