/**
 * A lease: the right of one process, or of one attempt, to work on a row until a time. The database's clock alone
 * decides whether it has ended. Whoever takes a row makes up a new `lease_id`, and names it in every later write to the
 * row: a holder that was paused for longer than its lease writes nothing.
 */
import type { Collection } from 'mongodb';
import { databaseMs } from '../runtime/clock.ts';
import { writeWhenBack } from './database-unavailable.ts';

export interface LeasedRow {
  _id: string;
  /** The holder; `''` for none. */
  lease_id: string;
  /** By the database's clock. */
  lease_until: Date;
}

/** How long a lease lasts without renewal, in milliseconds. */
export const LEASE_MS = {
  /** An attempt at a creation with an Idempotency-Key. */
  creation: 30_000,
  /** An attempt at a delivery of 10 s, and the writes around it. */
  delivery: 30_000,
  /** A batch of an ingest; it is renewed with each chunk. */
  batch: 60_000,
} as const;

export const NO_LEASE = { lease_id: '', lease_until: new Date(0) } as const;

/** The condition that nobody holds the row. */
export const FREE = { $expr: { $lte: ['$lease_until', '$$NOW'] } };

/** The condition that somebody holds the row. */
export const HELD = { $expr: { $gt: ['$lease_until', '$$NOW'] } };

/** The fields by which an update by a pipeline takes a row, or renews its lease. */
export const leasedBy = (leaseId: string, forMs: number) => ({
  lease_id: leaseId,
  lease_until: { $add: ['$$NOW', forMs] },
});

/** Whether somebody seems to hold a row that was read. Only the condition of a write decides. */
export const seemsHeld = ({ lease_until }: Pick<LeasedRow, 'lease_until'>): boolean =>
  lease_until.getTime() > databaseMs();

/**
 * Gives up a lease, so that others need not wait for its end. Repeated while the store is away; never throws.
 * @param forMs how long to try: after the length of the lease it has ended by itself
 */
export function giveBack<Row extends LeasedRow>(
  rows: Collection<Row>,
  { _id, lease_id }: Pick<LeasedRow, '_id' | 'lease_id'>,
  forMs: number,
  stopping?: AbortSignal,
): Promise<void> {
  const leased = rows as unknown as Collection<LeasedRow>;
  return writeWhenBack(() => leased.updateOne({ _id, lease_id }, { $set: NO_LEASE }), forMs, stopping);
}
