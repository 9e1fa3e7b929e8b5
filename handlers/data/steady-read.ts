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
import { engineOf } from './engine.ts';
import { filterOf, type ListRead, type Position, readPart, settled } from './list-read.ts';
import type { FindOptions } from './store.ts';
import type { PagedRow } from './visible-row.ts';

/**
 * A change that is written during a read may have been computed up to this long before the read, in milliseconds.
 */
const LOOK_BACK_MS = 10_000;

/** 239: the snapshot is too old. 246: there is no snapshot yet, because the collection or its indexes just changed. */
const NO_SNAPSHOT = new Set([239, 246]);

/** The rows that a page is cut from. */
export interface SteadyRows {
  /** Newest first, each once. */
  readonly rows: PagedRow[];
  /** Whether a part may have more rows than were read. */
  readonly isCut: boolean;
}

/**
 * The first rows of all parts together after a position, newest first.
 * @param most the largest number of rows of each part
 */
export async function readSteadily(list: ListRead, from: Position | undefined, most: number): Promise<SteadyRows> {
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

/**
 * Whether a row can move and still match: from one part to another, or where a condition allows several values of a
 * field.
 */
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

/** Merges several lists in the order of every list, each row once, in the version of the first list that has it. */
function joined(lists: readonly PagedRow[][], most: number): SteadyRows {
  const [only] = lists;
  if (lists.length === 1 && only !== undefined) return { rows: only, isCut: only.length >= most };
  const rows = new Map<string, PagedRow>();
  for (const row of lists.flat()) if (!rows.has(row._id)) rows.set(row._id, row);
  const isCut = rows.size >= most || lists.some(({ length }) => length === most);
  const byTime = (a: PagedRow, b: PagedRow) =>
    b.create_time.getTime() - a.create_time.getTime() || (a._id < b._id ? 1 : -1);
  return { rows: [...rows.values()].sort(byTime), isCut };
}
