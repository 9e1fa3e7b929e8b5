/** What the operators that compare mean, in keys: a filter tests values by it, and a plan reads ranges of an index. */
import { fail } from './errors.ts';
import { bracketOf, encodeKey, TAG } from './keys.ts';
import { isOperators, type Value } from './values.ts';

/**
 * A place between keys: its position among ascending keys, and its position among descending ones. A range of ascending
 * keys is [low.up, high.up), a range of descending keys [high.down, low.down).
 */
export interface Edge {
  readonly up: Buffer;
  readonly down: Buffer;
}

/** The values from one edge to another. A point holds one value and everything that follows it in a compound key. */
export interface Interval {
  readonly low: Edge;
  readonly high: Edge;
  readonly point: boolean;
}

const FF = Buffer.from([0xff]);
const inverted = (bytes: Buffer): Buffer => Buffer.from(bytes.map((byte) => ~byte));

/** The edge directly below a key. */
function before(key: Buffer): Edge {
  return { up: key, down: Buffer.concat([inverted(key), FF]) };
}

/** The edge directly above a key and above all compound keys that begin with it. */
function after(key: Buffer): Edge {
  return { up: Buffer.concat([key, FF]), down: inverted(key) };
}

/** The edge below the keys with a tag, which is not 0. */
function atTag(tag: number): Edge {
  return { up: Buffer.from([tag]), down: Buffer.from([(~tag & 0xff) + 1]) };
}

/** The interval of one value. */
function pointAt(value: Value): Interval {
  const key = encodeKey(value);
  return { low: before(key), high: after(key), point: true };
}

/** Sorts intervals and merges those that overlap. */
export function normalize(intervals: readonly Interval[]): Interval[] {
  const sorted = [...intervals].sort(
    (a, b) => Buffer.compare(a.low.up, b.low.up) || Buffer.compare(b.high.up, a.high.up),
  );
  const result: Interval[] = [];
  for (const each of sorted) {
    const last = result.at(-1);
    if (last === undefined || Buffer.compare(last.high.up, each.low.up) < 0) {
      if (Buffer.compare(each.low.up, each.high.up) < 0) result.push(each);
    } else if (Buffer.compare(each.high.up, last.high.up) > 0) {
      result[result.length - 1] = { low: last.low, high: each.high, point: false };
    }
  }
  return result;
}

/** The intervals common to two conditions on one value. */
export function intersect(a: readonly Interval[], b: readonly Interval[]): Interval[] {
  const result: Interval[] = [];
  let i = 0;
  let k = 0;
  while (i < a.length && k < b.length) {
    const [x, y] = [a[i] as Interval, b[k] as Interval];
    const low = Buffer.compare(x.low.up, y.low.up) >= 0 ? x.low : y.low;
    const xEndsFirst = Buffer.compare(x.high.up, y.high.up) < 0;
    const high = xEndsFirst ? x.high : y.high;
    if (Buffer.compare(low.up, high.up) < 0) result.push({ low, high, point: x.point || y.point });
    if (xEndsFirst) i++;
    else k++;
  }
  return result;
}

/** Whether a key, or a part of one, is in one of the intervals. @param direction of that part in its index */
export function isWithin(part: Uint8Array, intervals: readonly Interval[], direction: 1 | -1): boolean {
  // The intervals are in ascending order of values; among descending keys that is the descending order.
  let [low, high] = [0, intervals.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const each = intervals[middle] as Interval;
    const isBelow = direction === 1 ? Buffer.compare(part, each.low.up) < 0 : Buffer.compare(part, each.low.down) >= 0;
    const isAbove =
      direction === 1 ? Buffer.compare(part, each.high.up) >= 0 : Buffer.compare(part, each.high.down) < 0;
    if (!isBelow && !isAbove) return true;
    if (isBelow) high = middle - 1;
    else low = middle + 1;
  }
  return false;
}

/** The keys of the values that an operator finds, in order. Undefined if it does not compare; 2 for an `$in` of no list. */
export function intervalsOf(operator: string, operand: Value): Interval[] | undefined {
  switch (operator) {
    case '$eq':
      return [pointAt(operand)];
    case '$in':
      if (!Array.isArray(operand)) return fail(2, '$in and $nin need an array');
      if (operand.some(isOperators)) fail(2, 'cannot nest $ under $in or $nin');
      return normalize(operand.map(pointAt));
    case '$gt':
      return rangeOf(operand, after, undefined);
    case '$gte':
      return rangeOf(operand, before, undefined);
    case '$lt':
      return rangeOf(operand, undefined, before);
    case '$lte':
      return rangeOf(operand, undefined, after);
    default:
      return undefined;
  }
}

type EdgeAt = (key: Buffer) => Edge;

/** The values between the operand and one end of its bracket. Null and NaN are equal to themselves only. */
function rangeOf(operand: Value, low: EdgeAt | undefined, high: EdgeAt | undefined): Interval[] {
  const key = encodeKey(operand);
  const tag = key[0] as number;
  if (tag === TAG.null || tag === TAG.nan) return low === before || high === after ? [pointAt(operand)] : [];
  const bracket = bracketOf(tag);
  const first = bracket === TAG.nan ? TAG.negative : bracket;
  return [{ low: low?.(key) ?? atTag(first), high: high?.(key) ?? atTag(bracket + 8), point: false }];
}
