/** Writes beside other writers: of rows that may be there already, and of what was decided from a read. */
import { MongoBulkWriteError } from 'mongodb';
import { unavailableError } from '../answers/errors.ts';

/** MongoDB's code for a second row with the same key in a unique index. */
const DUPLICATE_KEY = 11_000;

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

/** Whether all writes of an unordered bulk write that failed did so because their rows are there already. */
export function onlyThere(error: unknown): error is MongoBulkWriteError {
  if (!(error instanceof MongoBulkWriteError)) return false;
  const failures = [error.writeErrors].flat();
  return failures.length > 0 && failures.every(({ code }) => code === DUPLICATE_KEY);
}

/** The time of a change made now to a row last changed at `before`: it grows, even when the clock stands still or goes back. */
export function changeTime(before: Date, now: Date): Date {
  return new Date(Math.max(now.getTime(), before.getTime() + 1));
}

/** Inserts those rows that are not there yet. @returns how many */
export async function insertNew<Row>(
  rows: { insertMany(inserted: readonly Row[], options: { ordered: false }): Promise<unknown> },
  inserted: readonly Row[],
): Promise<number> {
  try {
    await rows.insertMany(inserted, { ordered: false });
    return inserted.length;
  } catch (error) {
    if (!onlyThere(error)) throw error;
    return inserted.length - [error.writeErrors].flat().length;
  }
}

/**
 * Repeats a read, a decision and a write until no other write happens between the read and the write.
 * @param attempt writes only over what it has read; returns undefined if another write was faster
 * @param giveUp what to do after the last attempt; without it, ApiError UNAVAILABLE is thrown
 */
export async function untilWritten<T>(
  attempts: number,
  attempt: () => Promise<T | undefined>,
  giveUp: () => T | Promise<T> = () => {
    throw unavailableError('contention', { retryAfterMs: 1_000 });
  },
): Promise<T> {
  for (let made = 0; made < attempts; made++) {
    const written = await attempt();
    if (written !== undefined) return written;
  }
  return giveUp();
}
