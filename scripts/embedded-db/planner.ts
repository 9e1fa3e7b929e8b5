import {
  type Bounds,
  boundsOf,
  demandsValue,
  type Edge,
  type Interval,
  implies,
  intersect,
  MAX_POINTS,
  type PathBounds,
} from './bounds.ts';
import type { Collection } from './catalogue.ts';
import { equalValues } from './compare.ts';
import { fail } from './errors.ts';
import type { Index } from './indexes.ts';
import { isNumeric, toNumber } from './numbers.ts';
import { type Doc, isDoc, type Value } from './values.ts';

/** A stretch of an index: keys from `low` up to but not including `high`. */
export interface Range {
  readonly low: Buffer;
  readonly high: Buffer;
  /** Bytes of the key that are the same in the whole range and do not take part in the order asked for. */
  readonly prefix: number;
}

/** How to find the documents of a filter. */
export interface Plan {
  /** Undefined scans the whole collection. */
  readonly index: Index | undefined;
  readonly ranges: readonly Range[];
  /** Whether reading the ranges, merged by what follows their prefixes, gives the order asked for. */
  readonly sorted: boolean;
  /** Whether the ranges have to be merged for that. */
  readonly merge: boolean;
  readonly reverse: boolean;
  /** Whether everything in the ranges matches, so that documents need not be looked at. */
  readonly covered: boolean;
  /** Whether a document may be found more than once. */
  readonly repeats: boolean;
  /** The paths that bound the ranges: plans with the same paths and ranges find about as much. */
  readonly bounded: string;
  /** Whether all of the index's fields are fixed by one value each. */
  readonly fixed: boolean;
}

/** A field of a sort, checked. */
export interface SortField {
  readonly path: string;
  readonly direction: 1 | -1;
}

export interface Query {
  readonly filter: Doc;
  readonly sort: readonly SortField[];
  /** How many documents will be read at most; 0 means all. */
  readonly limit: number;
  /** Whether only the number of documents is wanted, for which keys may do. */
  readonly counting?: boolean;
  /** The name or the key of the index to use, or $natural. */
  readonly hint?: Value | undefined;
}

/** Checks a sort specification (manual: "cursor.sort()"). `$natural` asks for no order here. */
export function parseSort(sort: Value | undefined): SortField[] {
  if (sort === undefined || sort === null) return [];
  if (!isDoc(sort)) return fail(14, 'Expected field sort to be of type object');
  const fields = Object.entries(sort).map(([path, direction]): SortField => {
    if (isDoc(direction)) return fail(2, '$meta sorts are not supported by this database');
    const number = isNumeric(direction) ? toNumber(direction) : 0;
    if (number !== 1 && number !== -1) {
      return fail(15975, '$sort key ordering must be 1 (for ascending) or -1 (for descending)');
    }
    if (path === '' || path.split('.').includes('')) fail(15998, 'FieldPath field names may not be empty strings.');
    if (path.startsWith('$') && path !== '$natural') fail(16410, "FieldPath field names may not start with '$'.");
    return { path, direction: number };
  });
  if (fields.some((field) => field.path === '$natural') && fields.length > 1) {
    fail(2, "Cannot include '$natural' in compound sort");
  }
  return fields;
}

const WHOLE: Edge = { up: Buffer.alloc(0), down: Buffer.from([0xff]) };
const END: Edge = { up: Buffer.from([0xff]), down: Buffer.alloc(0) };
const FULL: Interval = { low: WHOLE, high: END, point: false };

/** Keys counted to tell a selective index from another; beyond it a range counts as large. */
const COUNT_CAP = 2000;
const LONG_COUNT_CAP = 100_000;
/** Ranges counted; the others are taken to be like them. */
const SAMPLED_RANGES = 24;

/** The intervals that an index can use for one of its fields. */
function usable(index: Index, field: number, bounds: Bounds): readonly Interval[] | undefined {
  const list = bounds.paths.get((index.fields[field] as { path: string }).path);
  if (list === undefined) return undefined;
  const [first, ...others] = list as [PathBounds, ...PathBounds[]];
  if (!index.isMultikey(field)) return others.reduce((all, each) => intersect(all, each.intervals), first.intervals);
  // Different elements of an array may fulfil different conditions: only one can bound the keys.
  const allPoints = ({ intervals }: PathBounds): boolean => intervals.every((each) => each.point);
  const points = list.filter(allPoints).sort((a, b) => a.intervals.length - b.intervals.length);
  return (points[0] ?? first).intervals;
}

