/**
 * One page of rows, in which every row that matches throughout stands exactly once, also while rows move between values
 * that the filter names: an employee from one status of it to another, or from one department to another. Each move
 * takes the row to another place of the index; a find that merges several values may pass the one place before the row
 * is there and the other after it has gone.
 *
 * Two ways lead out of this. A snapshot shows all rows as they were at one moment: it costs nothing, needs no clock,
 * and holds over several finds. A standalone server and the embedded database have none; there the page is completed
 * by a second look at the rows that changed since shortly before the first one began. It finds whatever moved, as every
 * move sets `update_time`, as far as the clocks of the processes and the time from computing a change to writing it
 * differ by less than {@link LOOK_BACK_MS}.
 */
import type { Document, Filter, FindOptions } from 'mongodb';
import { nowMs } from './clock.ts';
import { engineOf } from './engine.ts';
import { type Collection, READ_TIME_MS, type Store } from './store.ts';

/** A row that a list can page over. */
export interface PagedRow {
  _id: string;
  create_time: Date;
}

/** Rows that can be read page by page. */
export interface Paged<Row> {
  readonly store: Store;
  readonly collection: Collection<Row & Document>;
  /** Fields that filters name and whose values may change while a row goes on matching; none: rows stand still. */
  readonly movable: readonly string[];
  /** A condition that all its rows fulfil and that lets an index find the rows that changed lately. */
  readonly always?: object;
}

/** How long before a read a change may have been computed that is written during it, in milliseconds. */
const LOOK_BACK_MS = 10_000;

/** A snapshot cannot be read right after the collection or its indexes changed, or when it is too old. */
const NO_SNAPSHOT = new Set([239, 246]);

/** What a page is cut from. */
export interface SteadyRows<Row> {
  /** Newest first, each once. */
  readonly rows: Row[];
  /** Whether a way may find more than was read. */
  readonly isCut: boolean;
}

/**
 * The first rows of all ways together, newest first.
 * @param ways conditions on rows; the position is part of them
 * @param most how many rows of each way, at most
 */
export async function readSteadily<Row extends PagedRow>(
  paged: Paged<Row>,
  ways: readonly object[],
  most: number,
  projection: Document,
): Promise<SteadyRows<Row>> {
  const { store, movable } = paged;
  const find = (way: object, more: FindOptions = {}) => newest(paged, way, most, { projection, ...more });
  const { hasSnapshots } = await engineOf(store.client);
  if (movable.length > 0 && hasSnapshots) {
    const found = await inSnapshot(store, ways, find);
    if (found !== undefined) return joined(found, most);
  }
  const begunMs = nowMs();
  const found = await Promise.all(ways.map((way) => find(way)));
  const moving = ways.map((way, i) => ({ way, rows: found[i] as Row[] })).filter(({ way }) => canMove(way, movable));
  if (moving.length === 0) return joined(found, most);
  const changed = { ...paged.always, update_time: { $gte: new Date(begunMs - LOOK_BACK_MS) } };
  const late = await Promise.all(moving.map(({ way, rows }) => find({ $and: [way, changed, ...upTo(rows, most)] })));
  return joined([...late, ...found], most);
}

/** All ways as of one moment; undefined where the database cannot look back to one. */
async function inSnapshot<Row>(
  store: Store,
  ways: readonly object[],
  find: (way: object, options: FindOptions) => Promise<Row[]>,
): Promise<Row[][] | undefined> {
  const session = store.client.startSession({ snapshot: true });
  try {
    const found: Row[][] = [];
    // One after the other: the first fixes the moment, and a session does one thing at a time.
    for (const way of ways) found.push(await find(way, { session, readConcern: { level: 'snapshot' } }));
    return found;
  } catch (error) {
    if (NO_SNAPSHOT.has(Number((error as { code?: unknown }).code))) return undefined;
    throw error;
  } finally {
    await session.endSession();
  }
}

async function newest<Row extends PagedRow>(
  { collection }: Paged<Row>,
  way: object,
  most: number,
  options: FindOptions,
): Promise<Row[]> {
  const rows = await collection
    .find(way as Filter<Row & Document>, { batchSize: most, maxTimeMS: READ_TIME_MS, ...options })
    .sort({ create_time: -1, _id: -1 })
    .limit(most)
    .toArray();
  return rows as unknown as Row[];
}

/** Whether a row can move within what the condition finds: a field that may change has a choice of values. */
function canMove(way: object, movable: readonly string[]): boolean {
  return Object.entries(way).some(([field, condition]) => {
    if (field === '$and') return (condition as object[]).some((each) => canMove(each, movable));
    if (!movable.includes(field) || typeof condition !== 'object') return false;
    const { $in: values } = condition as { $in?: readonly unknown[] };
    return values === undefined || values.length > 1;
  });
}

/** Rows further on than those that were found belong to a later page. */
function upTo(rows: readonly PagedRow[], most: number): object[] {
  const last = rows.length < most ? undefined : rows.at(-1);
  return last === undefined ? [] : [{ create_time: { $gte: last.create_time } }];
}

/** The rows of several lists in the order of every list, each once: as the first list has it that has it. */
function joined<Row extends PagedRow>(lists: readonly Row[][], most: number): SteadyRows<Row> {
  const rows = new Map<string, Row>();
  for (const row of lists.flat()) if (!rows.has(row._id)) rows.set(row._id, row);
  const isCut = rows.size >= most || lists.some(({ length }) => length === most);
  if (lists.length === 1) return { rows: [...rows.values()], isCut };
  const byTime = (a: Row, b: Row) => b.create_time.getTime() - a.create_time.getTime() || (a._id < b._id ? 1 : -1);
  return { rows: [...rows.values()].sort(byTime), isCut };
}
