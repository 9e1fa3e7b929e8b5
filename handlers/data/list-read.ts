/**
 * Reads a list, newest first, from a position on, and counts it. Every row that matches during the whole read is in it
 * exactly once, also while rows move between values that the filter names, such as an employee from one department to
 * another: a find that merges several values may pass one place of the index before the row is there, and the other
 * place after the row has left it.
 *
 * Where rows can move, a snapshot shows all rows as they were at one moment. A standalone server and the embedded
 * database have no snapshots: there a second read completes the page with the rows that changed since shortly before
 * the first one began. Every move sets `update_time`, so this finds all of them, provided that the time from computing
 * a change to writing it, and what processes differ by about the database's time, stay below {@link LOOK_BACK_MS}.
 */
import { nowMs } from '../runtime/clock.ts';
import { newestFirst } from './collection.ts';
import { isOutOfTime } from './database-unavailable.ts';
import { engineOf } from './engine.ts';
import type { ListSlices, PageBinding, ReadPlan } from './list.ts';
import { findRaw, type Layout } from './raw-row.ts';
import { allOf, type PagedRow, READ_TIME_MS, visibleFields } from './reads.ts';
import type { Collection, Filter, FindOptions, Store } from './store.ts';

interface ListPart {
  readonly condition: object;
  readonly plan: ReadPlan;
}

/** A list of one request: the rows of all its parts. */
export interface ListRead {
  readonly store: Store;
  readonly collection: Collection<PagedRow>;
  readonly binding: PageBinding;
  readonly parts: readonly ListPart[];
  /** Fields of the conditions whose values may change while a row is in the list. */
  readonly moving: readonly string[];
  /** The plan for rows that changed lately. */
  readonly changedPlan?: ReadPlan;
  /** If it is given, rows are read as BSON with these fields, `create_time` among them. */
  readonly layout?: Layout<string>;
}

/** Where a row stands in the order of every list. */
export interface Position {
  readonly createTimeMs: number;
  readonly id: string;
}

/** How long the plan of many rows may take where there is one for few, in milliseconds. */
const FIRST_TRY_MS = 1_000;

/** Rows on one side of a position. MongoDB plans a `$nor` faster than a `$or`, most of all beside many departments. */
const side =
  (ofTime: '$lte' | '$gte', butOfIds: '$gte' | '$lt') =>
  ({ createTimeMs, id }: Position): object => {
    const at = new Date(createTimeMs);
    return { create_time: { [ofTime]: at }, $nor: [{ create_time: at, _id: { [butOfIds]: id } }] };
  };
const after = side('$lte', '$gte');
/** Rows that come before the position, and the row at it. */
const upToAndIncluding = side('$gte', '$lt');

function filterOf({ condition, plan }: ListPart): object {
  return plan.condition === undefined ? condition : allOf(condition, plan.condition);
}

/** The part with its plan for few rows, if there are so few. */
async function settled(read: ListRead, part: ListPart): Promise<ListPart> {
  const { condition, plan } = part;
  if (plan.ifFew === undefined) return part;
  const { upTo, plan: ofFew } = plan.ifFew;
  const few = { condition, plan: ofFew };
  return (await countRows(read.collection, filterOf(few), upTo + 1, ofFew)) <= upTo ? few : part;
}

/** The first rows of a part after a position. @param within options of all finds, such as the session */
async function readPart(
  read: ListRead,
  part: ListPart,
  from: Position | undefined,
  limit: number,
  within: FindOptions = {},
): Promise<PagedRow[]> {
  const { slices, ifFew, hint } = part.plan;
  if (slices !== undefined) return readSlices(read, part, from, limit, within);
  const maxTimeMS = ifFew === undefined ? READ_TIME_MS : FIRST_TRY_MS;
  const filter = from === undefined ? filterOf(part) : allOf(filterOf(part), after(from));
  try {
    const options = { sort: newestFirst, limit, batchSize: limit + 1, maxTimeMS, hint, ...within };
    return await findRows(read, filter, options);
  } catch (error) {
    if (ifFew === undefined || !isOutOfTime(error)) throw error;
    return readPart(read, { condition: part.condition, plan: ifFew.plan }, from, limit, within);
  }
}