/**
 * Whether a field may go through the same array as an earlier one. Its keys come from the same element then, while
 * conditions on the two may be met by different elements, so that only one of them bounds the keys.
 */
function sharesArray(index: Index, field: number): boolean {
  const root = index.fields[field]?.parts[0];
  if (!index.isMultikey(field)) return false;
  return index.fields.slice(0, field).some((each, i) => index.isMultikey(i) && each.parts[0] === root);
}

interface Prefix {
  readonly bytes: Buffer;
  /** Length of the key after each of the leading fields. */
  readonly lengths: readonly number[];
}

/** Builds the plan that reads one index, or undefined when the index may lack documents that match. */
function planIndex(index: Index, query: Query, bounds: Bounds): Plan | undefined {
  if (index.partialFilter !== undefined && !implies(bounds, index.partialFilter)) return undefined;
  if (index.sparse && !index.fields.some((field) => demandsValue(bounds, field.path))) return undefined;
  let prefixes: Prefix[] = [{ bytes: Buffer.alloc(0), lengths: [0] }];
  let points = 0;
  let tail: readonly Interval[] = [FULL];
  let widened = false;
  for (; points < index.fields.length; points++) {
    const intervals = sharesArray(index, points) ? undefined : usable(index, points, bounds);
    if (intervals === undefined) break;
    widened = intervals.length * prefixes.length > MAX_POINTS;
    if (widened || !intervals.every((each) => each.point)) {
      tail = widened ? hull(intervals) : intervals;
      break;
    }
    prefixes = prefixes.flatMap((prefix) => intervals.map((each) => extend(prefix, each, index, points)));
  }
  const order = sortOrder(index, query.sort, points, bounds);
  const narrowed = order === undefined ? undefined : points;
  const ranges = prefixes.flatMap((prefix) =>
    tail.map((interval) =>
      makeRange(index, prefix, interval, bounds, points, narrowed === undefined ? points : (order as Order).from),
    ),
  );
  const used = tail[0] === FULL ? points : points + 1;
  const multikey = index.multikey !== 0;
  return {
    index,
    ranges: ranges.filter((range) => Buffer.compare(range.low, range.high) < 0),
    sorted: order !== undefined,
    merge: order?.merge === true && ranges.length > 1,
    reverse: order?.reverse ?? false,
    covered: !widened && isCovered(index, bounds, used),
    repeats: multikey && (ranges.length > 1 || points < index.fields.length),
    bounded: index.fields
      .slice(0, used)
      .map((field) => field.path)
      .join(),
    fixed: points === index.fields.length && prefixes.length === 1,
  };
}

function hull(intervals: readonly Interval[]): Interval[] {
  const [first, last] = [intervals[0], intervals.at(-1)];
  return first === undefined || last === undefined ? [] : [{ low: first.low, high: last.high, point: false }];
}

/** The edges of an interval as they lie in the index. */
function edges(interval: Interval, direction: 1 | -1): { low: Buffer; high: Buffer } {
  return direction === 1
    ? { low: interval.low.up, high: interval.high.up }
    : { low: interval.high.down, high: interval.low.down };
}

const directionOf = (index: Index, field: number): 1 | -1 => (index.fields[field] as { direction: 1 | -1 }).direction;

function extend(prefix: Prefix, point: Interval, index: Index, field: number): Prefix {
  const key = directionOf(index, field) === 1 ? point.low.up : point.high.down;
  const bytes = Buffer.concat([prefix.bytes, key]);
  return { bytes, lengths: [...prefix.lengths, bytes.length] };
}

function makeRange(
  index: Index,
  prefix: Prefix,
  interval: Interval,
  bounds: Bounds,
  points: number,
  from: number,
): Range {
  let low: Buffer;
  let high: Buffer;
  if (interval === FULL) {
    low = prefix.bytes;
    high = Buffer.concat([prefix.bytes, Buffer.from([0xff])]);
  } else {
    const ends = edges(interval, directionOf(index, points));
    low = Buffer.concat([prefix.bytes, ends.low]);
    high = Buffer.concat([prefix.bytes, ends.high]);
    const tighter = branchHull(index, prefix, bounds, points);
    if (tighter !== undefined) {
      if (Buffer.compare(tighter.low, low) > 0) low = tighter.low;
      if (Buffer.compare(tighter.high, high) < 0) high = tighter.high;
    }
  }
  return { low, high, prefix: prefix.lengths[Math.min(from, prefix.lengths.length - 1)] as number };
}

