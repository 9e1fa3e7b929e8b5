/** Inserts of rows that may be there already: the one place that knows MongoDB's duplicate key error. */
import { type Collection, type Document, MongoBulkWriteError, type OptionalUnlessRequiredId } from 'mongodb';

/** MongoDB's code for a second row with the same key in a unique index. */
export const DUPLICATE_KEY = 11_000;

/** Whether a write failed because a row with its key is there already. */
export const isThere = (error: unknown): boolean => (error as { code?: unknown }).code === DUPLICATE_KEY;

/** @returns false where a row with the key of the written one is there already; nothing is written then */
export async function unlessThere(write: () => Promise<unknown>): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (error) {
    if (isThere(error)) return false;
    throw error;
  }
}

/**
 * Which writes of an unordered bulk write failed because their rows are there already, by their places in it.
 * @param error of the bulk write
 * @throws that error, when any of them failed for another reason
 */
export function placesThere(error: unknown): number[] {
  if (!(error instanceof MongoBulkWriteError)) throw error;
  const failures = [error.writeErrors].flat();
  if (failures.length === 0 || failures.some(({ code }) => code !== DUPLICATE_KEY)) throw error;
  return failures.map(({ index }) => index);
}

/** Inserts those rows that are not there yet. @returns how many */
export async function insertNew<Row extends Document>(
  rows: Collection<Row>,
  inserted: readonly Row[],
): Promise<number> {
  try {
    await rows.insertMany(inserted as readonly OptionalUnlessRequiredId<Row>[], { ordered: false });
    return inserted.length;
  } catch (error) {
    return inserted.length - placesThere(error).length;
  }
}
