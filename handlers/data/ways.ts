/**
 * Reads one list, newest first, from a position on, by the index that a plan names. This relies on the position of a
 * row, (`create_time`, `_id`), never changing.
 */
import type { IndexKeys } from './collection.ts';
import { type Collection, type Filter, type FindOptions, READ_TIME_MS } from './store.ts';
import { isOutOfTime } from './store-away.ts';

/** A row that a list can page over. */
export interface PagedRow {
  _id: string;
  create_time: Date;
}

/** Fields that only filters or the relay use. No answer shows them, and they make rows large. */
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

/** The option that makes a query return {@link Seen} rows. */
export const seen = { projection: UNSEEN };

/** Where a row stands in the order of every list. */
export interface Position {
  readonly createTimeMs: number;
  readonly id: string;
}

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

/** Combines conditions on rows; conditions on the same field are kept separate by `$and`. */
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

/** Rows that a list shows, and how the database finds them. */
export interface Way {
  readonly filter: object;
  /** The index to use; without it the database chooses. */
  readonly hint?: IndexKeys;
  /** Another way to the same rows, used if this one has not found a page within {@link FIRST_TRY_MS}. */
  readonly otherwise?: Way;
  /** For ways that may read many rows without a match: they are read in slices, so that no single read takes long. */
  readonly slice?: Slice;
}

/** How a list is cut into slices: an index counts the rows of each. */
export interface Slice {
  /** The condition for a row to be counted; every row that the way finds fulfils it. */
  readonly filter: object;
  /** An index whose keys answer the filter, in the order of the list. */
  readonly hint: IndexKeys;
  /** How many counted rows make a slice. */
  readonly rows: number;
  /** The way for the rest if the first slice has not filled the page. */
  readonly next?: () => Promise<Way>;
}

/** The order of every list. */
const NEWEST_FIRST = { create_time: -1, _id: -1 } as const;

/** How long a way may take if it has an `otherwise`, in milliseconds. */
const FIRST_TRY_MS = 1_000;

/** How ways are read. */
export interface Reading<Row> {
  /** Reads the rows that match; by default all that is {@link seen} of them. */
  readonly find?: (filter: Filter<Row>, options: FindOptions) => Promise<Row[]>;
  /** Options of all finds, such as the session. */
  readonly more?: FindOptions;
}

/** The first rows of one way after a position. */
export async function readWay<Row extends PagedRow>(
  collection: Collection<Row>,
  way: Way,
  from: Position | undefined,
  limit: number,
  reading: Reading<Row> = {},
): Promise<Row[]> {
  if (way.slice !== undefined) return readSlices(collection, way, from, limit, reading);
  const { filter, hint, otherwise } = way;
  const maxTimeMS = otherwise === undefined ? READ_TIME_MS : FIRST_TRY_MS;
  const find = reading.find ?? ((matching, options) => findSeen(collection, matching, options));
  try {
    return await find(placed(filter, from) as Filter<Row>, {
      ...{ sort: NEWEST_FIRST, limit, batchSize: limit + 1, maxTimeMS },
      ...(hint !== undefined && { hint }),
      ...reading.more,
    });
  } catch (error) {
    if (otherwise === undefined || !isOutOfTime(error)) throw error;
    return readWay(collection, otherwise, from, limit, reading);
  }
}

async function findSeen<Row extends PagedRow>(
  collection: Collection<Row>,
  filter: Filter<Row>,
  options: FindOptions,
): Promise<Row[]> {
  return (await collection.find(filter, { ...seen, ...options }).toArray()) as unknown as Row[];
}

const placed = (filter: object, from: Position | undefined) =>
  from === undefined ? filter : allOf(filter, after(from));

/**
 * The first rows of a way that is read in slices. Positions never change, so a row is in exactly one slice, even if
 * rows are written between two reads.
 */
async function readSlices<Row extends PagedRow>(
  collection: Collection<Row>,
  whole: Way,
  from: Position | undefined,
  limit: number,
  reading: Reading<Row>,
): Promise<Row[]> {
  const rows: Row[] = [];
  let position = from;
  for (let way = whole; ; way = (await way.slice?.next?.()) ?? way) {
    const { slice, ...rest } = way;
    if (slice === undefined)
      return [...rows, ...(await readWay(collection, rest, position, limit - rows.length, reading))];
    const end = await endOf(collection, slice, position, reading.more);
    const filter = end === undefined ? way.filter : allOf(way.filter, upToAndIncluding(end));
    rows.push(...(await readWay(collection, { ...rest, filter }, position, limit - rows.length, reading)));
    if (end === undefined || rows.length === limit) return rows;
    position = end;
  }
}

/** The end of the slice that begins after a position, found by keys alone; undefined if the list ends earlier. */
async function endOf<Row extends PagedRow>(
  collection: Collection<Row>,
  { filter, hint, rows }: Slice,
  from: Position | undefined,
  more: FindOptions = {},
): Promise<Position | undefined> {
  // The keys alone give only the instant of a position, so rows of the same instant before it are counted too.
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