/**
 * The stretch that holds all branches of an `$or` such as a keyset's `{a: {$lt: x}}, {a: x, b: {$lt: y}}`, which in a
 * compound index begins right at (x, y).
 */
function branchHull(
  index: Index,
  prefix: Prefix,
  bounds: Bounds,
  points: number,
): { low: Buffer; high: Buffer } | undefined {
  if (bounds.branches.length === 0 || index.multikey >> points !== 0) return undefined;
  let low: Buffer | undefined;
  let high: Buffer | undefined;
  for (const branch of bounds.branches) {
    let bytes = prefix.bytes;
    let ends: { low: Buffer; high: Buffer } | undefined;
    for (let field = points; field < index.fields.length && ends === undefined; field++) {
      const intervals = usable(index, field, branch);
      const [only] = intervals ?? [];
      if (intervals === undefined || only === undefined) break;
      const direction = directionOf(index, field);
      if (intervals.length === 1 && only.point) bytes = Buffer.concat([bytes, edges(only, direction).low]);
      else ends = edges(hull(intervals)[0] as Interval, direction);
    }
    const start = ends === undefined ? bytes : Buffer.concat([bytes, ends.low]);
    const end = Buffer.concat([bytes, ends === undefined ? Buffer.from([0xff]) : ends.high]);
    if (low === undefined || Buffer.compare(start, low) < 0) low = start;
    if (high === undefined || Buffer.compare(end, high) > 0) high = end;
  }
  return low === undefined || high === undefined ? undefined : { low, high };
}

interface Order {
  /** The field at which the order begins; those before it are fixed in each range. */
  readonly from: number;
  readonly reverse: boolean;
  readonly merge: boolean;
}

/** Whether an index gives a sort: after fields that are fixed, its fields are those of the sort. */
function sortOrder(index: Index, sort: readonly SortField[], points: number, bounds: Bounds): Order | undefined {
  const fixed = (path: string): boolean => {
    const field = index.fields.findIndex((each) => each.path === path);
    if (field < 0 || field >= points || index.isMultikey(field)) return false;
    return usable(index, field, bounds)?.length === 1;
  };
  const wanted = sort.filter((field) => !fixed(field.path));
  if (wanted.length === 0) return { from: points, reverse: false, merge: false };
  if (wanted[0]?.path === '$natural') return undefined;
  for (let from = points; from >= 0; from--) {
    const fields = index.fields.slice(from, from + wanted.length);
    if (fields.length < wanted.length) continue;
    const reverse = fields[0]?.direction !== wanted[0]?.direction;
    const fits = wanted.every((each, i) => {
      const field = fields[i];
      if (field === undefined || field.path !== each.path || index.isMultikey(from + i)) return false;
      return (field.direction !== each.direction) === reverse;
    });
    if (fits) return { from, reverse, merge: true };
  }
  return undefined;
}

/** Whether the first fields of an index say everything that the filter asks. */
function isCovered(index: Index, bounds: Bounds, used: number): boolean {
  if (!bounds.complete) return false;
  const known = new Set(index.fields.slice(0, used).map((field) => field.path));
  for (const [path, list] of bounds.paths) {
    if (!known.has(path) || !list.every((each) => each.exact)) return false;
    const field = index.fields.findIndex((each) => each.path === path);
    if (index.isMultikey(field) && (list.length > 1 || list.some((each) => each.nullish))) return false;
  }
  return true;
}

/** Counts the keys in a plan's ranges, up to a cap; of many ranges only some are counted. */
function countRanges(collection: Collection, plan: Plan, cap: number): number {
  const { index, ranges } = plan;
  if (index === undefined) return collection.nextRow - 1;
  const step = Math.max(1, Math.floor(ranges.length / SAMPLED_RANGES));
  const text = `SELECT count(*) FROM (SELECT 1 FROM ${index.table} WHERE ${index.keyColumn} >= ? AND ${index.keyColumn} < ? LIMIT ?)`;
  let total = 0;
  for (let i = 0; i < ranges.length && total * step < cap; i += step) {
    const { low, high } = ranges[i] as Range;
    total += collection.statements.get(text, low, high, cap)[0] as number;
  }
  return total * step;
}

/** A whole scan in the order of insertion. */
const scanPlan = (sorted: boolean, covered: boolean, reverse = false): Plan => ({
  index: undefined,
  ranges: [],
  sorted,
  merge: false,
  reverse,
  covered,
  repeats: false,
  bounded: '',
  fixed: false,
});

