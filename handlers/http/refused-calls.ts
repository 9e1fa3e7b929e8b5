/** Notes which calls of a key were refused, for the people who integrate (D-38): in batches, after the answer. */
import { hash } from 'node:crypto';
import type { AnyBulkWriteOperation, Collection } from 'mongodb';
import { type OperationId, operations } from '../../generated/contract.ts';
import { type ApiError, type Violation, WHOLES } from '../answers/errors.ts';
import { MOST_REFUSED_CALLS, REFUSED_CALLS_OF_KEY, type RefusedCallRow } from '../data/collections/refused_calls.ts';
import { now } from '../runtime/clock.ts';

const FLUSH_MS = 1_000;
/** What repeats itself is written again after so many flushes: writing a row costs a tenth of a refused call. */
const REPEATS_EVERY = 10;
const HOUR_MS = 3_600_000;
/** Rows above the most that are kept for a key are looked for this seldom, in flushes. */
const TRIM_EVERY = 60;

/** A call that was refused after its key was known. */
export interface RefusedCall {
  readonly keyId: string;
  readonly tenantId: string;
  readonly operationId: OperationId | undefined;
  readonly requestId: string;
  readonly refusal: ApiError;
}

/** Collects refusals between writes. A crash, and a database that is away, lose the last ones: a second, repeats ten. */
export interface RefusedCalls {
  refused(call: RefusedCall): void;
  /** Writes what is collected. @param isLast also what repeats itself and is not due yet; the default */
  flush(isLast?: boolean): Promise<void>;
  stop(): void;
}

interface RefusalCount {
  readonly first: RefusedCall;
  /** Since it was written last. */
  times: number;
  requestId: string;
  /** The number of the flush that wrote it last. */
  writtenAt: number;
}

export function refusedCalls(rows: Collection<RefusedCallRow>): RefusedCalls {
  /** By key, then by what was said. */
  const waiting = new Map<string, Map<string, RefusalCount>>();
  let grown = new Map<string, string>();
  let flushes = 0;
  let writing: Promise<void> | undefined;

  function refused(call: RefusedCall): void {
    const { operationId, refusal, requestId, keyId } = call;
    const said = `${operationId} ${refusal.errorName} ${refusal.message} ${refusal.extras.violations?.map(sentence)}`;
    const ofKey = waiting.get(keyId) ?? new Map<string, RefusalCount>();
    const counted = ofKey.get(said);
    if (counted !== undefined) {
      counted.times++;
      counted.requestId = requestId;
    } else if (ofKey.size < MOST_REFUSED_CALLS) {
      waiting.set(keyId, ofKey.set(said, { first: call, times: 1, requestId, writtenAt: -REPEATS_EVERY }));
    }
  }

  /** Takes what is to be written; forgets what has not come again. */
  function taken(isLast: boolean): RefusalCount[] {
    const batch: RefusalCount[] = [];
    for (const [keyId, ofKey] of waiting) {
      for (const [said, counted] of ofKey) {
        if (!isLast && flushes - counted.writtenAt < REPEATS_EVERY) continue;
        if (counted.times === 0) ofKey.delete(said);
        else batch.push({ ...counted });
        counted.times = 0;
        counted.writtenAt = flushes;
      }
      if (ofKey.size === 0) waiting.delete(keyId);
    }
    return batch;
  }

  async function write(isLast: boolean): Promise<void> {
    flushes++;
    const batch = taken(isLast);
    if (batch.length > 0) {
      const at = now();
      const writes = batch.map((counted) => upsertOf(counted, at));
      const { upsertedIds } = await rows.bulkWrite(writes, { ordered: false, writeConcern: { w: 1, journal: false } });
      for (const index of Object.keys(upsertedIds)) {
        const { keyId, tenantId } = (batch[Number(index)] as RefusalCount).first;
        grown.set(keyId, tenantId);
      }
    }
    if (flushes % TRIM_EVERY !== 0) return;
    const keys = grown;
    grown = new Map();
    for (const [keyId, tenantId] of keys) await trim(rows, tenantId, keyId);
  }

  /** What fails is not tried again: these are notes. */
  const flush = async (isLast = true) => {
    if (isLast) await writing;
    writing ??= write(isLast)
      .catch(() => {})
      .finally(() => {
        writing = undefined;
      });
    await writing;
  };

  const timer = setInterval(() => void flush(false), FLUSH_MS);
  timer.unref();
  return { refused, flush, stop: () => clearInterval(timer) };
}

/** Removes all but the newest rows of a key. */
export async function trim(rows: Collection<RefusedCallRow>, tenant_id: string, api_key_id: string): Promise<void> {
  const surplus = rows.find(
    { tenant_id, api_key_id },
    { projection: { _id: 1 }, sort: { at: -1 }, skip: MOST_REFUSED_CALLS, hint: REFUSED_CALLS_OF_KEY },
  );
  const ids = (await surplus.toArray()).map(({ _id }) => _id);
  if (ids.length > 0) await rows.deleteMany({ _id: { $in: ids }, tenant_id });
}

function upsertOf({ first, times, requestId }: RefusalCount, at: Date): AnyBulkWriteOperation<RefusedCallRow> {
  const { keyId, tenantId, operationId = '' as const, refusal } = first;
  const violations = refusal.extras.violations ?? [];
  const said = {
    api_key_id: keyId,
    operation_id: operationId,
    status: refusal.httpStatus,
    error: refusal.reason,
    // The message of wrong fields begins with the name of the first, as it was sent.
    message: violations.length > 0 ? '' : refusal.message,
    fields: violations.map(({ field, description }) => ({ field: contractName(field), description })),
  };
  const hour = Math.floor(at.getTime() / HOUR_MS);
  const _id = hash('sha256', JSON.stringify([hour, said]), 'base64url');
  const update = { $setOnInsert: said, $set: { at, request_id: requestId }, $inc: { times } };
  return { updateOne: { filter: { _id, tenant_id: tenantId }, update, upsert: true } };
}

const sentence = ({ field, description }: Violation) => `${field} ${description}`;

const contractNames = new Set([
  ...WHOLES,
  'Idempotency-Key',
  ...Object.values(operations).flatMap(({ parameters, bodyFields }) => [
    ...parameters.map(({ name }) => name),
    ...bodyFields,
  ]),
]);

const UNKNOWN = '(unknown field)';

/** The name of a field as far as the contract knows it: what is sent in place of a name may be anything. */
function contractName(field: string): string {
  const parts = field.split('.');
  const at = parts.findIndex((part) => !contractNames.has(part.replace(/(\[\d+\])+$/, '')));
  return at < 0 ? field : [...parts.slice(0, at), UNKNOWN].join('.');
}
