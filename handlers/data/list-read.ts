/** Reads a list, newest first, from a position on, and counts it: in the parts and by the plans that it is given. */
import { allOf } from './conditions.ts';
import type { ListSlices, PageBinding, ReadPlan } from './list.ts';
import { findRaw } from './raw-read.ts';
import type { Layout } from './raw-row.ts';
import { READ_TIME_MS } from './read-time.ts';
import type { Collection, Filter, FindOptions, Store } from './store.ts';
import { isOutOfTime } from './store-away.ts';
import { type PagedRow, visibleFields } from './visible-row.ts';

/** The rows that match a condition, and how the database finds them. */
export interface ListPart {
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
  readonly changedPlan?: ReadPlan | undefined;
  /** If it is given, rows are read as BSON with these fields, `create_time` among them. */
  readonly layout?: Layout<string> | undefined;
}

/** Where a row stands in the order of every list. */
export interface Position {
  readonly createTimeMs: number;
  readonly id: string;
}

/** The order of every list. */
const NEWEST_FIRST = { create_time: -1, _id: -1 } as const;

/** How long the plan of many rows may take where there is one for few, in milliseconds. */
const FIRST_TRY_MS = 1_000;

/**
 * Rows that come after the position in the order of every list. MongoDB plans a `$nor` faster than a `$or`, most of all
 * beside many departments.
 */
function after({ createTimeMs, id }: Position): object {
  const at = new Date(createTimeMs);
  return { create_time: { $lte: at }, $nor: [{ create_time: at, _id: { $gte: id } }] };
}

/** Rows that come before the position, and the row at it. */
function upToAndIncluding({ createTimeMs, id }: Position): object {
  const at = new Date(createTimeMs);
  return { create_time: { $gte: at }, $nor: [{ create_time: at, _id: { $lt: id } }] };
}

/** What the database is asked for a part. */
export function filterOf({ condition, plan }: ListPart): object {
  return plan.condition === undefined ? condition : allOf(condition, plan.condition);
}

/** The part with its plan for few rows, if there are so few. */
export async function settled(read: ListRead, part: ListPart): Promise<ListPart> {
  const { condition, plan } = part;
  if (plan.ifFew === undefined) return part;
  const { upTo, plan: ofFew } = plan.ifFew;
  const few = { condition, plan: ofFew };
  return (await countRows(read.collection, filterOf(few), upTo + 1, ofFew)) <= upTo ? few : part;
}

/** The first rows of a part after a position. @param within options of all finds, such as the session */
export async function readPart(
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
    const options = { sort: NEWEST_FIRST, limit, batchSize: limit + 1, maxTimeMS, hint, ...within };
    return await findRows(read, filter, options);
  } catch (error) {
    if (ifFew === undefined || !isOutOfTime(error)) throw error;
    return readPart(read, { condition: part.condition, plan: ifFew.plan }, from, limit, within);
  }
}

async function findRows(read: ListRead, filter: Filter<PagedRow>, options: FindOptions): Promise<PagedRow[]> {
  const { store, collection, layout } = read;
  if (layout !== undefined) return findRaw(store, collection, layout, filter, options);
  return collection.find(filter, { ...visibleFields, ...options }).toArray();
}

/**
 * The first rows of a part that is read in slices. Positions never change, so a row is in exactly one slice, even if
 * rows are written between two reads.
 */
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
      .sort(NEWEST_FIRST)
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
