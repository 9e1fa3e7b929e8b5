/**
 * Only the holder of a request's lease may apply it. Every write of the cursor, the counts and the status is conditional
 * on the lease.
 */
import { randomUUID } from 'node:crypto';
import type { IngestRequestRow } from '../../data/collections/ingest_requests.ts';
import { FREE, giveBack, HELD, LEASE_MS, leasedBy, NO_LEASE } from '../../data/lease.ts';
import type { Store } from '../../data/store.ts';
import { now } from '../../process/clock.ts';

export type Counts = IngestRequestRow['counts'];

/** Another process holds the request now: this one must write nothing more. */
export class LeaseLost extends Error {
  constructor() {
    super('another process applies the ingest request');
  }
}

const PENDING = { status: { $in: ['ACCEPTED' as const, 'APPLYING' as const] } };

/** A request that this process may apply. */
export interface Lease {
  /** The request as it was when it was taken. */
  readonly request: IngestRequestRow;
  /**
   * Renews the lease, and notes the planned outcomes of a chunk's records; the note of an earlier holder for the same
   * chunk stays. Call it after reading everything that the plan is based on, and before writing anything of it: a
   * process that lost the lease before reading stops here, and rows that changed after reading refuse the write.
   * @param outcomes one letter for each record
   * @returns the note that counts
   * @throws LeaseLost
   */
  hold(chunk: number, outcomes: string): Promise<string>;
  /**
   * Notes that a chunk is applied. The next {@link hold} writes it, or {@link settle}. After a crash before that the
   * chunk is applied once more, which changes nothing.
   */
  applied(chunk: number, counts: Counts): void;
  /** Writes which chunks are applied. @throws LeaseLost */
  settle(): Promise<void>;
  /** Notes that everything is applied. @throws LeaseLost */
  finish(): Promise<void>;
  /**
   * Gives up the lease, so that others can continue at once. While the database is away it is repeated, until the lease
   * ends by itself or the process stops.
   */
  giveBack(): Promise<void>;
}

/**
 * The tenant's next request to apply. One that has begun comes before all others: requests get their number before they
 * are accepted, so one with a lower number may appear later.
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
 * Whether another request of the tenant must be finished first. Two processes that looked at the same time may each
 * have taken a request. Then this one has to wait if the other request is held. If the other process has already given
 * its request back because of this one, the request with the lower number comes first; both processes see that.
 */
async function mustWait(store: Store, { tenant_id, _id, accepted_order }: IngestRequestRow): Promise<boolean> {
  const isEarlier = { accepted_order: { $lt: accepted_order } };
  const found = await store.ingest_requests.findOne(
    { tenant_id, status: 'APPLYING', _id: { $ne: _id }, $or: [HELD, isEarlier] },
    { projection: { _id: 1 } },
  );
  return found !== null;
}

/**
 * Takes the tenant's first pending request; undefined if there is none, or another process holds it.
 * @param stopping aborted when no more attempts are wanted
 * @throws the store's error; the lease is then given back as soon as the store can be written
 */
export async function takeNext(store: Store, tenantId: string, stopping: AbortSignal): Promise<Lease | undefined> {
  let seen = '';
  for (;;) {
    const first = await firstPending(store, tenantId);
    // Found again although it could not be taken: another process holds it. Later requests have to wait.
    if (first === undefined || first._id === seen) return undefined;
    seen = first._id;
    const leaseId = randomUUID();
    const mine = { _id: first._id, lease_id: leaseId };
    const giveUp = () => giveBack(store.ingest_requests, mine, LEASE_MS.batch, stopping);
    try {
      const request = await take(store, first._id, leaseId);
      if (request === null) continue;
      if (!(await mustWait(store, request))) return leaseOn(store, request, leaseId, giveUp);
    } catch (error) {
      // If the answer was lost, the request may have been taken.
      await giveUp();
      throw error;
    }
    await giveUp();
    return undefined;
  }
}

/** @returns the request as it is now; null if another process holds it */
function take(store: Store, requestId: string, leaseId: string): Promise<IngestRequestRow | null> {
  const taken = {
    ...leasedBy(leaseId, LEASE_MS.batch),
    status: 'APPLYING',
    started_at: { $ifNull: ['$started_at', now()] },
  };
  return store.ingest_requests.findOneAndUpdate({ _id: requestId, ...PENDING, ...FREE }, [{ $set: taken }], {
    returnDocument: 'after',
  });
}

/** The fields of a request after a chunk, for an update by a pipeline. */
function advanced(chunk: number, counts: Counts): object {
  const sums = Object.entries(counts).map(([name, count]) => [name, { $add: [`$counts.${name}`, count] }]);
  return { cursor: chunk + 1, counts: Object.fromEntries(sums) };
}

function leaseOn(store: Store, request: IngestRequestRow, leaseId: string, giveUp: () => Promise<void>): Lease {
  const held = { _id: request._id, lease_id: leaseId };

  async function change(condition: object, update: object): Promise<void> {
    const { matchedCount } = await store.ingest_requests.updateOne({ ...held, ...condition }, update);
    if (matchedCount === 0) throw new LeaseLost();
  }

  /** A chunk that is applied, while that is not written. */
  let done: { readonly chunk: number; readonly counts: Counts } | undefined;

  return {
    request,
    async hold(chunk, outcomes) {
      const noted = { $cond: [{ $eq: ['$planned.chunk', chunk] }, '$planned', { chunk, outcomes }] };
      const row = await store.ingest_requests.findOneAndUpdate(
        { ...held, cursor: done?.chunk ?? chunk },
        [
          {
            $set: {
              ...leasedBy(leaseId, LEASE_MS.batch),
              planned: noted,
              ...(done && advanced(done.chunk, done.counts)),
            },
          },
        ],
        { returnDocument: 'after', projection: { planned: 1 } },
      );
      if (row === null) throw new LeaseLost();
      done = undefined;
      return row.planned?.outcomes ?? outcomes;
    },
    applied(chunk, counts) {
      done = { chunk, counts };
    },
    async settle() {
      if (done === undefined) return;
      await change({ cursor: done.chunk }, [{ $set: advanced(done.chunk, done.counts) }]);
      done = undefined;
    },
    finish: () =>
      change(
        {},
        {
          $set: { status: 'APPLIED', ended_at: now(), ...NO_LEASE },
          $unset: { planned: '' },
        },
      ),
    giveBack: giveUp,
  };
}
