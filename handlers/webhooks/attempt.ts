/**
 * One attempt of a delivery (D-27). Several processes may try to take the same delivery, and each may stop at any
 * point:
 *
 * - The claim is one conditional write by the database's own clock, so that processes whose clocks differ agree on who
 *   holds it. It counts the attempt before anything is sent, so a crash never causes a ninth attempt. It names one
 *   delivery by tenant and id, as a sharded collection requires; a read before it finds the delivery.
 * - Every later write is conditional on the lease. A process that was paused for longer than the lease writes nothing,
 *   and sends nothing either if it has not begun to send.
 * - A crash leaves a lease that ends; then another process makes the next attempt.
 */
import { randomUUID } from 'node:crypto';
import type { Filter } from 'mongodb';
import type { DeliveryAttempt, DeliveryRow, Store, WebhookEndpointRow } from '../data/store.ts';
import { storeNow, storeNowMs } from '../data/store-clock.ts';
import { onceForEach, rowsTogether } from '../data/together.ts';
import { monotonicMs, now } from '../process/clock.ts';
import { describeError, type Logger } from '../process/log.ts';
import { deliveriesEnded, deliveryAttempts } from '../process/metrics.ts';
import { cancelPending, MAX_ATTEMPTS, MAX_FAILURES, NO_LEASE, waitAfter } from './schedule.ts';
import type { Envelope } from './webhooks.ts';

/** How long a claim is valid, in milliseconds: enough for an attempt of 10 s and the writes around it. */
export const LEASE_MS = 30_000;
/** An attempt that has not begun this long after its claim is not made: it could overlap that of the next holder. */
const BEGIN_WITHIN_MS = 10_000;
/** How many due deliveries one read finds, for this claim and the next ones, and how many reads one claim makes. */
const CANDIDATES = 8;
const LOOKS = 3;
/** Wait before the next attempt after a fault of this deployment prevented one, in milliseconds. */
const AFTER_FAULT_MS = 60_000;

/** The result of a send: the receiver's status, or 0 and a class of error. */
export type Sent = Pick<DeliveryAttempt, 'status_code' | 'error' | 'duration_ms'>;

/**
 * Signs an envelope and posts it once, within 10 seconds.
 * @throws the signal's reason if it is aborted, and errors of this deployment; never because of what the receiver does
 */
export type Sender = (endpoint: WebhookEndpointRow, envelope: Envelope, signal: AbortSignal) => Promise<Sent>;

/** What attempts need. */
export interface AttemptMeans {
  readonly store: Store;
  readonly send: Sender;
  readonly log: Logger;
  /** From 0 to below 1, for the jitter. */
  readonly random: () => number;
}

/** A delivery that this process holds for a while. */
export interface Claim {
  /** As it was before the claim. */
  readonly before: DeliveryRow;
  readonly leaseId: string;
  /** When the claim was requested, by the process's own steady clock. */
  readonly askedMs: number;
}

/** Result of a claim. `none`: nothing was sent, or its result is unknown. */
export type Result = 'success' | 'failure' | 'none';

/** The deliveries that may be claimed: due by the service's clock, and without a lease by the database's clock. */
function claimable(): Filter<DeliveryRow> {
  return { status: 'PENDING', next_at: { $lte: storeNow() }, $expr: { $lt: ['$lease_until', '$$NOW'] } };
}

/**
 * Claims the endpoint's delivery that has been due longest, among those that no other process claims first.
 * @param found ids that a read has found and that were not tried here yet. The claims of one endpoint share it, so that
 *   they neither read separately nor try the same deliveries
 */
export async function claimDue(
  store: Store,
  tenantId: string,
  endpointId: string,
  found: string[] = [],
): Promise<Claim | undefined> {
  for (let look = 0; look <= LOOKS; look++) {
    for (let id = found.shift(); id !== undefined; id = found.shift()) {
      const claim = await claimOne(store, tenantId, id);
      if (claim !== undefined) return claim;
    }
    if (look === LOOKS) break;
    const due = await store.deliveries
      .find({ tenant_id: tenantId, endpoint_id: endpointId, ...claimable() }, { projection: { _id: 1 } })
      .sort({ next_at: 1 })
      .limit(CANDIDATES)
      .toArray();
    if (due.length === 0) break;
    found.splice(0, found.length, ...due.map(({ _id }) => _id));
  }
  return undefined;
}

