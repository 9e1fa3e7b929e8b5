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
export function before(key: Buffer): Edge {
  return { up: key, down: Buffer.concat([inverted(key), FF]) };
}

/** The edge directly above a key and above all compound keys that begin with it. */
export function after(key: Buffer): Edge {
  return { up: Buffer.concat([key, FF]), down: inverted(key) };
}

/** The edge below the keys of one type; its tag is not 0. */
export function atTag(tag: number): Edge {
  return { up: Buffer.from([tag]), down: Buffer.from([(~tag & 0xff) + 1]) };
}

/** The interval of one value. */
export function pointAt(key: Buffer): Interval {
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

/** Whether every interval of `inner` lies within one of `outer`. */
export function within(inner: readonly Interval[], outer: readonly Interval[]): boolean {
  return inner.every((each) =>
    outer.some((one) => Buffer.compare(one.low.up, each.low.up) <= 0 && Buffer.compare(each.high.up, one.high.up) <= 0),
  );
}
