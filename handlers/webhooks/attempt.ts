/**
 * One attempt of a delivery that this process has claimed (D-27, `claim.ts`). Every write is conditional on the lease: a
 * process that was paused for longer than the lease writes nothing, and sends nothing either if it has not begun to
 * send.
 */
import { setTimeout } from 'node:timers/promises';
import type { Filter } from 'mongodb';
import { shownTime } from '../answers/shown-times.ts';
import { inRounds, onceForEach, rowsTogether } from '../data/batched-reads.ts';
import type { DeliveryAttempt, DeliveryRow } from '../data/collections/deliveries.ts';
import type { WebhookEndpointRow } from '../data/collections/webhook_endpoints.ts';
import { LEASE_MS, NO_LEASE } from '../data/lease.ts';
import { ofTenant } from '../data/of-tenant.ts';
import { logFailure } from '../data/outages.ts';
import type { Store } from '../data/store.ts';
import { monotonicMs, now, nowMs } from '../runtime/clock.ts';
import type { Logger } from '../runtime/log.ts';
import { counter, HTTP_SECONDS, histogram, LAG_SECONDS } from '../runtime/metrics.ts';
import { continueTrace, type SpanEnd } from '../runtime/tracing.ts';
import type { Claim } from './claim.ts';
import { cancelPending, MAX_ATTEMPTS, MAX_FAILURES, waitAfter } from './schedule.ts';
import type { Envelope } from './webhooks.ts';

const deliveriesEnded = counter(
  'webhook_deliveries_ended_total',
  'Deliveries that came to their end, by what it was.',
  'status',
);
for (const status of ['DELIVERED', 'FAILED', 'CANCELLED']) deliveriesEnded.inc({ status }, 0);

const firstAttemptLag = histogram(
  'webhook_first_attempt_lag_seconds',
  'Time from the change that an event is about to the beginning of the first attempt to deliver it, without that in which all places of its endpoint were taken.',
  LAG_SECONDS,
);

const attemptsTotal = counter(
  'webhook_attempts_total',
  'Attempts of deliveries, by their number (1 to 8) and result: success, the class of a status, or of an error.',
  'attempt',
  'result',
);

const attemptDuration = histogram(
  'webhook_attempt_duration_seconds',
  'Time of one attempt of a delivery, by its result.',
  HTTP_SECONDS,
  'result',
);

const disablements = counter(
  'webhook_endpoint_disablements_total',
  'Endpoints that this process has disabled because 20 deliveries in a row had failed.',
);

/** An attempt that has not begun this long after its claim is not made: it could overlap that of the next holder. */
const BEGIN_WITHIN_MS = 10_000;
/** Wait before the next attempt after a fault of this deployment prevented one, in milliseconds. */
const AFTER_FAULT_MS = 60_000;

/** The result of a send: the receiver's status, or 0 and a class of error. */
export type SendResult = Pick<DeliveryAttempt, 'status_code' | 'error' | 'duration_ms'>;

/**
 * Signs an envelope and posts it once, within 10 seconds.
 * @throws the signal's reason if it is aborted, and errors of this deployment; never because of what the receiver does
 */
export type Sender = (endpoint: WebhookEndpointRow, envelope: Envelope, signal: AbortSignal) => Promise<SendResult>;

/** What attempts need. */
export interface AttemptMeans {
  readonly store: Store;
  readonly send: Sender;
  readonly log: Logger;
}

/** Result of a claim. `none`: nothing was sent, or its result is unknown. */
type AttemptResult = 'success' | 'failure' | 'none';

/** What attempts share: many run at a time, so they read by id together, and store their successes together. */
const sharedOf = onceForEach((store: Store) => ({
  endpoint: rowsTogether(store.webhook_endpoints),
  tenant: rowsTogether(store.tenants, { projection: { developer_api_enabled: 1 } }),
  succeed: inRounds((successes: readonly Success[]) => storeSuccesses(store, successes)),
}));

