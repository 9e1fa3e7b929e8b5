/**
 * Reads one page of rows. Every row that matches during the whole read is in it exactly once, also while rows move
 * between values that the filter names: for example, an employee from one status or department to another. Each move
 * takes the row to another place of the index. A find that merges several values may pass one place before the row is
 * there, and the other place after the row has left it.
 *
 * There are two solutions, for reads during which rows can move. A snapshot shows all rows as they were at one moment:
 * it needs no clock, and holds over several finds. A standalone server and the embedded database have no snapshots.
 * There a second read completes the page with the rows that changed since shortly before the first read began. Every
 * move sets `update_time`, so this finds all moved rows, provided that the time from computing a change to writing it, and
 * what processes may differ by about the database's time, stay below {@link LOOK_BACK_MS}.
 */
import { nowMs } from '../process/clock.ts';
import type { IndexKeys } from './collection.ts';
import { engineOf } from './engine.ts';
import { findRaw } from './raw-read.ts';
import type { Layout } from './raw-row.ts';
import type { Collection, Filter, FindOptions, Store } from './store.ts';
import { type PagedRow, type Position, readWay, type Way } from './ways.ts';

/** How rows can move. */
export interface Moves {
  /** Fields that filters name and whose values may change while a row still matches. */
  readonly fields: readonly string[];
  /**
   * For the second read: the index, and a condition that is true for every row but lets the database use the index.
   */
  readonly changed?: { readonly alwaysTrue: object; readonly hint: IndexKeys };
}

/** Rows that can be read page by page. */
export interface Paged<Row> {
  readonly store: Store;
  readonly collection: Collection<Row & object>;
  /** Absent where rows never move: no value that a filter names ever changes. */
  readonly moves?: Moves;
  /** If it is given, rows are read as {@link RawRow} with these fields, which must include `create_time`. */
  readonly layout?: Layout<string>;
}

/**
 * A change that is written during a read may have been computed up to this long before the read, in milliseconds.
 */
const LOOK_BACK_MS = 10_000;

/** 239: the snapshot is too old. 246: there is no snapshot yet, because the collection or its indexes just changed. */
const NO_SNAPSHOT = new Set([239, 246]);

/** The rows that a page is cut from. */
export interface SteadyRows<Row> {
  /** Newest first, each once. */
  readonly rows: Row[];
  /** Whether a way may have more rows than were read. */
  readonly isCut: boolean;
}

/**
 * The first rows of all ways together after a position, newest first.
 * @param most the largest number of rows for each way
 */
export async function readSteadily<Row extends PagedRow>(
  { store, collection, moves, layout }: Paged<Row>,
  ways: readonly Way[],
  from: Position | undefined,
  most: number,
): Promise<SteadyRows<Row>> {
  const rows = collection as Collection<Row>;
  const raw = layout && {
    find: async (filter: Filter<Row>, options: FindOptions) =>
      (await findRaw(store, rows, layout, filter, options)) as readonly PagedRow[] as Row[],
  };
  const find = (way: Way, more: FindOptions = {}) => readWay(rows, way, from, most, { more, ...raw });
  const plainly = () => Promise.all(ways.map((way) => find(way)));
  if (moves === undefined || !canMove(ways, moves)) return joined(await plainly(), most);
  const { hasSnapshots } = await engineOf(store.client);
  if (hasSnapshots) {
    const found = await inSnapshot(store, ways, find);
    if (found !== undefined) return joined(found, most);
  }
  const begunMs = nowMs();
  const found = await plainly();
  const since = { update_time: { $gte: new Date(begunMs - LOOK_BACK_MS) } };
  const late = await Promise.all(
    ways.map(({ filter }, i) => {
      const conditions = [filter, { ...moves.changed?.alwaysTrue, ...since }, ...upTo(found[i] as Row[], most)];
      return find({ filter: { $and: conditions }, ...(moves.changed && { hint: moves.changed.hint }) });
    }),
  );
  return joined([...late, ...found], most);
}

/** Reads all ways as of one moment; undefined if the database has no snapshot. */
async function inSnapshot<Row>(
  store: Store,
  ways: readonly Way[],
  find: (way: Way, options: FindOptions) => Promise<Row[]>,
): Promise<Row[][] | undefined> {
  const session = store.client.startSession({ snapshot: true });
  try {
    const found: Row[][] = [];
    // One after the other: the first read fixes the moment, and a session runs one command at a time.
    for (const way of ways) found.push(await find(way, { session, readConcern: { level: 'snapshot' } }));
    return found;
  } catch (error) {
    if (NO_SNAPSHOT.has(Number((error as { code?: unknown }).code))) return undefined;
    throw error;
  } finally {
    await session.endSession();
  }
}

/**
 * Whether a row can move and still match: from one way to another, or where a filter allows several values of a field.
 */
function canMove(ways: readonly Way[], { fields }: Moves): boolean {
  return ways.length > 1 || ways.some(({ filter }) => allowsSeveralValues(filter, fields));
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

/** Merges several lists in the order of every list, each row once, in the version of the first list that has it. */
function joined<Row extends PagedRow>(lists: readonly Row[][], most: number): SteadyRows<Row> {
  const [only] = lists;
  if (lists.length === 1 && only !== undefined) return { rows: only, isCut: only.length >= most };
  const rows = new Map<string, Row>();
  for (const row of lists.flat()) if (!rows.has(row._id)) rows.set(row._id, row);
  const isCut = rows.size >= most || lists.some(({ length }) => length === most);
  const byTime = (a: Row, b: Row) => b.create_time.getTime() - a.create_time.getTime() || (a._id < b._id ? 1 : -1);
  return { rows: [...rows.values()].sort(byTime), isCut };
}
