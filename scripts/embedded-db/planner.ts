import { type Bounds, boundsOf } from './bounds.ts';
import { allIndexes, type Collection } from './catalogue.ts';
import { fail } from './errors.ts';
import { equalValues } from './keys.ts';
import { type Plan, planIndex, type Query, type Range } from './plan-index.ts';

/** How many keys are counted to find out which index is more selective. A range with more keys counts as large. */
const COUNT_CAP = 2000;
const LONG_COUNT_CAP = 100_000;
/** How many ranges are counted; the others are assumed to be similar. */
const SAMPLED_RANGES = 24;

/** Counts the keys in a plan's ranges, up to a limit. If there are many ranges, only some are counted. */
function countRanges(collection: Collection, plan: Plan, cap: number): number {
  const { index, ranges } = plan;
  if (index === undefined) return collection.nextRow - 1;
  const step = Math.max(1, Math.floor(ranges.length / SAMPLED_RANGES));
  const text = `SELECT count(*) FROM (SELECT 1 FROM ${index.table} WHERE ${index.keyColumn} >= ? AND ${index.keyColumn} < ? LIMIT ?)`;
  let total = 0;
  for (let i = 0; i < ranges.length && total * step < cap; i += step) {
    const { low, high } = ranges[i] as Range;
    total += collection.database.get(text, low, high, cap)[0] as number;
  }
  return total * step;
}

/** A plan that reads the whole collection in the order of insertion. */
const scanPlan = (sorted: boolean, covered: boolean): Plan => ({
  index: undefined,
  ranges: [],
  sorted,
  mergedBy: undefined,
  reverse: false,
  covered,
  tests: [],
  decidable: covered,
  repeats: false,
  bounded: '',
  fixed: false,
});

/**
 * Chooses how to find the documents of a query. If several indexes are possible, their keys are counted, up to a limit,
 * instead of estimated: an index in the requested order may still be worse than one that is far more selective. Fails
 * with 2 if the hint names no index.
 */
export function choosePlan(collection: Collection, query: Query): Plan {
  const bounds = boundsOf(query.filter);
  const empty = bounds.complete && bounds.paths.size === 0;
  const scan = scanPlan(query.sort.length === 0, empty);
  if (query.hint !== undefined) return hinted(collection, query, bounds, scan);
  if (empty && query.sort.length === 0) return scan;
  const plans: Plan[] = [];
  for (const index of allIndexes(collection)) {
    const plan = planIndex(index, query, bounds);
    if (plan === undefined) continue;
    if (plan.ranges.length === 0) return plan;
    if (plan.fixed && plan.ranges.length === 1) return plan;
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
 * Relative costs: reading a document through an index, sorting it in memory, opening a range, reading it in a scan
 * (which reads in order), counting a key.
 */
const FETCH = 1;
const SORT = 0.3;
const OPEN = 1.5;
const SCAN = 0.6;
const COUNT = 0.02;

function cheapest(collection: Collection, query: Query, plans: readonly Plan[], scan: Plan): Plan {
  const quick = compareCosts(collection, query, plans, scan, COUNT_CAP);
  // For a query that reads many documents, counting more keys is worthwhile.
  if (quick.cost <= 2 * COUNT_CAP || quick.exact) return quick.plan;
  return compareCosts(collection, query, plans, scan, Math.min(LONG_COUNT_CAP, Math.ceil(quick.cost))).plan;
}

interface Choice {
  readonly plan: Plan;
  readonly cost: number;
  /** Whether no count reached the limit. */
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
  // An upper limit of the number of matching documents.
  const matches = Math.max(1, Math.min(total, ...counts));
  let best = scan;
  let bestCost = total * (scan.sorted ? FETCH : FETCH + SORT) * SCAN;
  // As in MongoDB, a condition that an index bounds is never served by a scan.
  if (plans.some(isBounded)) bestCost = Number.POSITIVE_INFINITY;
  else if (scan.sorted && query.limit > 0) bestCost *= Math.min(1, query.limit / matches);
  for (const [i, plan] of plans.entries()) {
    const counted = counts[i] as number;
    // A range beyond the limit may be as large as the collection.
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

/** If plans cost the same, the index that expresses more of the filter reads fewer documents that do not match. */
function preference(plan: Plan): number {
  return Math.min(0.5, (plan.ranges[0]?.low.length ?? 0) / 1000) + (plan.covered ? 0.5 : 0);
}

function hinted(collection: Collection, query: Query, bounds: Bounds, scan: Plan): Plan {
  const { hint } = query;
  const index = allIndexes(collection).find((each) => equalValues(each.spec.key, hint));
  if (index === undefined)
    return fail(2, 'error processing query: hint provided does not correspond to an existing index');
  return planIndex(index, query, bounds) ?? scan;
}
