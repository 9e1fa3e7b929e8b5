import { type Interval, intervalsOf, normalize } from './intervals.ts';
import { isIndexed } from './keys.ts';
import { type Doc, isOperators, type Value } from './values.ts';

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

function collectPath(path: string, condition: Value, state: State): void {
  for (const [operator, operand] of Object.entries(isOperators(condition) ? condition : { $eq: condition })) {
    const intervals = indexedBy(operator, operand);
    if (intervals === undefined) state.complete = false;
    else put(state, path, { intervals, exact: true });
  }
}

/** The keys in an index of the values that an operator finds, if an index holds them. */
function indexedBy(operator: string, operand: Value): Interval[] | undefined {
  const intervals = intervalsOf(operator, operand);
  return intervals?.every(({ low }) => isIndexed(low.up[0] as number)) ? intervals : undefined;
}

/**
 * Whether every document that fulfils a filter is in a partial index (manual: "Partial Indexes"): each condition of the
 * index's filter must be a range within which the filter stays.
 */
export function implies(bounds: Bounds, partialFilter: Doc): boolean {
  return Object.entries(partialFilter).every(([path, condition]) => {
    if (path.startsWith('$') || !isOperators(condition)) return false;
    return Object.entries(condition).every(([operator, operand]) => {
      const wanted = indexedBy(operator, operand);
      return wanted && bounds.paths.get(path)?.some((each) => within(each.intervals, wanted)) === true;
    });
  });
}