/**
 * Chooses how to find the documents of a query. Where several indexes would do, keys are counted, up to a cap, rather
 * than guessed: an index that is in the order asked for may still be worse than a far more selective one.
 * Fails with 2 when the hint names no index.
 */
export function choosePlan(collection: Collection, query: Query): Plan {
  const bounds = boundsOf(query.filter);
  const empty = bounds.complete && bounds.paths.size === 0;
  if (query.sort[0]?.path === '$natural') return scanPlan(true, empty, query.sort[0].direction === -1);
  const scan = scanPlan(query.sort.length === 0, empty);
  if (query.hint !== undefined) return hinted(collection, query, bounds, scan);
  if (empty && query.sort.length === 0) return scan;
  const plans: Plan[] = [];
  for (const index of collection.allIndexes) {
    const plan = planIndex(index, query, bounds);
    if (plan === undefined) continue;
    if (plan.ranges.length === 0) return plan;
    if (index.unique && plan.fixed) return plan;
    const bounded = bounds.paths.has((index.fields[0] as { path: string }).path);
    if (bounded || (plan.sorted && query.sort.length > 0)) plans.push(plan);
  }
  if (plans.length === 0) return scan;
  const [only] = plans;
  if (plans.length === 1 && only !== undefined && isBounded(only)) return only;
  return cheapest(collection, query, plans, scan);
}

const isBounded = (plan: Plan): boolean => (plan.ranges[0]?.low.length ?? 0) > 0 || plan.ranges.length > 1;

/**
 * Relative costs: a document by an index, sorting it in memory, opening a range; a scan reads in order;
 * counting a key. */
const FETCH = 1;
const SORT = 0.3;
const OPEN = 1.5;
const SCAN = 0.6;
const COUNT = 0.02;

function cheapest(collection: Collection, query: Query, plans: readonly Plan[], scan: Plan): Plan {
  const quick = compareCosts(collection, query, plans, scan, COUNT_CAP);
  // A query that reads many documents is worth a longer look.
  if (quick.cost <= 2 * COUNT_CAP || quick.exact) return quick.plan;
  return compareCosts(collection, query, plans, scan, Math.min(LONG_COUNT_CAP, Math.ceil(quick.cost))).plan;
}

interface Choice {
  readonly plan: Plan;
  readonly cost: number;
  /** Whether no count reached the cap. */
  readonly exact: boolean;
}

function compareCosts(collection: Collection, query: Query, plans: readonly Plan[], scan: Plan, cap: number): Choice {
  const total = Math.max(1, collection.nextRow - 1);
  const known = new Map<string, number>();
  const counts = plans.map((plan) => {
    const count = known.get(plan.bounded) ?? (isBounded(plan) ? countRanges(collection, plan, cap) : total);
    known.set(plan.bounded, count);
    return count;
  });
  // What certainly is no fewer than the matching documents.
  const matches = Math.max(1, Math.min(total, ...counts));
  let best = scan;
  let bestCost = total * (scan.sorted ? FETCH : FETCH + SORT) * SCAN;
  if (scan.sorted && query.limit > 0) bestCost *= Math.min(1, query.limit / matches);
  for (const [i, plan] of plans.entries()) {
    const counted = counts[i] as number;
    // A range beyond the cap may be as large as the collection.
    const size = counted >= cap ? Math.max(counted, total) : counted;
    let read = size;
    if (plan.sorted && query.limit > 0) {
      read = Math.min(size, plan.covered ? query.limit : (size * query.limit) / matches);
    }
    const step = query.counting === true && plan.covered ? COUNT : plan.sorted ? FETCH : FETCH + SORT;
    const cost = read * step + plan.ranges.length * OPEN - preference(plan);
    if (cost < bestCost) {
      best = plan;
      bestCost = cost;
    }
  }
  return { plan: best, cost: bestCost, exact: counts.every((count) => count < cap) };
}

/** Among equals, the index that says more about the filter reads fewer documents in vain. */
function preference(plan: Plan): number {
  return Math.min(0.5, (plan.ranges[0]?.low.length ?? 0) / 1000) + (plan.covered ? 0.5 : 0);
}

function hinted(collection: Collection, query: Query, bounds: Bounds, scan: Plan): Plan {
  const { hint } = query;
  if (isDoc(hint) && '$natural' in hint) return scan;
  const index = collection.allIndexes.find((each) =>
    isDoc(hint) ? equalValues(each.spec.key, hint) : each.name === hint,
  );
  if (index === undefined)
    return fail(2, 'error processing query: hint provided does not correspond to an existing index');
  return planIndex(index, query, bounds) ?? scan;
}
