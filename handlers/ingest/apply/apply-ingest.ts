/**
 * Applies accepted batches (D-29): those of a tenant one at a time, in the order of acceptance, each portion by portion.
 * Any number of processes may try; a lease lets one of them work, and how far it came is kept with the request, so the
 * next one goes on where it died. See `apply-ingest/chunk.ts` for why a repeat does no harm.
 */
import { setImmediate } from 'node:timers/promises';
import { type IngestRequestRow, type IngestSource, READ_TIME_MS, type Store } from '../../data/store.ts';
import type { Rest } from '../../fairness/thread-time.ts';
import type { Mapped, Skipped } from '../columns.ts';
import { isRecord, mapRecord, type Pair, payloadOf, supersededIn } from '../records.ts';
import { applyChunk, type Run } from './chunk.ts';
import { type DepartmentRecord, placeDepartments, settleAncestors } from './departments.ts';
import type { Batch } from './draft.ts';
import { type Lease, LeaseLost, takeNext } from './lease.ts';
import type { RecordAt } from './plan.ts';

const SUPERSEDED = 'A later record of the batch has the same external id.';

/**
 * Applies what is pending until nothing is, another process holds the tenant's first request, or this one stops.
 * @param rest is called after each portion, so that no tenant waits for another one's whole batch (D-33)
 * @throws what the store failed with; what was left is applied by the next call, of any process
 */
export async function applyIngest(
  store: Store,
  tenantId: string,
  stopping: AbortSignal,
  rest: Rest = setImmediate,
): Promise<void> {
  while (!stopping.aborted) {
    const lease = await takeNext(store, tenantId, stopping);
    if (lease === undefined) return;
    try {
      if (await applyRequest(store, lease, stopping, rest)) continue;
      await lease.giveBack();
    } catch (error) {
      // Whoever has it now goes on with it.
      if (error instanceof LeaseLost) continue;
      await lease.giveBack();
      throw error;
    }
  }
}

/** Tenants with a request that is not applied and that nobody works on. */
export async function overdueIngest(store: Store): Promise<string[]> {
  const free = { ended_at: null, $expr: { $lte: ['$lease_until', '$$NOW'] } };
  // MongoDB's `distinct` does not know $$NOW.
  const tenants = store.ingest_requests.aggregate<{ _id: string }>(
    [{ $match: free }, { $group: { _id: '$tenant_id' } }],
    { maxTimeMS: READ_TIME_MS },
  );
  return (await tenants.toArray()).map(({ _id }) => _id);
}

/** @returns whether it is applied; if not, the process is stopping */
async function applyRequest(store: Store, lease: Lease, stopping: AbortSignal, rest: Rest): Promise<boolean> {
  const { request } = lease;
  const tenant = await store.tenants.findOne({ _id: request.tenant_id });
  const batch: Batch = {
    tenantId: request.tenant_id,
    requestId: request._id,
    source: request.source_type as IngestSource,
    createMissing: request.create_missing,
  };
  const { superseded, departments } = await survey(store, request, rest);
  const live = departments.filter(({ index }) => !superseded.has(index));
  const placements = live.length > 0 ? await placeDepartments(store, batch, live) : undefined;
  const run: Run = { store, batch, lease, timeZone: tenant?.time_zone ?? 'UTC', placements };
  for (let chunk = request.cursor; chunk < request.chunk_count; chunk++) {
    if (stopping.aborted) return false;
    const records = await recordsOf(store, request, chunk);
    const applied = records.map((record) =>
      superseded.has(record.index) && !('skipped' in record.mapped)
        ? { ...record, mapped: { skipped: SUPERSEDED } }
        : record,
    );
    await applyChunk(run, chunk, applied);
    await rest();
  }
  if (placements !== undefined) await settleAncestors(store, batch.tenantId);
  // All are applied, so whoever goes on after a crash here does not look for them.
  await store.ingest_chunks.deleteMany({ request_id: request._id });
  await lease.finish();
  return true;
}

/** What has to be known of the whole batch before its first portion: little of each record, and nothing personal. */
async function survey(store: Store, request: IngestRequestRow, rest: Rest) {
  const seen: (Mapped | Skipped)[] = [];
  const departments: DepartmentRecord[] = [];
  if (payloadOf(request) === undefined) return { superseded: new Set<number>(), departments };
  for (let chunk = 0; chunk < request.chunk_count; chunk++) {
    for (const { index, mapped } of await recordsOf(store, request, chunk)) {
      if ('skipped' in mapped) {
        seen[index] = mapped;
        continue;
      }
      const { kind, externalId, references, link } = mapped;
      seen[index] = { kind, externalId, fields: {}, details: {}, references: {} };
      const beside = link === undefined ? {} : { link };
      if (kind === 'DEPARTMENT') departments.push({ index, mapped: { externalId, references, ...beside } });
    }
    await rest();
  }
  // A portion that is missing leaves holes.
  const whole = Array.from(seen, (each) => each ?? { skipped: '' });
  return { superseded: supersededIn(whole), departments };
}

/** The records of a portion, as their pair reads them. */
async function recordsOf(store: Store, request: IngestRequestRow, chunk: number): Promise<RecordAt[]> {
  const row = await store.ingest_chunks.findOne({ _id: `${request._id}:${chunk}` });
  if (row === null) return [];
  const pair: Pair = request;
  const idFields = payloadOf(pair)?.idFields ?? [];
  return (JSON.parse(row.records) as unknown[]).map((record, place) => {
    const mapped = mapRecord(pair, record);
    const externalId = 'skipped' in mapped ? givenId(record, idFields) : mapped.externalId;
    return { index: row.first_record + place, externalId, mapped };
  });
}

/** What a record that says nothing calls itself, so that people find it; `''` where that is unknown. */
function givenId(record: unknown, fields: readonly string[]): string {
  const values = isRecord(record) ? fields.map((field) => record[field]) : [];
  const id = values.find((value) => typeof value === 'string' && value !== '' && value.isWellFormed());
  return typeof id === 'string' ? id.slice(0, 255).toWellFormed() : '';
}
