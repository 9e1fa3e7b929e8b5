import { type Bounds, implies, type PathBounds } from './bounds.ts';
import { type Index, isMultikey } from './indexes.ts';
import { type Edge, type Interval, intersect } from './intervals.ts';
import type { KeyTest, SortField } from './key-parts.ts';
import type { Doc, Value } from './values.ts';

/** A range of an index: keys from `low` up to but not including `high`. */
export interface Range {
  readonly low: Uint8Array;
  readonly high: Uint8Array;
}

/** How to find the documents of a filter. */
export interface Plan {
  /** If undefined, the whole collection is scanned. */
  readonly index: Index | undefined;
  readonly ranges: readonly Range[];
  /** Whether reading the ranges, merged if need be, gives the requested order. */
  readonly sorted: boolean;
  /** The field by which the ranges must be merged for that order; the fields before it are fixed in each range. */
  readonly mergedBy: number | undefined;
  readonly reverse: boolean;
  /** Whether everything in the ranges matches, so that documents need not be read. */
  readonly covered: boolean;
  /**
   * Conditions on fields of the index that do not bound the ranges. If a key fails one, its document need not be read.
   */
  readonly tests: readonly KeyTest[];
  /** Whether ranges and tests together express the whole filter, so that keys decide whether a document matches. */
  readonly decidable: boolean;
  /** Whether a document may be found more than once. */
  readonly repeats: boolean;
  /** The paths that bound the ranges. Plans with the same paths and ranges find about the same number of documents. */
  readonly bounded: string;
  /** Whether each range fixes each field of a unique index to one value. */
  readonly fixed: boolean;
}

export interface Query {
  readonly filter: Doc;
  readonly sort: readonly SortField[];
  /** How many documents will be read at most; 0 means all. */
  readonly limit: number;
  /** Whether only the number of documents is wanted; then keys may be enough. */
  readonly counting?: boolean;
  /** The name or the key of the index to use. */
  readonly hint?: Value | undefined;
}

/** A plan has at most this many ranges; keys are tested for the conditions that would need more. */
const MAX_RANGES = 2000;

const WHOLE: Edge = { up: Buffer.alloc(0), down: Buffer.from([0xff]) };
const END: Edge = { up: Buffer.from([0xff]), down: Buffer.alloc(0) };
const FULL: Interval = { low: WHOLE, high: END, point: false };

/** The intervals that an index can use for one of its fields. */
function usable(index: Index, field: number, bounds: Bounds): readonly Interval[] | undefined {
  const list = bounds.paths.get((index.fields[field] as { path: string }).path);
  if (list === undefined) return undefined;
  const [first, ...others] = list as [PathBounds, ...PathBounds[]];
  if (!isMultikey(index, field)) return others.reduce((all, each) => intersect(all, each.intervals), first.intervals);
  // Different elements of an array may fulfil different conditions, so only one condition can bound the keys.
  const allPoints = ({ intervals }: PathBounds): boolean => intervals.every((each) => each.point);
  const points = list.filter(allPoints).sort((a, b) => a.intervals.length - b.intervals.length);
  return (points[0] ?? first).intervals;
}

/** Builds the plan that reads one index. Undefined if documents that match may be missing from the index. */
export function planIndex(index: Index, query: Query, bounds: Bounds): Plan | undefined {
  if (index.partialFilter !== undefined && !implies(bounds, index.partialFilter)) return undefined;
  let prefixes = [Buffer.alloc(0)];
  let points = 0;
  let tail: readonly Interval[] = [FULL];
  for (; points < index.fields.length; points++) {
    const intervals = usable(index, points, bounds);
    if (intervals === undefined || intervals.length * prefixes.length > MAX_RANGES) break;
    if (!intervals.every((each) => each.point)) {
      tail = intervals;
      break;
    }
    const keys = intervals.map((each) => edges(each, directionOf(index, points)).low);
    prefixes = prefixes.flatMap((prefix) => keys.map((key) => Buffer.concat([prefix, key])));
  }
  const order = sortOrder(index, query.sort, points, bounds);
  const ends = tail.map((interval) => edges(interval, interval === FULL ? 1 : directionOf(index, points)));
  const ranges = prefixes.flatMap((prefix) =>
    ends.map(({ low, high }): Range => ({ low: Buffer.concat([prefix, low]), high: Buffer.concat([prefix, high]) })),
  );
  const used = tail[0] === FULL ? points : points + 1;
  const tests = keyTests(index, bounds, used);
  const decidable = isDecidable(index, bounds);
  const multikey = index.multikey !== 0;
  return {
    index,
    ranges: ranges.filter((range) => Buffer.compare(range.low, range.high) < 0),
    sorted: order !== undefined,
    mergedBy: ranges.length > 1 ? order?.from : undefined,
    reverse: order?.reverse ?? false,
    covered: decidable && tests.length === 0,
    tests,
    decidable,
    // If the leading fields are fixed to one value each and no other field is multikey, a document has only one key in
    // the range.
    repeats: multikey && (ranges.length > 1 || index.multikey >> points !== 0),
    bounded: index.fields
      .slice(0, used)
      .map((field) => field.path)
      .join(),
    fixed: index.unique && points === index.fields.length,
  };
}

/** The edges of an interval in the index's order. */
function edges(interval: Interval, direction: 1 | -1): { low: Buffer; high: Buffer } {
  return direction === 1
    ? { low: interval.low.up, high: interval.high.up }
    : { low: interval.high.down, high: interval.low.down };
}

const directionOf = (index: Index, field: number): 1 | -1 => (index.fields[field] as { direction: 1 | -1 }).direction;

interface Order {
  /** The field at which the order begins; the fields before it are fixed in each range. Undefined if any order will do. */
  readonly from: number | undefined;
  readonly reverse: boolean;
}

/** Whether reading an index gives the order of a sort: after the fixed fields, its fields must be those of the sort. */
function sortOrder(index: Index, sort: readonly SortField[], points: number, bounds: Bounds): Order | undefined {
  const fixed = (path: string): boolean => {
    const field = index.fields.findIndex((each) => each.path === path);
    if (field < 0 || field >= points || isMultikey(index, field)) return false;
    return usable(index, field, bounds)?.length === 1;
  };
  const wanted = sort.filter((field) => !fixed(field.path));
  if (wanted.length === 0) return { from: undefined, reverse: false };
  for (let from = points; from >= 0; from--) {
    const fields = index.fields.slice(from, from + wanted.length);
    if (fields.length < wanted.length) continue;
    const reverse = fields[0]?.direction !== wanted[0]?.direction;
    const fits = wanted.every((each, i) => {
      const field = fields[i];
      if (field === undefined || field.path !== each.path || isMultikey(index, from + i)) return false;
      return (field.direction !== each.direction) === reverse;
    });
    if (fits) return { from, reverse };
  }
  return undefined;
}

/** The conditions on fields that come after those that bound the ranges. */
function keyTests(index: Index, bounds: Bounds, from: number): KeyTest[] {
  return index.fields.flatMap((_, field) => {
    const intervals = field < from ? undefined : usable(index, field, bounds);
    return intervals === undefined ? [] : [{ field, intervals }];
  });
}

/** Whether ranges and tests, which are for every field of the index, together express the whole filter. */
function isDecidable(index: Index, bounds: Bounds): boolean {
  return (
    bounds.complete &&
    [...bounds.paths].every(([path, list]) => {
      const field = index.fields.findIndex((each) => each.path === path);
      const isOne = list.length === 1 || !isMultikey(index, field);
      return field >= 0 && isOne && list.every((each) => each.exact);
    })
  );
}