async function claimOne(store: Store, tenant_id: string, _id: string): Promise<Claim | undefined> {
  const leaseId = randomUUID();
  const askedMs = monotonicMs();
  const unfinished: DeliveryAttempt = { at: now(), status_code: 0, error: 'interrupted', duration_ms: 0 };
  const before = await store.deliveries.findOneAndUpdate(
    { _id, tenant_id, ...claimable() },
    [
      {
        $set: {
          lease_id: leaseId,
          lease_until: { $dateAdd: { startDate: '$$NOW', unit: 'millisecond', amount: LEASE_MS } },
          attempt_count: { $add: ['$attempt_count', 1] },
          attempts: { $concatArrays: ['$attempts', [{ $literal: unfinished }]] },
        },
      },
    ],
    { returnDocument: 'before' },
  );
  return before === null ? undefined : { before, leaseId, askedMs };
}

/** What attempts read of others, by id. Many attempts run at a time, so they read together. */
const readingOf = onceForEach((store: Store) => ({
  endpoint: rowsTogether(store.webhook_endpoints),
  endpointWithFailures: rowsTogether(
    store.webhook_endpoints,
    { projection: { _id: 1 } },
    { 'failed_delivery_ids.0': { $exists: true } },
  ),
  tenant: rowsTogether(store.tenants, { projection: { developer_api_enabled: 1 } }),
}));

/**
 * Makes the claimed attempt, and stores its result.
 * @param stopping aborts a send that takes too long while this process stops; the delivery is handed back
 */
export async function makeAttempt(means: AttemptMeans, claim: Claim, stopping: AbortSignal): Promise<Result> {
  const { store, send, log } = means;
  const { before } = claim;
  const read = readingOf(store);
  const [endpoint, tenant] = await Promise.all([read.endpoint(before.endpoint_id), read.tenant(before.tenant_id)]);
  if (endpoint?.status !== 'ACTIVE') {
    await uncounted(store, claim, ended('CANCELLED'));
    await cancelPending(store, before.tenant_id, before.endpoint_id);
    return 'none';
  }
  if (tenant?.developer_api_enabled !== true) {
    await uncounted(store, claim, ended('CANCELLED'));
    return 'none';
  }
  if (before.attempt_count >= MAX_ATTEMPTS) {
    // A process began the last attempt but never stored its result.
    await failForGood(store, claim, { attempt_count: before.attempt_count, attempts: before.attempts });
    return 'none';
  }
  if (monotonicMs() - claim.askedMs > BEGIN_WITHIN_MS) {
    await uncounted(store, claim, {});
    return 'none';
  }
  let sent: Sent;
  try {
    sent = await send(endpoint, envelopeOf(before), stopping);
  } catch (error) {
    if (stopping.aborted) await write(store, claim, { lease_id: '', lease_until: NO_LEASE });
    else {
      log.error({ event: 'delivery_not_sent', endpoint_id: endpoint._id, error: describeError(error) });
      await uncounted(store, claim, { next_at: new Date(storeNowMs() + AFTER_FAULT_MS) });
    }
    return 'none';
  }
  const isSuccess = sent.error === '' && sent.status_code >= 200 && sent.status_code <= 299;
  const result = sent.error === '' ? `${Math.trunc(sent.status_code / 100)}xx` : sent.error;
  deliveryAttempts.observe({ result: isSuccess ? 'success' : result }, sent.duration_ms / 1_000);
  await persistently(claim, () => writeOutcome(means, claim, sent, isSuccess));
  return isSuccess ? 'success' : 'failure';
}

function envelopeOf({ event_id, event_type, occurred_at, subject }: DeliveryRow): Envelope {
  const data = { [subject.name]: subject.id };
  return { id: event_id, type: event_type, occurred_at: occurred_at.toISOString(), data };
}

