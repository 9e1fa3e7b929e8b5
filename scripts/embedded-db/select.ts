import type { Collection } from './catalogue.ts';
import type { SqlValue } from './database.ts';
import { decode } from './documents.ts';
import { fail } from './errors.ts';
import { splitPath } from './expressions.ts';
import { type SortField, sortKeyIn } from './key-parts.ts';
import { encodeCompoundKey } from './keys.ts';
import { compileFilter } from './matcher.ts';
import { document, integer } from './parameters.ts';
import { keyValues } from './paths.ts';
import type { Plan } from './plan-index.ts';
import { choosePlan } from './planner.ts';
import { examined, type FoundRow, type Row, readRow, type Steps, scan } from './scan.ts';
import { type Doc, isDoc, type Value } from './values.ts';

/** What to select; `limit` 0 means no limit. */
export interface Selection {
  readonly filter: Doc;
  readonly sort?: readonly SortField[];
  readonly skip?: number;
  readonly limit?: number;
  readonly hint?: Value | undefined;
}

/** Memory for the keys and row numbers of a sort. If a sort needs more, the command fails instead of the process. */
const MAX_SORT_BYTES = 256 * 1024 * 1024;

/** Compiles the function that gives the bytes by which documents sort. */
function sortKeyOf(sort: readonly SortField[]): (doc: Doc) => Buffer {
  const paths = sort.map((field) => field.path.split('.'));
  const directions = sort.map((field) => field.direction);
  return (doc) => {
    const [values = [], ...others] = keyValues(doc, paths);
    if (others.length > 0) fail(2, 'sorts by an array are not supported by this database');
    return encodeCompoundKey(values, directions);
  };
}

/** The plan of a selection. @param counting whether only the number of documents is wanted */
export function planOf(collection: Collection, selection: Selection, counting = false): Plan {
  const { filter, sort = [], skip = 0, limit = 0, hint } = selection;
  return choosePlan(collection, { filter, sort, limit: limit === 0 ? 0 : skip + limit, counting, hint });
}

/**
 * The rows that match, in order, after `skip` and up to `limit`. The filter is checked even if the collection does not
 * exist.
 */
export function* select(collection: Collection | undefined, selection: Selection): Steps<Row> {
  compileFilter(selection.filter);
  if (collection === undefined) return;
  const plan = planOf(collection, selection);
  yield* plan.sorted ? orderedRows(collection, plan, selection) : sortedRows(collection, plan, selection);
}

/**
 * The rows of a plan that match. @param expected how many rows will probably be wanted, 0 if all @param isDecided
 * whether the plan finds none that does not match, so that no document need be read
 */
function* matching(
  collection: Collection,
  plan: Plan,
  filter: Doc,
  expected: number,
  isDecided: boolean,
): Steps<FoundRow> {
  const matcher = compileFilter(filter);
  for (const found of scan(collection, plan, expected)) {
    if (found === null || isDecided) {
      yield found;
      continue;
    }
    const raw = found.raw ?? readRow(collection, found.id);
    if (raw !== undefined && matcher.test(decode(raw, matcher.fields))) yield { id: found.id, raw };
  }
}

function* orderedRows(collection: Collection, plan: Plan, { filter, skip = 0, limit = 0 }: Selection): Steps<Row> {
  let toSkip = skip;
  let left = limit;
  for (const found of matching(collection, plan, filter, limit === 0 ? 0 : skip + limit, plan.covered)) {
    if (found === null) yield null;
    else if (toSkip > 0) toSkip--;
    else {
      const raw = found.raw ?? readRow(collection, found.id);
      if (raw === undefined) continue;
      yield { id: found.id, raw };
      if (--left === 0) return;
    }
  }
}

