/**
 * Reading one list newest first from a position on, by the index that a plan names. All of it rests on positions that
 * never change: (`create_time`, `_id`).
 */
import { type Collection, type Filter, type FindOptions, type IndexKeys, READ_TIME_MS } from './store.ts';

/** A row that a list can page over. */
export interface PagedRow {
  _id: string;
  create_time: Date;
}

/** Fields that only narrow what is found, or that only the relay reads; no answer shows them, and they make rows large. */
const UNSEEN = {
  tenant_id: 0,
  visible_to: 0,
  actors: 0,
  listed: 0,
  deleted_at: 0,
  search_text: 0,
  search_keys: 0,
  pending_events: 0,
  outbox_at: 0,
} as const;

/** A row as handlers get it. */
export type Seen<Row> = Omit<Row, keyof typeof UNSEEN>;

/** The option that makes a query give {@link Seen} rows. */
export const seen = { projection: UNSEEN };

/** Where a row stands in the order of every list. */
export interface Position {
  readonly createTimeMs: number;
  readonly id: string;
}

/** Rows that come after the position in the order of every list. */
function after({ createTimeMs, id }: Position): object {
  const at = new Date(createTimeMs);
  return { create_time: { $lte: at }, $or: [{ create_time: { $lt: at } }, { create_time: at, _id: { $lt: id } }] };
}

/** Rows that come before the position, and the one at it. */
function until({ createTimeMs, id }: Position): object {
  const at = new Date(createTimeMs);
  return { create_time: { $gte: at }, $or: [{ create_time: { $gt: at } }, { create_time: at, _id: { $gte: id } }] };
}

/** Joins conditions on rows; those that name the same field are kept apart by `$and`. */
export function allOf(...filters: readonly object[]): object {
  const joined: Record<string, unknown> = {};
  const apart: object[] = [];
  for (const filter of filters) {
    const clash = Object.keys(filter).some((key) => key in joined);
    if (clash) apart.push(filter);
    else Object.assign(joined, filter);
  }
  return apart.length === 0 ? joined : { $and: [joined, ...apart] };
}

/** Rows that a list shows, and how the database comes to them. */
export interface Way {
  readonly filter: object;
  /** The index to go by; without it the database chooses. */
  readonly hint?: IndexKeys;
  /** How to come to the same rows where the hint's index has not led to a page in {@link FIRST_TRY_MS}. */
  readonly otherwise?: Way;
  /** Where much may be read in vain: it is read in slices, so that no single one takes long. */
  readonly slice?: Slice;
}

/** A stretch of a list, by rows that an index counts. */
export interface Slice {
  /** What rows must fulfil to be counted; whatever the way finds fulfils it. */
  readonly filter: object;
  /** An index that says it by keys, in the order of the list. */
  readonly hint: IndexKeys;
  /** How many of them make a slice. */
  readonly rows: number;
  /** The way for what comes after the first slice, where that has not filled the page. */
  readonly next?: () => Promise<Way>;
}

/** How long a way may take that has another one behind it, in milliseconds. */
const FIRST_TRY_MS = 1_000;
/** MongoDB's code for an operation that took longer than it may. */
const OUT_OF_TIME = 50;

/** The first rows of one way after a position. @param more what every find of it is told, such as its session */
export async function readWay<Row extends PagedRow>(
  collection: Collection<Row>,
  way: Way,
  from: Position | undefined,
  limit: number,
  more: FindOptions = {},
): Promise<Row[]> {
  if (way.slice !== undefined) return readSlices(collection, way, from, limit, more);
  const { filter, hint, otherwise } = way;
  const maxTimeMS = otherwise === undefined ? READ_TIME_MS : FIRST_TRY_MS;
  try {
    return (await collection
      .find(placed(filter, from) as Filter<Row>, {
        ...seen,
        batchSize: limit,
        maxTimeMS,
        ...(hint !== undefined && { hint }),
        ...more,
      })
      .sort({ create_time: -1, _id: -1 })
      .limit(limit)
      .toArray()) as unknown as Row[];
  } catch (error) {
    if (otherwise === undefined || (error as { code?: unknown }).code !== OUT_OF_TIME) throw error;
    return readWay(collection, otherwise, from, limit, more);
  }
}

const placed = (filter: object, from: Position | undefined) =>
  from === undefined ? filter : allOf(filter, after(from));

/**
 * The first rows of a way that is read in slices. Positions never change, so a row is in one slice, whatever is written
 * between them.
 */
async function readSlices<Row extends PagedRow>(
  collection: Collection<Row>,
  whole: Way,
  from: Position | undefined,
  limit: number,
  more: FindOptions,
): Promise<Row[]> {
  const rows: Row[] = [];
  let position = from;
  for (let way = whole; ; way = (await way.slice?.next?.()) ?? way) {
    const { slice, ...rest } = way;
    if (slice === undefined)
      return [...rows, ...(await readWay(collection, rest, position, limit - rows.length, more))];
    const end = await endOf(collection, slice, position, more);
    const filter = end === undefined ? way.filter : allOf(way.filter, until(end));
    rows.push(...(await readWay(collection, { ...rest, filter }, position, limit - rows.length, more)));
    if (end === undefined || rows.length === limit) return rows;
    position = end;
  }
}

/** Where a slice ends that begins after a position, by keys alone; nothing where the list ends before. */
async function endOf<Row extends PagedRow>(
  collection: Collection<Row>,
  { filter, hint, rows }: Slice,
  from: Position | undefined,
  more: FindOptions,
): Promise<Position | undefined> {
  // Of a position keys tell the instant alone: rows of the same instant before it are counted too.
  const near = from === undefined ? filter : allOf(filter, { create_time: { $lte: new Date(from.createTimeMs) } });
  for (let count = rows; ; count *= 2) {
    const [last] = await collection
      .find(near as Filter<Row>, { projection: { create_time: 1 }, hint, maxTimeMS: READ_TIME_MS, ...more })
      .sort({ create_time: -1, _id: -1 })
      .skip(count - 1)
      .limit(1)
      .toArray();
    if (last === undefined) return undefined;
    const end = { createTimeMs: last.create_time.getTime(), id: String(last._id) };
    const isAfter =
      from === undefined ||
      end.createTimeMs < from.createTimeMs ||
      (end.createTimeMs === from.createTimeMs && end.id < from.id);
    if (isAfter) return end;
  }
}
