import { BSONRegExp } from 'bson';
import { after, atPrefix, atTag, before, type Interval, intersect, normalize, pointAt, within } from './intervals.ts';
import { BRACKETS, encodeKey, TAG } from './keys.ts';
import { isNumeric, toNumber } from './numbers.ts';
import { isTruthy } from './operators.ts';
import { isOperators, isUnbounded } from './value-tests.ts';
import { type Doc, isDoc, RANK, rankOf, type Value } from './values.ts';

/**
 * What one condition of a filter says about a path: at least one of its values is in one of the intervals, which are in
 * order.
 */
export interface PathBounds {
  readonly intervals: readonly Interval[];
  /** Whether the condition requires nothing more than a value in the intervals. */
  readonly exact: boolean;
  /** Whether null is among the values; it also matches missing fields. */
  readonly nullish: boolean;
}

/** What a filter says about its paths. All conditions must hold. */
export interface Bounds {
  readonly paths: ReadonlyMap<string, readonly PathBounds[]>;
  /** Whether the conditions on paths make up the whole filter. */
  readonly complete: boolean;
  /** The branches of the first `$or` whose branches are all bounded; at least one of them holds. */
  readonly branches: readonly Bounds[];
}

/** More points than this are treated as one range. */
export const MAX_POINTS = 2000;

/** Reads what a valid filter says about its paths. Conditions without useful bounds make the result incomplete. */
export function boundsOf(filter: Doc): Bounds {
  const paths = new Map<string, PathBounds[]>();
  const state = { paths, complete: true, branches: [] as Bounds[] };
  collect(filter, '', state);
  return state;
}

interface State {
  readonly paths: Map<string, PathBounds[]>;
  complete: boolean;
  branches: readonly Bounds[];
}

function put(state: State, path: string, bounds: PathBounds): void {
  const list = state.paths.get(path);
  if (list === undefined) state.paths.set(path, [bounds]);
  else list.push(bounds);
}

function collect(filter: Doc, prefix: string, state: State): void {
  for (const [name, value] of Object.entries(filter)) {
    if (name === '$and' && Array.isArray(value)) for (const each of value) collect(each as Doc, prefix, state);
    else if (name === '$or' && Array.isArray(value)) collectOr(value as Doc[], prefix, state);
    else if (name === '$comment') continue;
    else if (name.startsWith('$')) state.complete = false;
    else collectPath(prefix + name, value, state);
  }
}

function collectOr(clauses: readonly Doc[], prefix: string, state: State): void {
  if (clauses.length === 1) {
    collect(clauses[0] as Doc, prefix, state);
    return;
  }
  const branches = clauses.map((clause): Bounds => {
    const branch: State = { paths: new Map(), complete: true, branches: [] };
    collect(clause, prefix, branch);
    return branch;
  });
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
      nullish: chosen.some((each) => each.nullish),
    });
    onePath ||= exact;
  }
  if (!onePath) state.complete = false;
  if (state.branches.length === 0) state.branches = branches;
}

function collectPath(path: string, value: Value, state: State): void {
  if (!isOperators(value)) {
    add(state, path, equality(value));
    return;
  }
  for (const [operator, operand] of Object.entries(value)) {
    if (operator === '$elemMatch' && isDoc(operand)) {
      state.complete = false;
      collectElemMatch(path, operand, state);
    } else if (operator === '$all' && Array.isArray(operand)) {
      state.complete = false;
      for (const item of operand) if (!isOperators(item)) addInexact(state, path, equality(item));
    } else add(state, path, operatorBounds(operator, operand, value));
  }
}

function add(state: State, path: string, bounds: PathBounds | undefined): void {
  if (bounds === undefined) state.complete = false;
  else put(state, path, bounds);
}

function addInexact(state: State, path: string, bounds: PathBounds | undefined): void {
  if (bounds !== undefined) put(state, path, { ...bounds, exact: false });
}

/**
 * A single element fulfils all of the operators, so their intervals may be intersected even if the path is multikey.
 */
function collectElemMatch(path: string, operand: Doc, state: State): void {
  if (!isOperators(operand)) {
    collect(operand, `${path}.`, state);
    return;
  }
  let joined: PathBounds | undefined;
  for (const [operator, inner] of Object.entries(operand)) {
    const bounds = operatorBounds(operator, inner, operand);
    if (bounds === undefined) continue;
    joined =
      joined === undefined
        ? { ...bounds, exact: false }
        : {
            ...joined,
            intervals: intersect(joined.intervals, bounds.intervals),
            nullish: joined.nullish && bounds.nullish,
          };
  }
  if (joined !== undefined) put(state, path, joined);
}

