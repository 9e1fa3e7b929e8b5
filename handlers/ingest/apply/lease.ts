/**
 * Who may apply a request: the holder of its lease, by the database's clock. Every write of the cursor, the counts and
 * the status is conditional on the lease.
 */
import { randomUUID } from 'node:crypto';
import type { IngestRequestRow, Store } from '../../data/store.ts';
import { writeWhenBack } from '../../data/store-away.ts';
import { now } from '../../process/clock.ts';

/** How long a holder that says nothing keeps the request from others, in milliseconds. */
export const LEASE_MS = 60_000;
const NOBODY = new Date(0);

export type Counts = IngestRequestRow['counts'];

/** Another process has the request now: whatever this one still had in mind must not be written. */
export class LeaseLost extends Error {
  constructor() {
    super('another process applies the ingest request');
  }
}

const PENDING = { status: { $in: ['ACCEPTED' as const, 'APPLYING' as const] } };
const FREE = { $expr: { $lte: ['$lease_until', '$$NOW'] } };
const fromNow = { $add: ['$$NOW', LEASE_MS] };

/** A request that this process may apply. */
export interface Lease {
  /** As it was when it was taken. */
  readonly request: IngestRequestRow;
  /**
   * Says that the holder is alive, and notes what the records of a chunk are to become; what an earlier holder noted
   * for the same chunk stays. Called after everything was read that a plan rests on and before anything of it is
   * written: who lost the lease before reading gets no further, and what was changed after reading refuses the write.
   * @param outcomes one letter for each record
   * @returns what is noted
   * @throws LeaseLost
   */
  hold(chunk: number, outcomes: string): Promise<string>;
  /** A chunk is applied. @throws LeaseLost */
  advance(chunk: number, counts: Counts): Promise<void>;
  /** Everything is applied. @throws LeaseLost */
  finish(): Promise<void>;
  /**
   * Lets others go on at once. While the database is away it tries again and again, until the lease is over by itself
   * or the process stops.
   */
  giveBack(): Promise<void>;
}

/**
 * The request of the tenant that is to be applied next. One that was begun comes before all others: a request gets its
 * number before it is accepted, so that one with a lower number may come only now.
 */
async function firstPending(store: Store, tenantId: string): Promise<IngestRequestRow | undefined> {
  for (const status of ['APPLYING', 'ACCEPTED'] as const) {
    const [first] = await store.ingest_requests
      .find({ tenant_id: tenantId, status })
      .sort({ accepted_order: 1 })
      .limit(1)
      .toArray();
    if (first !== undefined) return first;
  }
  return undefined;
}

/**
 * Whether another request of the tenant must come to its end first. Of two that looked at the same time each may have taken
 * one: then somebody is at work on the other. Or has given it back by now for this one's sake: then the earlier one comes
 * first, which both see.
 */
async function mustWait(store: Store, { tenant_id, _id, accepted_order }: IngestRequestRow): Promise<boolean> {
  const isHeld = { $expr: { $gt: ['$lease_until', '$$NOW'] } };
  const isEarlier = { accepted_order: { $lt: accepted_order } };
  const found = await store.ingest_requests.findOne(
    { tenant_id, status: 'APPLYING', _id: { $ne: _id }, $or: [isHeld, isEarlier] },
    { projection: { _id: 1 } },
  );
  return found !== null;
}

/**
 * Takes the tenant's first pending request; nothing when there is none, or another process has it.
 * @param stopping nothing is tried again once it is aborted
 * @throws what the store failed with; as soon as it can be told, no request is kept from others by that
 */
export async function takeNext(store: Store, tenantId: string, stopping: AbortSignal): Promise<Lease | undefined> {
  let seen = '';
  for (;;) {
    const first = await firstPending(store, tenantId);
    // Found twice and refused once: somebody holds it. Later ones have to wait.
    if (first === undefined || first._id === seen) return undefined;
    seen = first._id;
    const leaseId = randomUUID();
    try {
      const request = await take(store, first._id, leaseId);
      if (request === null) continue;
      if (!(await mustWait(store, request))) return leaseOn(store, request, leaseId, stopping);
    } catch (error) {
      // Whether it was taken is not known where the answer was lost.
      await giveBack(store, first._id, leaseId, stopping);
      throw error;
    }
    await giveBack(store, first._id, leaseId, stopping);
    return undefined;
  }
}

/** @returns the request as it is now; nothing where another process has it */
function take(store: Store, requestId: string, leaseId: string): Promise<IngestRequestRow | null> {
  const taken = {
    ...{ lease_id: leaseId, lease_until: fromNow, status: 'APPLYING' },
    started_at: { $ifNull: ['$started_at', now()] },
  };
  return store.ingest_requests.findOneAndUpdate({ _id: requestId, ...PENDING, ...FREE }, [{ $set: taken }], {
    returnDocument: 'after',
  });
}

/** Never throws: where it fails for good, others have to wait until the lease is over. */
function giveBack(store: Store, requestId: string, leaseId: string, stopping: AbortSignal): Promise<void> {
  const mine = { _id: requestId, lease_id: leaseId };
  const free = { lease_id: '', lease_until: NOBODY };
  return writeWhenBack(() => store.ingest_requests.updateOne(mine, { $set: free }), LEASE_MS, stopping);
}

function leaseOn(store: Store, request: IngestRequestRow, leaseId: string, stopping: AbortSignal): Lease {
  const held = { _id: request._id, lease_id: leaseId };

  async function change(condition: object, update: object): Promise<void> {
    const { matchedCount } = await store.ingest_requests.updateOne({ ...held, ...condition }, update);
    if (matchedCount === 0) throw new LeaseLost();
  }

  return {
    request,
    async hold(chunk, outcomes) {
      const noted = { $cond: [{ $eq: ['$planned.chunk', chunk] }, '$planned', { chunk, outcomes }] };
      const row = await store.ingest_requests.findOneAndUpdate(
        { ...held, cursor: chunk },
        [{ $set: { lease_until: fromNow, planned: noted } }],
        { returnDocument: 'after', projection: { planned: 1 } },
      );
      if (row === null) throw new LeaseLost();
      return row.planned?.outcomes ?? outcomes;
    },
    advance: (chunk, counts) =>
      change(
        { cursor: chunk },
        {
          $set: { cursor: chunk + 1 },
          $inc: Object.fromEntries(Object.entries(counts).map(([name, count]) => [`counts.${name}`, count])),
        },
      ),
    finish: () =>
      change(
        {},
        {
          $set: { status: 'APPLIED', ended_at: now(), lease_id: '', lease_until: NOBODY },
          $unset: { planned: '' },
        },
      ),
    giveBack: () => giveBack(store, request._id, leaseId, stopping),
  };
}
