import type { Collection } from './catalogue.ts';
import { decode } from './documents.ts';
import { DatabaseError, fail } from './errors.ts';
import { type SortField, sortKeyIn } from './key-parts.ts';
import { encodeCompoundKey } from './keys.ts';
import { compileFilter, isOperators, type Matcher } from './matcher.ts';
import { document, integer } from './parameters.ts';
import { keyValues } from './paths.ts';
import type { Plan } from './plan-index.ts';
import { choosePlan } from './planner.ts';
import { examined, type Row, readRow, type Steps, scan, scanKeys } from './scan.ts';
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

/**
 * Compiles the function that gives the bytes by which documents sort. Of an array, the least element counts, or in
 * descending order the greatest.
 */
function sortKeyOf(sort: readonly SortField[]): (doc: Doc) => Buffer {
  const paths = sort.map((field) => field.path.split('.'));
  const directions = sort.map((field) => field.direction);
  return (doc) => {
    const [first, ...others] = parallel(() => keyValues(doc, paths));
    let best = encodeCompoundKey(first ?? [], directions);
    for (const row of others) {
      const key = encodeCompoundKey(row, directions);
      if (Buffer.compare(key, best) < 0) best = key;
    }
    return best;
  };
}

function parallel<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof DatabaseError && error.code === 171) fail(2, 'cannot sort with keys that are parallel arrays');
    throw error;
  }
}

/**
 * The rows that match, in order, after `skip` and up to `limit`. The filter is checked even if the collection does not
 * exist.
 */
export function* select(collection: Collection | undefined, selection: Selection): Steps<Row> {
  const { filter, sort = [], skip = 0, limit = 0 } = selection;
  compileFilter(filter);
  if (collection === undefined) return;
  const wanted = limit === 0 ? 0 : skip + limit;
  const plan = choosePlan(collection, { filter, sort, limit: wanted, hint: selection.hint });
  const order = { ...selection, sort, skip, limit };
  if (!plan.sorted) yield* sortedRows(collection, plan, order);
  else yield* orderedRows(collection, plan, order);
}

/**
 * The part of a filter that must still be checked in the documents that a plan finds, because reading a document's
 * fields is expensive.
 */
function remaining({ filter }: Selection, plan: Plan): Matcher {
  // If a value has several operators, some of them may say nothing about ranges.
  const isOne = (value: Value): boolean => !isOperators(value) || Object.keys(value).length === 1;
  const rest = Object.entries(filter).filter(([name, value]) => !plan.fulfilled.has(name) || !isOne(value));
  return compileFilter(rest.length === Object.keys(filter).length ? filter : Object.fromEntries(rest));
}

type Order = Selection & Required<Pick<Selection, 'sort' | 'skip' | 'limit'>>;

interface Reading {
  readonly skip: number;
  /** How many rows will probably be wanted, 0 if all. */
  readonly expected: number;
}

function* matching(collection: Collection, plan: Plan, selection: Selection, { skip, expected }: Reading): Steps<Row> {
  const rows = scan(collection, plan, skip, expected);
  if (plan.covered) {
    yield* rows;
    return;
  }
  const matcher = remaining(selection, plan);
  for (const row of rows) {
    if (row === null || matcher.test(decode(row.raw, matcher.fields))) yield row;
  }
}

function* orderedRows(collection: Collection, plan: Plan, order: Order): Steps<Row> {
  const { skip, limit } = order;
  const passed = plan.covered ? skip : 0;
  const wanted = limit === 0 ? 0 : skip - passed + limit;
  let toSkip = skip - passed;
  let left = limit === 0 ? Number.POSITIVE_INFINITY : limit;
  for (const row of matching(collection, plan, order, { skip: passed, expected: wanted })) {
    if (row === null) yield null;
    else if (toSkip > 0) toSkip--;
    else {
      yield row;
      if (--left === 0) return;
    }
  }
}

/** Sorts only keys and row numbers. The documents are read again when they are returned. */
function* sortedRows(collection: Collection, plan: Plan, order: Order): Steps<Row> {
  const { sort, skip, limit } = order;
  const keyOf = sortKeyOf(sort);
  const fields = new Set(sort.map((field) => field.path.split('.')[0] as string));
  const most = limit === 0 ? Number.POSITIVE_INFINITY : skip + limit;
  let found: [Buffer, number][] = [];
  let bytes = 0;
  const ofKeys = keysInOrder(collection, plan, order, (raw) => keyOf(decode(raw, fields)));
  for (const each of ofKeys) {
    if (each === null) {
      yield null;
      continue;
    }
    const [key] = each;
    found.push(each);
    bytes += key.length + 64;
    if (found.length > 2 * most + 1000) {
      found = sortEntries(found).slice(0, most);
      bytes = found.reduce((sum, [each]) => sum + each.length + 64, 0);
    }
    if (bytes > MAX_SORT_BYTES) fail(292, 'Sort exceeded memory limit of 268435456 bytes');
  }
  for (const [, id] of sortEntries(found).slice(skip, most)) {
    if (collection.dropped) fail(175, 'operation was killed: the collection was dropped');
    const raw = readRow(collection, id);
    if (raw !== undefined) yield { id, raw };
  }
}

/**
 * The sort key and row number of each matching row: from index keys alone if these show both the match and the order.
 */