/** Sorts only keys and row numbers. The documents are read again when they are returned. */
function* sortedRows(collection: Collection, plan: Plan, selection: Selection): Steps<Row> {
  const { filter, sort = [], skip = 0, limit = 0 } = selection;
  const keyOf = sortKeyOf(sort);
  const fields = new Set(sort.map((field) => field.path.split('.')[0] as string));
  const most = limit === 0 ? Number.POSITIVE_INFINITY : skip + limit;
  const keyIn = plan.index && sortKeyIn(plan.index, sort);
  let entries: [Buffer, number][] = [];
  let bytes = 0;
  for (const each of matching(collection, plan, filter, 0, plan.decidable)) {
    if (each === null) {
      yield null;
      continue;
    }
    const inKey = each.key && keyIn?.(each.key);
    const raw = inKey === undefined ? (each.raw ?? readRow(collection, each.id)) : undefined;
    const key = inKey ?? (raw && keyOf(decode(raw, fields)));
    if (key === undefined) continue;
    entries.push([key, each.id]);
    bytes += key.length + 64;
    if (entries.length > 2 * most + 1000) {
      entries = sortEntries(entries).slice(0, most);
      bytes = entries.reduce((sum, [kept]) => sum + kept.length + 64, 0);
    }
    if (bytes > MAX_SORT_BYTES) fail(292, 'Sort exceeded memory limit of 268435456 bytes');
  }
  for (const [, id] of sortEntries(entries).slice(skip, most)) {
    const raw = readRow(collection, id);
    if (raw !== undefined) yield { id, raw };
  }
}

/**
 * Equal keys keep the order of insertion, so that pages of a sort that is not unique at least agree with each other.
 */
const sortEntries = (entries: [Buffer, number][]): [Buffer, number][] =>
  entries.sort((a, b) => Buffer.compare(a[0], b[0]) || a[1] - b[1]);

/** Gives the number of matching documents up to `limit`, from index keys alone if these are sufficient. */
export function* count(collection: Collection | undefined, selection: Selection): Steps<number> {
  const { filter, limit = 0 } = selection;
  compileFilter(filter);
  if (collection === undefined) {
    yield 0;
    return;
  }
  const most = limit === 0 ? Number.POSITIVE_INFINITY : limit;
  const plan = planOf(collection, selection, true);
  let total = 0;
  if (plan.covered && !plan.repeats) total = countKeys(collection, plan, most);
  else {
    for (const each of matching(collection, plan, filter, limit, plan.decidable)) {
      if (each === null) yield null;
      else if (++total >= most) break;
    }
  }
  yield Math.min(total, most);
}

function countKeys({ database, table }: Collection, { index, ranges }: Plan, most: number): number {
  // To SQLite, a limit below 0 is none.
  const cap = Number.isFinite(most) ? most : -1;
  const counted = (rows: string, ...values: SqlValue[]): number =>
    database.get(`SELECT count(*) FROM (SELECT 1 FROM ${rows} LIMIT ?)`, ...values, cap)[0] as number;
  if (index === undefined) return counted(table);
  let total = 0;
  for (const { low, high } of ranges) {
    total += counted(`${index.table} WHERE ${index.keyColumn} >= ? AND ${index.keyColumn} < ?`, low, high);
    if (total >= most) break;
  }
  examined.keys += total;
  return total;
}

/** Runs all steps at once without pausing, as a writing command does. `check` may throw at each step to stop. */
export function complete<T>(steps: Steps<T>, check: () => void): T[] {
  const result: T[] = [];
  for (const each of steps) {
    if (each === null) check();
    else result.push(each);
  }
  return result;
}

/** The selection of a find command, or of a count. Fails as these do for invalid options. @param name of its filter */
export function selectionOf(body: Doc, name: 'filter' | 'query'): Selection {
  const { hint } = body;
  return {
    filter: document(name, body[name]),
    sort: parseSort(body.sort),
    skip: integer('skip', body.skip, 0),
    limit: integer('limit', body.limit, 0),
    // An empty document names no index.
    hint: isDoc(hint) && Object.keys(hint).length === 0 ? undefined : hint,
  };
}

/** Checks a sort specification (manual: "cursor.sort()"). */
export function parseSort(sort: Value | undefined): SortField[] {
  if (sort === undefined || sort === null) return [];
  if (!isDoc(sort)) return fail(14, 'Expected field sort to be of type object');
  return Object.entries(sort).map(([path, direction]): SortField => {
    if (direction !== 1 && direction !== -1) {
      return fail(15975, '$sort key ordering must be 1 (for ascending) or -1 (for descending)');
    }
    splitPath(path);
    return { path, direction };
  });
}
