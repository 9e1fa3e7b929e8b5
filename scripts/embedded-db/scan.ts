import { allIndexes, type Collection } from './catalogue.ts';
import { fail } from './errors.ts';
import type { Index } from './indexes.ts';
import { partsOf, passes } from './key-parts.ts';
import type { Plan, Range } from './plan-index.ts';

const LARGEST_CHUNK = 1024;
/** The intended size of a chunk is at most this, since a document may have 16 MB. */
const CHUNK_BYTES = 1024 * 1024;

/** A key with its row number. */
type Entry = [key: Uint8Array, id: number];

function mustStand(collection: Collection, index?: Index): void {
  const isGone = collection.dropped || (index !== undefined && !allIndexes(collection).includes(index));
  if (isGone) fail(175, 'operation was killed: the collection or index was dropped');
}

function readText({ table, keyColumn }: Index, reverse: boolean): string {
  const range = reverse
    ? `(${keyColumn}, rid) < (?, ?) AND ${keyColumn} >= ?`
    : `(${keyColumn}, rid) > (?, ?) AND ${keyColumn} < ?`;
  const order = reverse ? `${keyColumn} DESC, rid DESC` : `${keyColumn}, rid`;
  return `SELECT ${keyColumn}, rid FROM ${table} WHERE ${range} ORDER BY ${order} LIMIT ?`;
}

/** A stored document with its row number. */
export interface Row {
  readonly id: number;
  readonly raw: Uint8Array;
}

/** A row that a plan finds: with its document, or with the key that shows it. */
export type FoundRow = Pick<Row, 'id'> & { readonly raw?: Uint8Array; readonly key?: Uint8Array };

/** The generator yields null between steps of long work, so that its consumer can pause or stop. */
export type Steps<T> = Generator<T | null, void, undefined>;

/** What is made of each item of some steps. */
export function* mapped<From, To>(steps: Steps<From>, make: (item: From) => To): Steps<To> {
  for (const item of steps) yield item === null ? null : make(item);
}

/** How much was read since this was last set to zero; `explain` reports it. */
export const examined = { keys: 0, documents: 0 };

const FIRST_CHUNK = 16;

/** The document of a row, or undefined if it has been deleted. */
export function readRow(collection: Collection, id: number): Uint8Array | undefined {
  mustStand(collection);
  examined.documents++;
  const [raw] = collection.database.get(`SELECT doc FROM ${collection.table} WHERE rid = ?`, id);
  return raw as Uint8Array | undefined;
}

/**
 * The rows that a plan finds, in its order, before the filter is applied; each row once. `expected` is how many rows
 * will probably be wanted, 0 if all.
 */
export function* scan(collection: Collection, plan: Plan, expected: number): Steps<FoundRow> {
  const { index } = plan;
  if (index === undefined) yield* scanCollection(collection, expected);
  else if (plan.fixed && plan.mergedBy === undefined && !plan.repeats) yield* lookUp(collection, index, plan);
  else yield* scanKeys(collection, index, plan, expected);
}

/** The rows that a unique index has for some keys, at most one for each. */
function* lookUp(collection: Collection, index: Index, plan: Plan): Steps<Row> {
  const { table, database } = collection;
  const joined = `${index.table} i CROSS JOIN ${table} c ON c.rid = i.rid WHERE i.k = ?`;
  const text = `SELECT c.rid, c.doc FROM ${index.table === table ? `${table} c WHERE c.id = ?` : joined}`;
  for (const { low } of plan.ranges) {
    yield null;
    mustStand(collection, index);
    const [id, raw] = database.get(text, low);
    if (raw === undefined) continue;
    examined.keys++;
    examined.documents++;
    yield { id: id as number, raw: raw as Uint8Array };
  }
}

const firstChunk = (expected: number): number => (expected > 0 ? Math.min(expected, FIRST_CHUNK * 8) : FIRST_CHUNK);

/**
 * The keys that a plan on an index finds, in its order, each row once. Keys that fail the plan's tests are left out.
 */