function* keysInOrder(
  collection: Collection,
  plan: Plan,
  order: Order,
  keyOf: (raw: Uint8Array) => Buffer,
): Steps<[Buffer, number]> {
  const keyIn = plan.decidable && plan.index !== undefined ? sortKeyIn(plan.index, order.sort) : undefined;
  if (keyIn === undefined) {
    for (const row of matching(collection, plan, order, { skip: 0, expected: 0 })) {
      yield row === null ? null : [keyOf(row.raw), row.id];
    }
    return;
  }
  const matcher = remaining(order, plan);
  for (const found of scanKeys(collection, plan, 0)) {
    const key = found?.isSure ? keyIn(found.key) : undefined;
    if (found === null) yield null;
    else if (key !== undefined) yield [key, found.id];
    else {
      const raw = readRow(collection, found.id);
      if (raw !== undefined && matcher.test(decode(raw, matcher.fields))) yield [keyOf(raw), found.id];
    }
  }
}

/**
 * Equal keys keep the order of insertion, so that pages of a sort that is not unique at least agree with each other.
 */
const sortEntries = (entries: [Buffer, number][]): [Buffer, number][] =>
  entries.sort((a, b) => Buffer.compare(a[0], b[0]) || a[1] - b[1]);

/** The number of matching documents after `skip` and up to `limit`, from index keys alone if these are sufficient. */
export function* count(collection: Collection | undefined, selection: Selection): Generator<null, number, undefined> {
  const { filter, skip = 0, limit = 0 } = selection;
  compileFilter(filter);
  if (collection === undefined) return 0;
  const most = limit === 0 ? Number.POSITIVE_INFINITY : skip + limit;
  const wanted = limit === 0 ? 0 : most;
  const plan = choosePlan(collection, { filter, sort: [], limit: wanted, counting: true, hint: selection.hint });
  let total = 0;
  if (plan.covered && !plan.repeats) total = countKeys(collection, plan, most);
  else {
    const isDecidable = plan.decidable && plan.index !== undefined;
    const entries = isDecidable
      ? rowsByKeys(collection, plan, selection)
      : matching(collection, plan, selection, { skip: 0, expected: wanted });
    for (const each of entries) {
      if (each === null) yield null;
      else if (++total >= most) break;
    }
  }
  return Math.max(0, Math.min(total, most) - skip);
}

/** The rows that match according to their keys. If a key is not sufficient, its document is read. */
function* rowsByKeys(collection: Collection, plan: Plan, selection: Selection): Steps<number> {
  const matcher = remaining(selection, plan);
  for (const found of scanKeys(collection, plan, 0)) {
    if (found === null) yield null;
    else if (found.isSure) yield found.id;
    else {
      const raw = readRow(collection, found.id);
      if (raw !== undefined && matcher.test(decode(raw, matcher.fields))) yield found.id;
    }
  }
}

function countKeys(collection: Collection, plan: Plan, most: number): number {
  const cap = Number.isFinite(most) ? most : -1;
  const { index } = plan;
  if (index === undefined) {
    const text = `SELECT count(*) FROM (SELECT 1 FROM ${collection.table} LIMIT ?)`;
    return cap < 0
      ? (collection.statements.get(`SELECT count(*) FROM ${collection.table}`)[0] as number)
      : (collection.statements.get(text, cap)[0] as number);
  }
  const range = `FROM ${index.table} WHERE ${index.keyColumn} >= ? AND ${index.keyColumn} < ?`;
  let total = 0;
  for (const { low, high } of plan.ranges) {
    const left = cap - total;
    total += (
      cap < 0
        ? collection.statements.get(`SELECT count(*) ${range}`, low, high)
        : collection.statements.get(`SELECT count(*) FROM (SELECT 1 ${range} LIMIT ?)`, low, high, left)
    )[0] as number;
    if (cap >= 0 && total >= cap) break;
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

/** The first result of some steps. */
export function first<T>(steps: Steps<T>, check: () => void): T | undefined {
  for (const each of steps) {
    if (each !== null) return each;
    check();
  }
  return undefined;
}

/** The selection of a find command. Fails as find does for invalid options. */
export function findSelection(body: Doc): Selection {
  return {
    filter: document('filter', body.filter),
    sort: parseSort(body.sort),
    skip: integer('skip', body.skip, 0),
    limit: integer('limit', body.limit, 0),
    hint: hintOf(body.hint),
  };
}

/** The index that a command names; an empty document means none. */
export const hintOf = (hint: Value | undefined): Value | undefined =>
  isDoc(hint) && Object.keys(hint).length === 0 ? undefined : hint;

/** The selection of a count command. */
export const countSelection = (body: Doc): Selection => ({
  filter: document('query', body.query),
  skip: integer('skip', body.skip, 0),
  limit: integer('limit', body.limit, 0),
  hint: hintOf(body.hint),
});

/** Checks a sort specification (manual: "cursor.sort()"). */
export function parseSort(sort: Value | undefined): SortField[] {
  if (sort === undefined || sort === null) return [];
  if (!isDoc(sort)) return fail(14, 'Expected field sort to be of type object');
  return Object.entries(sort).map(([path, direction]): SortField => {
    if (isDoc(direction)) return fail(2, '$meta sorts are not supported by this database');
    if (direction !== 1 && direction !== -1) {
      return fail(15975, '$sort key ordering must be 1 (for ascending) or -1 (for descending)');
    }
    if (path === '' || path.split('.').includes('')) fail(15998, 'FieldPath field names may not be empty strings.');
    if (path.startsWith('$')) fail(16410, "FieldPath field names may not start with '$'.");
    return { path, direction };
  });
}
