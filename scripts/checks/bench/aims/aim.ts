/** What a measure finds: values, each beside the bound that the service promises, and whether the promise is kept. */

import { median } from '../../statistics.ts';

/** What a value must not exceed, or must reach, in the unit of the value. Without either it is only shown. */
export interface Bound {
  readonly most?: number;
  readonly least?: number;
}

/** One line of the table. */
export interface Finding {
  /** What the value says, as a person reads it. */
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  readonly aim: Bound;
  /** Null for a value without a bound. */
  readonly met: boolean | null;
}

/** Compares a value with its bound. A value that is no number, such as a ratio to nothing, keeps no promise. */
export function finding(what: string, value: number, unit: string, aim: Bound = {}): Finding {
  const { most, least } = aim;
  if (most === undefined && least === undefined) return { what, value, unit, aim, met: null };
  // NaN fails every comparison.
  const met = value <= (most ?? Number.POSITIVE_INFINITY) && value >= (least ?? Number.NEGATIVE_INFINITY);
  return { what, value, unit, aim, met };
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

/** How many requests a bucket of 20 tokens, refilled at 10 a second, admits within a span of seconds. */
export const admissible = (seconds: number): number => 20 + 10 * seconds;

/** Rounds a value to what is worth reading: three digits or whole numbers. */
function shown(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toFixed(digits);
}

function bounds({ most, least }: Bound): string {
  if (most !== undefined && least !== undefined) return `${least} to ${most}`;
  if (most !== undefined) return `≤ ${most}`;
  return least === undefined ? '' : `≥ ${least}`;
}

const VERDICTS = new Map<boolean | null, string>([
  [true, 'met'],
  [false, 'NOT MET'],
  [null, ''],
]);

/** A line of the table on the terminal. */
export function line({ what, value, unit, aim, met }: Finding): string {
  const measured = `${shown(value)} ${unit}`;
  return `  ${what.padEnd(66)}${measured.padStart(14)}  ${bounds(aim).padEnd(12)}${VERDICTS.get(met)}`.trimEnd();
}