async function findRows(read: ListRead, filter: Filter<PagedRow>, options: FindOptions): Promise<PagedRow[]> {
  const { store, collection, layout } = read;
  if (layout !== undefined) return findRaw(store.db, collection, layout, filter, options);
  return collection.find(filter, { ...visibleFields, ...options }).toArray();
}

/** The same in slices. Positions never change, so a row is in exactly one slice, even if rows are written meanwhile. */
async function readSlices(
  read: ListRead,
  { condition, plan: first }: ListPart,
  from: Position | undefined,
  limit: number,
  within: FindOptions,
): Promise<PagedRow[]> {
  const rows: PagedRow[] = [];
  let position = from;
  for (let plan = first; ; plan = (await plan.slices?.next?.()) ?? plan) {
    const { slices, ...whole } = plan;
    const rest = { condition, plan: whole };
    if (slices === undefined) return [...rows, ...(await readPart(read, rest, position, limit - rows.length, within))];
    const end = await endOf(read, slices, position, within);
    const slice = end === undefined ? rest : { ...rest, condition: allOf(condition, upToAndIncluding(end)) };
    rows.push(...(await readPart(read, slice, position, limit - rows.length, within)));
    if (end === undefined || rows.length === limit) return rows;
    position = end;
  }
}

/** The end of the slice that begins after a position, found by keys alone; undefined if the list ends earlier. */
async function endOf(
  { collection, binding }: ListRead,
  { condition, hint, rows }: ListSlices,
  from: Position | undefined,
  within: FindOptions,
): Promise<Position | undefined> {
  const counted = { tenant_id: binding.tenantId, ...condition };
  // The keys alone give only the instant of a position, so rows of the same instant before it are counted too.
  const near = from === undefined ? counted : allOf(counted, { create_time: { $lte: new Date(from.createTimeMs) } });
  for (let count = rows; ; count *= 2) {
    const [last] = await collection
      .find(near, { projection: { create_time: 1 }, hint, maxTimeMS: READ_TIME_MS, ...within })
      .sort(newestFirst)
      .skip(count - 1)
      .limit(1)
      .toArray();
    if (last === undefined) return undefined;
    const end = { createTimeMs: last.create_time.getTime(), id: last._id };
    const isAfter =
      from === undefined ||
      end.createTimeMs < from.createTimeMs ||
      (end.createTimeMs === from.createTimeMs && end.id < from.id);
    if (isAfter) return end;
  }
}

/** Counts rows by keys alone if an index covers the filter, where countDocuments would aggregate documents. */
export function countRows(
  collection: Collection<PagedRow>,
  filter: Filter<PagedRow>,
  limit: number,
  { hint }: ReadPlan = {},
): Promise<number> {
  return collection.count(filter, { limit, maxTimeMS: READ_TIME_MS, hint });
}

/** How many rows a list has, counted up to `atMost`; a row of several parts counts once. */
export async function countList({ collection, parts }: ListRead, atMost: number): Promise<number> {
  const before: object[] = [];
  let counted = 0;
  for (const part of parts) {
    const filter = filterOf(part);
    const rest = before.length === 0 ? filter : allOf(filter, { $nor: [...before] });
    counted += await countRows(collection, rest, atMost - counted, part.plan);
    if (counted >= atMost) return atMost;
    before.push(filter);
  }
  return counted;
}

/** The id at a rank, from 1, in the order of the ids of a list with one part; undefined if it has fewer rows. */
export async function idAtRank({ collection, parts }: ListRead, rank: number): Promise<string | undefined> {
  const [part] = parts;
  if (part === undefined) return undefined;
  const [row] = await collection
    .find(filterOf(part), { projection: { _id: 1 }, maxTimeMS: READ_TIME_MS, hint: part.plan.hint })
    .sort({ _id: 1 })
    .skip(rank - 1)
    .limit(1)
    .toArray();
  return row?._id;
}

/**
 * A change that is written during a read may have been computed up to this long before the read, in milliseconds.
 */
const LOOK_BACK_MS = 10_000;

