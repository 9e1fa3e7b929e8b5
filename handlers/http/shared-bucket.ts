/**
 * Token buckets that all processes of a deployment share (GCRA): one row for each, which holds the theoretical arrival
 * time (TAT). The bucket is full when TAT is past, and empty when TAT is the bucket's capacity ahead.
 *
 * The database decides, by its own clock (`$$NOW`) and in one update of the row. So any number of processes grant exactly
 * what one would, whatever their clocks say, and a request that waited for the database is judged by the time at which
 * it is decided.
 */
import type { Collection } from 'mongodb';
import type { RateLimitRow } from '../data/collections/rate_limits.ts';
import { isThere } from '../data/insert.ts';

/** How long an idle bucket's row is kept: far longer than refilling takes. */
export const IDLE_ROW_MS = 600_000;
/** A clock of the database that steps back by no more than this only takes tokens away, and only once. */
const STEP_BACK_MS = 1_000;

/**
 * A failover may lose the latest writes to a bucket. Within two seconds that no longer matters, so no request waits
 * until a majority has the write in its journal.
 */
const FORGETTABLE = { writeConcern: { w: 1, journal: false } } as const;

/** What a bucket is like; times in milliseconds. */
export interface Bucket {
  /** In what time one token comes back. */
  readonly intervalMs: number;
  /** In what time an empty bucket is full. */
  readonly capacityMs: number;
}

/** The decision; times in milliseconds since the epoch, by the database's clock. */
export interface TakenTokens {
  /** How many tokens there were, at most as many as were wanted. */
  readonly granted: number;
  readonly tat: number;
  /** When it was decided. */
  readonly at: number;
}

/** Takes up to as many tokens as wanted from the bucket of an id. */
export async function takeTokens(
  rows: Collection<RateLimitRow>,
  _id: string,
  wanted: number,
  bucket: Bucket,
): Promise<TakenTokens> {
  const options = { upsert: true, returnDocument: 'after', ...FORGETTABLE } as const;
  const take = () => rows.findOneAndUpdate({ _id }, taking(wanted, bucket), options);
  const row = await take().catch((error) => {
    // Another process has made the row at the same moment.
    if (isThere(error)) return take();
    throw error;
  });
  if (row === null) throw new Error('an update that inserts what is missing found nothing');
  return row;
}

function taking(wanted: number, { intervalMs, capacityMs }: Bucket) {
  // A TAT this far ahead was written before the database's clock stepped back, or another member with another clock took
  // over. It says nothing about the caller, who gets one token; the bucket is empty then, so that the rate holds.
  const isImpossible = { $gt: ['$tat', { $add: ['$at', capacityMs + STEP_BACK_MS] }] };
  const oneLeft = { $add: ['$at', capacityMs - intervalMs] };
  const left = { $floor: { $divide: [{ $subtract: [{ $add: ['$at', capacityMs] }, '$tat'] }, intervalMs] } };
  return [
    { $set: { at: { $subtract: ['$$NOW', new Date(0)] }, expires_at: { $add: ['$$NOW', IDLE_ROW_MS] } } },
    { $set: { tat: { $cond: [isImpossible, oneLeft, { $max: ['$tat', '$at'] }] } } },
    { $set: { granted: { $max: [0, { $min: [wanted, left] }] } } },
    { $set: { tat: { $add: ['$tat', { $multiply: ['$granted', intervalMs] }] } } },
  ];
}