function* scanKeys(collection: Collection, index: Index, plan: Plan, expected: number): Steps<FoundRow> {
  const { tests } = plan;
  const seen = plan.repeats ? new Set<number>() : undefined;
  let passed = 0;
  for (const entry of merged(collection, index, plan, expected)) {
    if (entry === null) {
      yield null;
      continue;
    }
    examined.keys++;
    const [key, id] = entry;
    if (tests.length > 0 && !passes(index, tests, key)) {
      if (++passed % 256 === 0) yield null;
      continue;
    }
    if (seen?.has(id)) continue;
    seen?.add(id);
    yield { id, key };
  }
}

/**
 * Reads a range of an index in chunks. Each chunk starts with a seek to the end of the previous one. So nothing stays
 * open in SQLite between chunks, and writes between them cause no problems.
 */
function* entriesOf(collection: Collection, plan: Plan, range: Range, first: number): Steps<Entry> {
  const { reverse } = plan;
  const index = plan.index as Index;
  const text = readText(index, reverse);
  let { low, high } = range;
  let lastId = reverse ? 0 : -1;
  for (let chunk = first; ; chunk = Math.min(chunk * 4, LARGEST_CHUNK)) {
    mustStand(collection, index);
    const values = reverse ? [high, lastId, low] : [low, lastId, high];
    const entries = collection.database.all(text, ...values, chunk) as unknown as Entry[];
    yield* entries;
    yield null;
    const last = entries.at(-1);
    if (last === undefined || entries.length < chunk) return;
    if (reverse) [high, lastId] = last;
    else [low, lastId] = last;
  }
}

/** A range that is being merged, and the entry of it that comes next. */
interface Head {
  readonly entries: Steps<Entry>;
  readonly prefix: number;
  entry: Entry;
  /** The key after the prefix; ranges are compared by it. */
  key: Uint8Array;
}

function advance(head: Head): boolean {
  let next = head.entries.next();
  while (next.value === null) next = head.entries.next();
  if (next.done) return false;
  head.entry = next.value;
  head.key = head.entry[0].subarray(head.prefix);
  return true;
}

/** The entries of the ranges, one after the other, or merged into one order. */
function* merged(collection: Collection, index: Index, plan: Plan, expected: number): Steps<Entry> {
  const { mergedBy } = plan;
  if (mergedBy === undefined) {
    for (const range of plan.ranges) yield* entriesOf(collection, plan, range, firstChunk(expected));
    return;
  }
  const sign = plan.reverse ? -1 : 1;
  const chunk = Math.max(2, Math.min(64, Math.ceil((2 * expected) / plan.ranges.length)));
  const compare = (a: Head, b: Head): number => Buffer.compare(a.key, b.key) * sign;
  const heads = plan.ranges
    .map((range): Head => {
      const entries = entriesOf(collection, plan, range, chunk);
      const fixed = partsOf(index, range.low, mergedBy);
      const prefix = fixed.reduce((sum, { length }) => sum + length, 0);
      return { entries, prefix, entry: [range.low, 0], key: range.low };
    })
    .filter(advance)
    .sort(compare);
  for (let count = 1; heads.length > 0; count++) {
    const head = heads.shift() as Head;
    yield head.entry;
    if (count % 256 === 0) yield null;
    if (!advance(head)) continue;
    let [low, high] = [0, heads.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compare(heads[middle] as Head, head) < 0) low = middle + 1;
      else high = middle;
    }
    heads.splice(low, 0, head);
  }
}

/** All rows of a collection, in the order of insertion. @param expected as that of a scan */
export function* scanCollection(collection: Collection, expected: number): Steps<Row> {
  let last = 0;
  for (let chunk = firstChunk(expected); ; ) {
    mustStand(collection);
    const text = `SELECT rid, doc FROM ${collection.table} WHERE rid > ? ORDER BY rid LIMIT ?`;
    const rows = collection.database.all(text, last, chunk) as [number, Uint8Array][];
    let bytes = 1;
    for (const [id, raw] of rows) {
      last = id;
      bytes += raw.length;
      examined.documents++;
      yield { id, raw };
    }
    if (rows.length < chunk) return;
    chunk = Math.min(chunk * 4, LARGEST_CHUNK, Math.max(1, Math.floor((CHUNK_BYTES * rows.length) / bytes)));
    yield null;
  }
}