/** 239: the snapshot is too old. 246: there is no snapshot yet, because the collection or its indexes just changed. */
const NO_SNAPSHOT = new Set([239, 246]);

/** The first rows of all parts together after a position, newest first. @param most the largest number of each part */
export async function readSteadily(list: ListRead, from: Position | undefined, most: number) {
  const read = { ...list, parts: await Promise.all(list.parts.map((part) => settled(list, part))) };
  if (!canMove(read)) return joined(await readParts(read, from, most), most);
  const { hasSnapshots } = await engineOf(read.store.client);
  const atOneMoment = hasSnapshots ? await readInSnapshot(read, from, most) : undefined;
  if (atOneMoment !== undefined) return joined(atOneMoment, most);
  const begunMs = nowMs();
  const found = await readParts(read, from, most);
  const late = await readParts(changedSince(begunMs - LOOK_BACK_MS, read, found, most), from, most);
  return joined([...late, ...found], most);
}

const readParts = (read: ListRead, from: Position | undefined, most: number) =>
  Promise.all(read.parts.map((part) => readPart(read, part, from, most)));

/** Reads all parts as of one moment; undefined if the database has no snapshot. */
async function readInSnapshot(
  read: ListRead,
  from: Position | undefined,
  most: number,
): Promise<PagedRow[][] | undefined> {
  const session = read.store.client.startSession({ snapshot: true });
  const within: FindOptions = { session, readConcern: { level: 'snapshot' } };
  try {
    const found: PagedRow[][] = [];
    // One after the other: the first read fixes the moment, and a session runs one command at a time.
    for (const part of read.parts) found.push(await readPart(read, part, from, most, within));
    return found;
  } catch (error) {
    if (NO_SNAPSHOT.has(Number((error as { code?: unknown }).code))) return undefined;
    throw error;
  } finally {
    await session.endSession();
  }
}

/** The list of those rows that changed since a time, as far as the rows that were found reach. */
function changedSince(sinceMs: number, read: ListRead, found: readonly PagedRow[][], most: number): ListRead {
  const { condition = {}, ...plan } = read.changedPlan ?? {};
  const since = { ...condition, update_time: { $gte: new Date(sinceMs) } };
  const parts = read.parts.map((part, i) => ({
    condition: { $and: [filterOf(part), since, ...upTo(found[i] ?? [], most)] },
    plan,
  }));
  return { ...read, parts };
}

/** Whether a row can move and still match: to another part, or where a condition allows several values of a field. */
function canMove({ parts, moving }: ListRead): boolean {
  if (moving.length === 0) return false;
  return parts.length > 1 || parts.some((part) => allowsSeveralValues(filterOf(part), moving));
}

function allowsSeveralValues(filter: object, fields: readonly string[]): boolean {
  return Object.entries(filter).some(([field, condition]) => {
    if (field === '$and') return (condition as object[]).some((each) => allowsSeveralValues(each, fields));
    if (!fields.includes(field) || typeof condition !== 'object') return false;
    const { $in: values } = condition as { $in?: readonly unknown[] };
    return values === undefined || values.length > 1;
  });
}

/** The condition that leaves out rows after the last found one: they belong to a later page. */
function upTo(rows: readonly PagedRow[], most: number): object[] {
  const last = rows.length < most ? undefined : rows.at(-1);
  return last === undefined ? [] : [{ create_time: { $gte: last.create_time } }];
}

/**
 * Merges several lists in the order of every list, each row once, in the version of the first list that has it.
 * @returns also whether a part may have more rows than were read
 */
function joined(lists: readonly PagedRow[][], most: number) {
  const [only] = lists;
  if (lists.length === 1 && only !== undefined) return { rows: only, isCut: only.length >= most };
  const rows = new Map<string, PagedRow>();
  for (const row of lists.flat()) if (!rows.has(row._id)) rows.set(row._id, row);
  const isCut = rows.size >= most || lists.some(({ length }) => length === most);
  const byTime = (a: PagedRow, b: PagedRow) =>
    b.create_time.getTime() - a.create_time.getTime() || (a._id < b._id ? 1 : -1);
  return { rows: [...rows.values()].sort(byTime), isCut };
}