function equality(value: Value): PathBounds | undefined {
  if (Array.isArray(value)) return undefined;
  if (value instanceof BSONRegExp) return regexBounds(value);
  return { intervals: [pointAt(encodeKey(value))], exact: true, nullish: value === null };
}

function operatorBounds(operator: string, operand: Value, all: Doc): PathBounds | undefined {
  switch (operator) {
    case '$eq':
      return Array.isArray(operand) || operand instanceof BSONRegExp ? undefined : equality(operand);
    case '$in':
      return inBounds(operand);
    case '$gt':
    case '$gte':
    case '$lt':
    case '$lte':
      return rangeBounds(operator, operand);
    case '$regex':
      if (operand instanceof BSONRegExp) return all.$options === undefined ? regexBounds(operand) : undefined;
      return regexBounds(new BSONRegExp(String(operand), String(all.$options ?? '')));
    case '$exists':
      // The key distinguishes every value except null and missing, and null itself also counts as existing.
      return undefined;
    default:
      return undefined;
  }
}

function inBounds(operand: Value): PathBounds | undefined {
  if (!Array.isArray(operand)) return undefined;
  if (operand.some((item) => Array.isArray(item) || item instanceof BSONRegExp)) return undefined;
  return {
    intervals: normalize(operand.map((item) => pointAt(encodeKey(item)))),
    exact: true,
    nullish: operand.includes(null),
  };
}

function rangeBounds(operator: '$gt' | '$gte' | '$lt' | '$lte', operand: Value): PathBounds | undefined {
  const orEqual = operator === '$gte' || operator === '$lte';
  const rank = rankOf(operand);
  if (isUnbounded(operand) || rank === RANK.array || rank === RANK.regex) return undefined;
  const single = rank === RANK.null || (isNumeric(operand) && Number.isNaN(toNumber(operand)));
  if (single) {
    const intervals = orEqual ? [pointAt(encodeKey(operand))] : [];
    return { intervals, exact: true, nullish: rank === RANK.null && orEqual };
  }
  const [from, to] = BRACKETS[rank] as readonly [number, number];
  const key = encodeKey(operand);
  const interval =
    operator === '$gt' || operator === '$gte'
      ? { low: orEqual ? before(key) : after(key), high: atTag(to), point: false }
      : { low: atTag(from), high: orEqual ? after(key) : before(key), point: false };
  return { intervals: [interval], exact: true, nullish: false };
}

/**
 * A case-sensitive pattern that begins with `^` and plain characters bounds the strings. A stored regex may also equal
 * it.
 */
function regexBounds({ pattern, options }: BSONRegExp): PathBounds | undefined {
  const prefix = /^\^([\p{L}\p{N} _,;:@#%&='"<>/-]+)/u.exec(pattern)?.[1];
  if (prefix === undefined || options !== '' || pattern.includes('|')) return undefined;
  const optional = /^[*?{]/.test(pattern.slice(prefix.length + 1));
  const text = optional ? [...prefix].slice(0, -1).join('') : prefix;
  if (text === '') return undefined;
  const low = Buffer.from(`${String.fromCharCode(TAG.string)}${text}`);
  const high = Buffer.from(low);
  high[high.length - 1] = (high.at(-1) as number) + 1;
  const strings = { low: atPrefix(low), high: atPrefix(high), point: false };
  return {
    intervals: [strings, { low: atTag(TAG.regex), high: atTag(TAG.regex + 1), point: false }],
    exact: false,
    nullish: false,
  };
}

/** Whether a filter requires a value at a path: nothing that it accepts is null or missing there. */
export function demandsValue(bounds: Bounds, path: string): boolean {
  return bounds.paths.get(path)?.some((each) => !each.nullish) === true;
}

/**
 * Whether every document that fulfils a filter is in a partial index (manual: "Partial Indexes"). Each condition of the
 * index's filter must be either an exact range within which the filter stays, or `$exists: true` on a path for which
 * the filter requires a value.
 */
export function implies(bounds: Bounds, partialFilter: Doc): boolean {
  for (const [path, condition] of Object.entries(partialFilter)) {
    if (path === '$and' && Array.isArray(condition)) {
      if (!condition.every((each) => implies(bounds, each as Doc))) return false;
      continue;
    }
    if (path.startsWith('$')) return false;
    const operators: Doc = isOperators(condition) ? condition : { $eq: condition };
    for (const [operator, operand] of Object.entries(operators)) {
      if (operator === '$exists') {
        if (!isTruthy(operand) || !demandsValue(bounds, path)) return false;
        continue;
      }
      const wanted = operatorBounds(operator, operand, operators);
      if (wanted?.exact !== true) return false;
      if (bounds.paths.get(path)?.some((each) => within(each.intervals, wanted.intervals)) !== true) return false;
    }
  }
  return true;
}
