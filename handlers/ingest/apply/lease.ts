/**
 * Only the holder of a request's lease may apply it. Every write of the cursor, the counts and the status is conditional
 * on the lease.
 */
import { randomUUID } from 'node:crypto';
import type { IngestRequestRow } from '../../data/collections/ingest_requests.ts';
import { FREE, giveBack, HELD, LEASE_MS, leasedBy, NO_LEASE } from '../../data/lease.ts';
import type { Store } from '../../data/store.ts';
import { now } from '../../runtime/clock.ts';
import { counter, histogram, LAG_SECONDS } from '../../runtime/metrics.ts';

const recordsApplied = counter(
  'ingest_records_applied_total',
  'Records that this process has applied, by outcome.',
  'outcome',
);
for (const outcome of ['created', 'updated', 'unchanged', 'skipped']) recordsApplied.inc({ outcome }, 0);

const applyLag = histogram(
  'ingest_apply_lag_seconds',
  'Time from the acceptance of a batch to the end of its application.',
  LAG_SECONDS,
);

export type Counts = IngestRequestRow['counts'];

/** Another process holds the request now: this one must write nothing more. */
export class LeaseLost extends Error {
  constructor() {
    super('another process applies the ingest request');
  }
}

const PENDING = { status: { $in: ['ACCEPTED' as const, 'APPLYING' as const] } };

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
    const mine = { _id: first._id, lease_id: randomUUID() };
    try {
      const request = await take(store, mine);
      if (request === null) continue;
      if (!(await mustWait(store, request))) return new Lease(store, request, stopping);
    } catch (error) {
      // If the answer was lost, the request may have been taken.
      await giveBack(store.ingest_requests, mine, LEASE_MS.batch, stopping);
      throw error;
    }
    await giveBack(store.ingest_requests, mine, LEASE_MS.batch, stopping);
    return undefined;
  }
}

/** @returns the request as it is now; null if another process holds it */
function take(store: Store, { _id, lease_id }: { _id: string; lease_id: string }): Promise<IngestRequestRow | null> {
  const begun = { status: 'APPLYING', started_at: { $ifNull: ['$started_at', now()] } };
  return store.ingest_requests.findOneAndUpdate(
    { _id, ...PENDING, ...FREE },
    [{ $set: { ...leasedBy(lease_id, LEASE_MS.batch), ...begun } }],
    { returnDocument: 'after' },
  );
}

/** The fields of a request after a chunk, for an update by a pipeline. */
function advanced({ chunk, counts }: { readonly chunk: number; readonly counts: Counts }): object {
  const sums = Object.entries(counts).map(([name, count]) => [name, { $add: [`$counts.${name}`, count] }]);
  return { cursor: chunk + 1, counts: Object.fromEntries(sums) };
}

/** The tenant's first pending request, held by this process. Nothing of it is applied by anybody else meanwhile. */
export class Lease {
  /** The request as it was when it was taken. */
  readonly request: IngestRequestRow;
  readonly #requests: Store['ingest_requests'];
  readonly #stopping: AbortSignal;
  /** A chunk that is applied, while that is not written. */
  #done: { readonly chunk: number; readonly counts: Counts } | undefined;

  constructor(store: Store, request: IngestRequestRow, stopping: AbortSignal) {
    this.request = request;
    this.#requests = store.ingest_requests;
    this.#stopping = stopping;
  }

  /**
   * Renews the lease, and notes the planned outcomes of a chunk's records; the note of an earlier holder for the same
   * chunk stays. Call it after reading everything that the plan is based on, and before writing anything of it: a
   * process that lost the lease before reading stops here, and rows that changed after reading refuse the write.
   * @param outcomes one letter for each record
   * @returns the note that counts
   * @throws LeaseLost
   */
  async hold(chunk: number, outcomes: string): Promise<string> {
    const done = this.#done;
    const planned = { $cond: [{ $eq: ['$planned.chunk', chunk] }, '$planned', { chunk, outcomes }] };
    const set = { ...leasedBy(this.request.lease_id, LEASE_MS.batch), planned, ...(done && advanced(done)) };
    const row = await this.#requests.findOneAndUpdate(this.#held({ cursor: done?.chunk ?? chunk }), [{ $set: set }], {
      returnDocument: 'after',
      projection: { planned: 1 },
    });
    if (row === null) throw new LeaseLost();
    this.#done = undefined;
    return row.planned?.outcomes ?? outcomes;
  }

  /**
   * Notes that a chunk is applied. The next {@link hold} writes it, or {@link settle}. After a crash before that the
   * chunk is applied once more, which changes nothing.
   */
  applied(chunk: number, counts: Counts): void {
    this.#done = { chunk, counts };
    for (const [outcome, count] of Object.entries(counts)) recordsApplied.inc({ outcome }, count);
  }

  /** Writes which chunks are applied. @throws LeaseLost */
  async settle(): Promise<void> {
    if (this.#done === undefined) return;
    await this.#change(this.#held({ cursor: this.#done.chunk }), [{ $set: advanced(this.#done) }]);
    this.#done = undefined;
  }

  /** Notes that everything is applied. @throws LeaseLost */
  async finish(): Promise<void> {
    const endedAt = now();
    const set = { status: 'APPLIED', ended_at: endedAt, ...NO_LEASE };
    await this.#change(this.#held(), { $set: set, $unset: { planned: '' } });
    applyLag.observe((endedAt.getTime() - this.request.create_time.getTime()) / 1_000);
  }

  /**
   * Gives up the lease, so that others can continue at once. While the database is away it is repeated, until the lease
   * ends by itself or the process stops.
   */
  giveBack(): Promise<void> {
    return giveBack(this.#requests, this.request, LEASE_MS.batch, this.#stopping);
  }

  #held(condition: object = {}): object {
    return { _id: this.request._id, lease_id: this.request.lease_id, ...condition };
  }

  async #change(held: object, update: object): Promise<void> {
    const { matchedCount } = await this.#requests.updateOne(held, update);
    if (matchedCount === 0) throw new LeaseLost();
  }
}