/**
 * Makes the claimed attempt, and stores its result.
 * @param stopping aborts a send that takes too long while this process stops; the delivery is handed back
 * @param fullMs for how long all places of its endpoint have been taken
 */
export async function makeAttempt(
  means: AttemptMeans,
  claim: Claim,
  stopping: AbortSignal,
  fullMs = 0,
): Promise<AttemptResult> {
  const { store, send, log } = means;
  const { before } = claim;
  const shared = sharedOf(store);
  const [endpoint, tenant] = await Promise.all([shared.endpoint(before.endpoint_id), shared.tenant(before.tenant_id)]);
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
  let sent: SendResult;
  const lagMs = nowMs() - before.occurred_at.getTime() - fullMs;
  try {
    sent = await continueTrace(
      { name: `deliver ${before.event_type}`, kind: 'client', attributes: attributesOf(before) },
      before.traceparent,
      () => send(endpoint, envelopeOf(before), stopping),
      spanEnd,
    );
  } catch (error) {
    if (stopping.aborted) await write(store, claim, {});
    else {
      logFailure(log, 'error', { event: 'delivery_not_sent', endpoint_id: endpoint._id }, error);
      await uncounted(store, claim, { next_at: new Date(nowMs() + AFTER_FAULT_MS) });
    }
    return 'none';
  }
  const isSuccess = sent.error === '' && sent.status_code >= 200 && sent.status_code <= 299;
  countAttempt(before.attempt_count + 1, sent, isSuccess, lagMs);
  await persistently(claim, () => writeOutcome(store, claim, sent, isSuccess));
  return isSuccess ? 'success' : 'failure';
}

/** @param lagMs from the event to the beginning of the attempt, without what its receiver made it wait */
function countAttempt(attempt: number, sent: SendResult, isSuccess: boolean, lagMs: number): void {
  const failure = sent.error === '' ? `${Math.trunc(sent.status_code / 100)}xx` : sent.error;
  const result = isSuccess ? 'success' : failure;
  attemptsTotal.inc({ attempt, result });
  attemptDuration.observe({ result }, sent.duration_ms / 1_000);
  if (attempt === 1) firstAttemptLag.observe(Math.max(0, lagMs) / 1_000);
}

const attributesOf = ({ tenant_id, event_type, attempt_count }: DeliveryRow) => ({
  'http.request.method': 'POST',
  'http.request.resend_count': attempt_count,
  event_type,
  tenant_id,
});

function spanEnd({ status_code, error }: SendResult): SpanEnd {
  if (error !== '') return { errorType: error };
  const attributes = { 'http.response.status_code': status_code };
  return status_code < 400 ? { attributes } : { attributes, errorType: String(status_code) };
}

function envelopeOf(row: DeliveryRow): Envelope {
  const { event_id, event_type, subject } = row;
  const data = { [subject.name]: subject.id };
  return { id: event_id, type: event_type, occurred_at: shownTime(row, 'occurred_at'), data };
}

async function writeOutcome(store: Store, claim: Claim, sent: SendResult, isSuccess: boolean): Promise<void> {
  const index = claim.before.attempts.length;
  const attempt = `attempts.${index}`;
  const { status_code, error, duration_ms } = sent;
  const logged = {
    [`${attempt}.status_code`]: status_code,
    [`${attempt}.error`]: error,
    [`${attempt}.duration_ms`]: duration_ms,
  };
  if (isSuccess) return sharedOf(store).succeed({ claim, logged });
  const number = claim.before.attempt_count + 1;
  const next_at = new Date(nowMs() + waitAfter(number));
  const isHeld =
    number < MAX_ATTEMPTS ? await write(store, claim, { next_at, ...logged }) : await failForGood(store, claim, logged);
  // The delivery was cancelled during the attempt: it stays cancelled, and the result of the attempt is stored too.
  if (!isHeld) await write(store, claim, logged, { status: 'CANCELLED' });
}

