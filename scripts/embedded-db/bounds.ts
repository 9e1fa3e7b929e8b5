import { BRACKETS, encodeKey } from './keys.ts';
import { isOperators } from './matcher.ts';
import { type Doc, RANK, rankOf, type Value } from './values.ts';

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

/** The edge below the keys of one type; its tag is not 0. */
function atTag(tag: number): Edge {
  return { up: Buffer.from([tag]), down: Buffer.from([(~tag & 0xff) + 1]) };
}

/** The interval of one value. */
function pointAt(key: Buffer): Interval {
  return { low: before(key), high: after(key), point: true };
}

/** Sorts intervals and merges those that overlap. */
function normalize(intervals: readonly Interval[]): Interval[] {
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
function within(inner: readonly Interval[], outer: readonly Interval[]): boolean {
  return inner.every((each) =>
    outer.some((one) => Buffer.compare(one.low.up, each.low.up) <= 0 && Buffer.compare(each.high.up, one.high.up) <= 0),
  );
}

/**
 * What one condition of a filter says about a path: at least one of its values is in one of the intervals, which are in
 * order.
 */
export interface PathBounds {
  readonly intervals: readonly Interval[];
  /** Whether the condition requires nothing more than a value in the intervals. */
  readonly exact: boolean;
}

/** What a filter says about its paths. All conditions must hold. */
export interface Bounds {
  readonly paths: ReadonlyMap<string, readonly PathBounds[]>;
  /** Whether the conditions on paths make up the whole filter. */
  readonly complete: boolean;
}

/** Reads what a valid filter says about its paths. Conditions without useful bounds make the result incomplete. */
export function boundsOf(filter: Doc): Bounds {
  const paths = new Map<string, PathBounds[]>();
  const state = { paths, complete: true };
  collect(filter, state);
  return state;
}

interface State {
  readonly paths: Map<string, PathBounds[]>;
  complete: boolean;
}

function put(state: State, path: string, bounds: PathBounds): void {
  const list = state.paths.get(path);
  if (list === undefined) state.paths.set(path, [bounds]);
  else list.push(bounds);
}

function collect(filter: Doc, state: State): void {
  for (const [name, value] of Object.entries(filter)) {
    if (name === '$and' && Array.isArray(value)) for (const each of value) collect(each as Doc, state);
    else if (name === '$or' && Array.isArray(value)) collectOr(value as Doc[], state);
    else if (name.startsWith('$')) state.complete = false;
    else collectPath(name, value, state);
  }
}

function collectOr(clauses: readonly Doc[], state: State): void {
  const branches = clauses.map(boundsOf);
  const [first] = branches as [Bounds];
  let onePath = false;
  for (const path of first.paths.keys()) {
    const lists = branches.map((branch) => branch.paths.get(path));
    if (lists.some((list) => list === undefined)) continue;
    // If a branch has several conditions on a path, any one of them may be used, because each holds in its branch.
    const chosen = lists.map((list) => (list as PathBounds[])[0] as PathBounds);
    const exact = branches.every(
      (branch, i) => branch.complete && branch.paths.size === 1 && lists[i]?.length === 1 && chosen[i]?.exact === true,
    );
    put(state, path, {
      intervals: normalize(chosen.flatMap((each) => each.intervals)),
      exact,
    });
    onePath ||= exact;
  }
  if (!onePath) state.complete = false;
}

function collectPath(path: string, value: Value, state: State): void {
  if (!isOperators(value)) {
    add(state, path, equalities([value]));
    return;
  }
  for (const [operator, operand] of Object.entries(value)) {
    add(state, path, operatorBounds(operator, operand));
  }
}

function add(state: State, path: string, bounds: PathBounds | undefined): void {
  if (bounds === undefined) state.complete = false;
  else put(state, path, bounds);
}

const hasKey = (value: Value): boolean => value === null || BRACKETS[rankOf(value)] !== undefined;

/** The bounds of what equals one of the values. */
function equalities(values: readonly Value[]): PathBounds | undefined {
  if (!values.every(hasKey)) return undefined;
  const intervals = normalize(values.map((value) => pointAt(encodeKey(value))));
  return { intervals, exact: true };
}

function operatorBounds(operator: string, operand: Value): PathBounds | undefined {
  switch (operator) {
    case '$eq':
      return equalities([operand]);
    case '$in':
      return Array.isArray(operand) ? equalities(operand) : undefined;
    case '$gt':
    case '$gte':
    case '$lt':
    case '$lte':
      return rangeBounds(operator, operand);
    default:
      return undefined;
  }
}

function rangeBounds(operator: '$gt' | '$gte' | '$lt' | '$lte', operand: Value): PathBounds | undefined {
  const orEqual = operator === '$gte' || operator === '$lte';
  const rank = rankOf(operand);
  if (!hasKey(operand)) return undefined;
  const single = rank === RANK.null || Number.isNaN(operand);
  if (single) {
    const intervals = orEqual ? [pointAt(encodeKey(operand))] : [];
    return { intervals, exact: true };
  }
  const [from, to] = BRACKETS[rank] as readonly [number, number];
  const key = encodeKey(operand);
  const interval =
    operator === '$gt' || operator === '$gte'
      ? { low: orEqual ? before(key) : after(key), high: atTag(to), point: false }
      : { low: atTag(from), high: orEqual ? after(key) : before(key), point: false };
  return { intervals: [interval], exact: true };
}

/**
 * Whether every document that fulfils a filter is in a partial index (manual: "Partial Indexes"): each condition of the
 * index's filter must be an exact range within which the filter stays.
 */
export function implies(bounds: Bounds, partialFilter: Doc): boolean {
  return Object.entries(partialFilter).every(([path, condition]) => {
    if (path.startsWith('$') || !isOperators(condition)) return false;
    return Object.entries(condition).every(([operator, operand]) => {
      const wanted = operatorBounds(operator, operand);
      if (wanted?.exact !== true) return false;
      return bounds.paths.get(path)?.some((each) => within(each.intervals, wanted.intervals)) === true;
    });
  });
}