async function writeOutcome(means: AttemptMeans, claim: Claim, sent: Sent, isSuccess: boolean): Promise<void> {
  const { store } = means;
  const index = claim.before.attempts.length;
  const attempt = `attempts.${index}`;
  const { status_code, error, duration_ms } = sent;
  const logged = {
    [`${attempt}.status_code`]: status_code,
    [`${attempt}.error`]: error,
    [`${attempt}.duration_ms`]: duration_ms,
  };
  if (isSuccess) {
    // Before the end of the delivery is stored: a crash in between causes a repeated attempt, not a disabled endpoint.
    const { endpoint_id: _id } = claim.before;
    // Seldom are there any, and a write that changes nothing would wait for the disk like any other.
    if ((await readingOf(store).endpointWithFailures(_id)) !== undefined) {
      await store.webhook_endpoints.updateOne({ _id }, { $set: { failed_delivery_ids: [] } });
    }
    await write(store, claim, { ...ended('DELIVERED'), ...logged }, {});
    return;
  }
  const number = claim.before.attempt_count + 1;
  const next_at = new Date(storeNowMs() + waitAfter(number, means.random()));
  const isHeld =
    number < MAX_ATTEMPTS ? await write(store, claim, { next_at, ...logged }) : await failForGood(store, claim, logged);
  // The delivery was cancelled during the attempt: it stays cancelled, and the result of the attempt is stored too.
  if (!isHeld) await write(store, claim, logged, { status: 'CANCELLED' });
}

type Fields = Readonly<Record<string, unknown>>;

function ended(status: 'DELIVERED' | 'FAILED' | 'CANCELLED'): Fields {
  return { status, next_at: null, ended_at: now() };
}

/** Writes as if the attempt had not been claimed, so that it does not count. */
function uncounted(store: Store, claim: Claim, fields: Fields): Promise<boolean> {
  const { attempt_count, attempts } = claim.before;
  return write(store, claim, { attempt_count, attempts, ...fields });
}

/**
 * Writes to the delivery and gives up the lease, if this process still holds it.
 * @returns whether it did
 */
async function write(
  store: Store,
  { before, leaseId }: Claim,
  fields: Fields,
  condition: Filter<DeliveryRow> = { status: 'PENDING' },
): Promise<boolean> {
  const { matchedCount } = await store.deliveries.updateOne(
    { _id: before._id, tenant_id: before.tenant_id, lease_id: leaseId, ...condition },
    { $set: { lease_id: '', lease_until: NO_LEASE, ...fields } },
  );
  if (matchedCount === 1 && typeof fields.status === 'string') deliveriesEnded.inc({ status: fields.status });
  return matchedCount === 1;
}

/**
 * Ends a delivery as FAILED. Before that, its id is added to its endpoint, so that a repetition does not count it
 * twice. If it is the 20th in a row, the same write disables the endpoint.
 * @returns whether this process still held the delivery
 */
async function failForGood(store: Store, claim: Claim, fields: Fields): Promise<boolean> {
  const { _id, tenant_id, endpoint_id } = claim.before;
  const at = now();
  const isLast = { $gte: [{ $size: '$failed_delivery_ids' }, MAX_FAILURES] };
  const endpoint = await store.webhook_endpoints.findOneAndUpdate(
    { _id: endpoint_id, status: 'ACTIVE' },
    [
      { $set: { failed_delivery_ids: { $setUnion: ['$failed_delivery_ids', [{ $literal: _id }]] } } },
      {
        $set: {
          status: { $cond: [isLast, 'DISABLED', '$status'] },
          disabled_reason: { $cond: [isLast, 'CONSECUTIVE_FAILURES', '$disabled_reason'] },
          disabled_at: { $cond: [isLast, at, '$disabled_at'] },
          update_time: { $cond: [isLast, at, '$update_time'] },
        },
      },
    ],
    { returnDocument: 'after' },
  );
  const isHeld = await write(store, claim, { ...ended('FAILED'), ...fields });
  if (endpoint?.status === 'DISABLED') await cancelPending(store, tenant_id, endpoint_id);
  return isHeld;
}

const RETRY_MS = 1_000;

/**
 * Repeats the write after errors while the lease lasts: a sent event should not be sent again for lack of its result.
 */
async function persistently(claim: Claim, work: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (monotonicMs() - claim.askedMs > LEASE_MS - 2 * RETRY_MS) throw error;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}