type AttemptFields = Readonly<Record<string, unknown>>;

/** An attempt that succeeded, with what its log says. */
interface Success {
  readonly claim: Claim;
  readonly logged: AttemptFields;
}

/** Ends deliveries as DELIVERED, unless this process does not hold them any more. */
async function storeSuccesses(store: Store, successes: readonly Success[]): Promise<undefined[]> {
  const endpointIds = [...new Set(successes.map(({ claim }) => claim.before.endpoint_id))];
  // Before the end of the deliveries is stored: a crash in between causes a repeated attempt, not a disabled endpoint.
  // Seldom are there any, and a write that changes nothing would wait for the disk like any other.
  const failing = await store.webhook_endpoints
    .find(
      { _id: { $in: endpointIds }, 'failed_delivery_ids.0': { $exists: true } },
      { projection: { _id: 1 }, batchSize: endpointIds.length + 1 },
    )
    .toArray();
  if (failing.length > 0) {
    const ids = failing.map(({ _id }) => _id);
    await store.webhook_endpoints.updateMany({ _id: { $in: ids } }, { $set: { failed_delivery_ids: [] } });
  }
  const operations = successes.map(({ claim, logged }) => ({
    updateOne: { filter: heldBy(claim), update: { $set: { ...NO_LEASE, ...ended('DELIVERED'), ...logged } } },
  }));
  const { matchedCount } = await store.deliveries.bulkWrite(operations, { ordered: false });
  deliveriesEnded.inc({ status: 'DELIVERED' }, matchedCount);
  return successes.map(() => undefined);
}

/** The claimed delivery, as long as nobody else has claimed it since. */
const heldBy = ({ before, leaseId }: Claim) => ({
  _id: before._id,
  tenant_id: before.tenant_id,
  lease_id: leaseId,
});

function ended(status: 'DELIVERED' | 'FAILED' | 'CANCELLED'): AttemptFields {
  return { status, next_at: null, ended_at: now() };
}

/** Writes as if the attempt had not been claimed, so that it does not count. */
function uncounted(store: Store, claim: Claim, fields: AttemptFields): Promise<boolean> {
  const { attempt_count, attempts } = claim.before;
  return write(store, claim, { attempt_count, attempts, ...fields });
}

/**
 * Writes to the delivery and gives up the lease, if this process still holds it.
 * @returns whether it did
 */
async function write(
  store: Store,
  claim: Claim,
  fields: AttemptFields,
  condition: Filter<DeliveryRow> = { status: 'PENDING' },
): Promise<boolean> {
  const { matchedCount } = await ofTenant(store.deliveries, claim.before.tenant_id).updateOne(
    { ...heldBy(claim), ...condition },
    { $set: { ...NO_LEASE, ...fields } },
  );
  if (matchedCount === 1 && typeof fields.status === 'string') deliveriesEnded.inc({ status: fields.status });
  return matchedCount === 1;
}

/**
 * Ends a delivery as FAILED. Before that, its id is added to its endpoint, so that a repetition does not count it
 * twice. If it is the 20th in a row, the same write disables the endpoint.
 * @returns whether this process still held the delivery
 */
async function failForGood(store: Store, claim: Claim, fields: AttemptFields): Promise<boolean> {
  const { _id, tenant_id, endpoint_id } = claim.before;
  const at = now();
  const isLast = { $gte: [{ $size: '$failed_delivery_ids' }, MAX_FAILURES] };
  const endpoint = await ofTenant(store.webhook_endpoints, tenant_id).findOneAndUpdate(
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
  if (endpoint?.status === 'DISABLED') disablements.inc();
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
      if (monotonicMs() - claim.askedMs > LEASE_MS.delivery - 2 * RETRY_MS) throw error;
      await setTimeout(RETRY_MS);
    }
  }
}
