/**
 * Claims of due deliveries (D-27). Several processes may try to take the same delivery, and each may stop at any point:
 *
 * - A claim is a conditional write by the database's own clock, so that processes whose clocks differ agree on who holds
 *   the delivery. It counts the attempt before anything is sent, so a crash never causes a ninth attempt. It names one
 *   delivery by tenant and id, as a sharded collection requires; a read before it finds the delivery.
 * - A crash leaves a lease that ends; then another process makes the next attempt.
 *
 * Claims of all endpoints that are wanted at about the same time are one command: each command waits for the disk, and
 * costs the database more than the row that it changes.
 */
import { randomUUID } from 'node:crypto';
import { type Filter, MongoBulkWriteError } from 'mongodb';
import { inRounds, onceForEach } from '../data/batched-reads.ts';
import type { DeliveryAttempt, DeliveryRow } from '../data/collections/deliveries.ts';
import { FREE, LEASE_MS, leasedBy } from '../data/lease.ts';
import type { Store } from '../data/store.ts';
import { monotonicMs, now } from '../runtime/clock.ts';

/** How many due deliveries one read finds, for this claim and the next ones, and how many reads one claim makes. */
const CANDIDATES = 8;
const LOOKS = 3;

/** A delivery that this process holds for a while. */
export interface Claim {
  /** As it was before the claim. */
  readonly before: DeliveryRow;
  readonly leaseId: string;
  /** When the claim was requested, by the process's own steady clock. */
  readonly askedMs: number;
}

/** What the claims of one endpoint share, so that they neither read separately nor try the same deliveries. */
export interface DueDeliveries {
  /** Due deliveries that a read has found and no claim has tried, the one that has been due longest first. */
  rows: DeliveryRow[];
  /** The ids of deliveries that are being claimed. */
  readonly tried: Set<string>;
  /** The read under way. */
  reading: Promise<void> | undefined;
  /** Whether something may be due that no read has found, nor will the one under way. */
  isOutdated: boolean;
  /** The time of the last read: what is due later has not been found. */
  readAt: Date;
}

/** For an endpoint that may have due deliveries. */
export const nothingRead = (): DueDeliveries => ({
  rows: [],
  tried: new Set(),
  reading: undefined,
  isOutdated: true,
  readAt: now(),
});

/** Whether a further claim may find something. */
export const mayBeDue = ({ rows, reading, isOutdated }: DueDeliveries): boolean =>
  rows.length > 0 || reading !== undefined || isOutdated;

/** Makes no further claims, until somebody says that something is due. */
export function setNothingDue(found: DueDeliveries): void {
  found.rows = [];
  found.isOutdated = false;
}

/** The deliveries that may be claimed: due, by the service's clock, and without a lease. */
function claimable(at: Date): Filter<DeliveryRow> {
  return { status: 'PENDING', next_at: { $lte: at }, ...FREE };
}

/**
 * Claims the endpoint's delivery that has been due longest, among those that no other process claims first.
 * @param found shared by all claims of the endpoint
 */
export async function claimDue(
  store: Store,
  tenantId: string,
  endpointId: string,
  found = nothingRead(),
): Promise<Claim | undefined> {
  for (let look = 0; look <= LOOKS; look++) {
    for (let row = found.rows.shift(); row !== undefined; row = found.rows.shift()) {
      const claim = { before: row, leaseId: randomUUID(), askedMs: monotonicMs() };
      found.tried.add(row._id);
      const isHeld = await claiming(store)(claim).finally(() => found.tried.delete(row._id));
      if (isHeld) return claim;
    }
    if (look === LOOKS) break;
    found.reading ??= readDue(store, tenantId, endpointId, found).finally(() => {
      found.reading = undefined;
    });
    await found.reading;
    if (!mayBeDue(found)) break;
  }
  return undefined;
}

/** Finds what is due at the endpoint, without the deliveries that are being claimed here. */
async function readDue(store: Store, tenantId: string, endpointId: string, found: DueDeliveries): Promise<void> {
  // What becomes due from here on may come too late for this read.
  found.isOutdated = false;
  found.readAt = now();
  const tried = new Set(found.tried);
  const limit = CANDIDATES + tried.size;
  const due = await store.deliveries
    .find({ tenant_id: tenantId, endpoint_id: endpointId, ...claimable(found.readAt) })
    .sort({ next_at: 1 })
    .limit(limit)
    .toArray();
  found.rows = due.filter(({ _id }) => !tried.has(_id));
  if (due.length === limit) found.isOutdated = true;
}

const claiming = onceForEach((store: Store) => inRounds((claims: readonly Claim[]) => claimAll(store, claims)));

/**
 * Makes claims. @returns for each whether this process holds its delivery now
 * @throws when it is not known whether the claims are in the store for good; those that are end with their leases
 */
async function claimAll(store: Store, claims: readonly Claim[]): Promise<boolean[]> {
  let refused: unknown;
  const { matchedCount } = await store.deliveries.bulkWrite(claims.map(claimOf), { ordered: false }).catch((error) => {
    if (!isOfSingleWrites(error)) throw error;
    refused = error;
    return error.result;
  });
  if (matchedCount === claims.length) return claims.map(() => true);
  const tenantIds = [...new Set(claims.map(({ before }) => before.tenant_id))];
  const ids = claims.map(({ before }) => before._id);
  const rows = await store.deliveries
    .find(
      { tenant_id: { $in: tenantIds }, _id: { $in: ids } },
      { projection: { lease_id: 1 }, batchSize: claims.length + 1 },
    )
    .toArray();
  const leases = new Set(rows.map(({ lease_id }) => lease_id));
  const held = claims.map(({ leaseId }) => leases.has(leaseId));
  if (refused !== undefined && !held.includes(true)) throw refused;
  return held;
}

/** Whether only single writes of a command were refused, and the others are in the store for good. */
function isOfSingleWrites(error: unknown): error is MongoBulkWriteError {
  if (!(error instanceof MongoBulkWriteError)) return false;
  return [error.writeErrors].flat().length > 0 && error.result.getWriteConcernError() === undefined;
}

/** The write of a claim: it matches the delivery only as it was read, as every other claim changes the lease or the count. */
function claimOf({ before: { _id, tenant_id, lease_id, attempt_count }, leaseId }: Claim) {
  const at = now();
  const unfinished: DeliveryAttempt = { at, status_code: 0, error: 'interrupted', duration_ms: 0 };
  const filter: Filter<DeliveryRow> = { _id, tenant_id, lease_id, attempt_count, ...claimable(at) };
  const claimed = {
    ...leasedBy(leaseId, LEASE_MS.delivery),
    attempt_count: { $add: ['$attempt_count', 1] },
    attempts: { $concatArrays: ['$attempts', [{ $literal: unfinished }]] },
  };
  return { updateOne: { filter, update: [{ $set: claimed }] } };
}
