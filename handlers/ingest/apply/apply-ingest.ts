/**
 * Applies accepted batches (D-29): one batch of a tenant at a time, in the order of acceptance, chunk by chunk. Any
 * number of processes may try; a lease lets one of them work. The request notes the progress, so if that process dies,
 * the next one continues from there. `chunk.ts` explains why a repetition does no harm.
 */
import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { IngestSource } from '../../data/collections/external_bindings.ts';
import type { IngestChunkRow } from '../../data/collections/ingest_chunks.ts';
import type { IngestRequestRow } from '../../data/collections/ingest_requests.ts';
import { FREE } from '../../data/lease.ts';
import { ofTenant } from '../../data/of-tenant.ts';
import { READ_TIME_MS } from '../../data/reads.ts';
import type { Store } from '../../data/store.ts';
import type { Rest } from '../../fairness/work-in-turn.ts';
import { continueTrace } from '../../runtime/tracing.ts';
import { isRecord, mapRecord, type Pair, payloadOf } from '../records.ts';
import { applyChunk, planChunk } from './chunk.ts';
import { type DepartmentRecord, placeDepartments, settleAncestors } from './departments.ts';
import { type Lease, LeaseLost, takeNext } from './lease.ts';
import type { RecordAt, RecordOutcome } from './plan.ts';
import type { Batch } from './planned-rows.ts';
import { BatchSurvey } from './survey.ts';

/**
 * Applies pending requests until none is left, another process holds the tenant's first one, or this process stops.
 * @param rest is called after each chunk, so that no tenant waits for the whole batch of another (D-33)
 * @throws the store's error; the next call, in any process, applies the rest
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
      const { traceparent, tenant_id } = lease.request;
      const span = { name: 'apply_ingest', kind: 'consumer', attributes: { tenant_id } } as const;
      if (await continueTrace(span, traceparent, () => applyRequest(store, lease, stopping, rest))) continue;
      await lease.giveBack();
    } catch (error) {
      // The process that holds the lease now continues with the request.
      if (error instanceof LeaseLost) continue;
      await lease.giveBack();
      throw error;
    }
  }
}

/** Tenants with a request that is not applied and that no process holds. */
export async function overdueIngest(store: Store): Promise<string[]> {
  // MongoDB's `distinct` does not support $$NOW.
  const tenants = store.ingest_requests.aggregate<{ _id: string }>(
    [{ $match: { ended_at: null, ...FREE } }, { $group: { _id: '$tenant_id' } }],
    { maxTimeMS: READ_TIME_MS },
  );
  return (await tenants.toArray()).map(({ _id }) => _id);
}

/** @returns whether the request is applied; if not, the process is stopping */
async function applyRequest(store: Store, lease: Lease, stopping: AbortSignal, rest: Rest): Promise<boolean> {
  const { request } = lease;
  const chunks = ofTenant(store.ingest_chunks, request.tenant_id);
  const chunkOf = async (chunk: number) => (await chunks.findOne({ _id: `${request._id}:${chunk}` })) ?? EMPTY;
  const { batch, recordsOf } = await surveyed(store, request, chunkOf, rest);
  for (let chunk = request.cursor; chunk < request.chunk_count; chunk++) {
    if (stopping.aborted) {
      await lease.settle();
      return false;
    }
    await applyChunk(store, lease, batch, chunk, await recordsOf(chunk));
    await rest();
  }
  if (batch.placements !== undefined) await settleAncestors(store, batch.tenantId);
  await lease.settle();
  // All chunks are applied, so after a crash here the next process does not need them.
  await chunks.deleteMany({ request_id: request._id });
  await lease.finish();
  return true;
}

/** What is asked of a batch, and where its chunks are. */
type AskedBatch = Pick<
  IngestRequestRow,
  '_id' | 'tenant_id' | 'source_type' | 'payload_type' | 'create_missing' | 'chunk_count'
>;

/** A part of a batch, as it is stored. */
type ChunkText = Pick<IngestChunkRow, 'first_record' | 'records'>;

const EMPTY: ChunkText = { first_record: 0, records: '[]' };

/**
 * Reads what must be known of the whole batch before its first chunk: little of each record. Each chunk is therefore read
 * and mapped once more when it is applied: memory never holds a whole batch, and a process that continues after another
 * one has to map the chunks in any case. It costs about two microseconds a record.
 * @returns the batch, and what reads the records of a chunk that are to be applied
 */
async function surveyed(
  store: Store,
  asked: AskedBatch,
  chunkOf: (chunk: number) => Promise<ChunkText> | ChunkText,
  rest: Rest,
) {
  const survey = new BatchSurvey();
  const departments: DepartmentRecord[] = [];
  const chunkCount = payloadOf(asked) === undefined ? 0 : asked.chunk_count;
  for (let chunk = 0; chunk < chunkCount; chunk++) {
    for (const { index, mapped } of mappedRecords(asked, await chunkOf(chunk))) {
      survey.add(index, mapped);
      if ('skipped' in mapped || mapped.kind !== 'DEPARTMENT') continue;
      const { kind, fields: _, ...record } = mapped;
      departments.push({ ...record, index, kind: 'DEPARTMENT' });
    }
    await rest();
  }
  const tenant = await store.tenants.findOne({ _id: asked.tenant_id });
  const batch: Batch = {
    tenantId: asked.tenant_id,
    requestId: asked._id,
    source: asked.source_type as IngestSource,
    createMissing: asked.create_missing,
    columns: payloadOf(asked)?.columns ?? {},
    facts: survey.facts(),
    timeZone: tenant?.time_zone ?? 'UTC',
  };
  const live = departments.filter(({ index }) => !survey.dropped.has(index));
  const placements = live.length > 0 ? await placeDepartments(store, batch, live) : undefined;
  const recordsOf = async (chunk: number): Promise<RecordAt[]> =>
    mappedRecords(asked, await chunkOf(chunk)).map((record) => {
      const reason = survey.dropped.get(record.index);
      return reason === undefined ? record : { ...record, mapped: { skipped: reason } };
    });
  return { batch: { ...batch, placements }, recordsOf };
}

/**
 * What applying a batch now would do with each of its records. Nothing is written. Unlike the batch itself it is planned
 * as a whole, so that later records see what earlier ones would have written.
 * @param chunks the parts of the batch, which stay in memory
 */
export async function checkBatch(
  store: Store,
  asked: Omit<AskedBatch, '_id' | 'chunk_count'>,
  chunks: readonly ChunkText[],
): Promise<readonly RecordOutcome[]> {
  const request = { ...asked, _id: randomUUID(), chunk_count: chunks.length };
  const { batch, recordsOf } = await surveyed(store, request, (chunk) => chunks[chunk] ?? EMPTY, setImmediate);
  const parts = await Promise.all([...chunks.keys()].map(recordsOf));
  return (await planChunk(store, batch, parts.flat())).outcomes;
}

/** The records of a chunk, mapped by their pair. */
function mappedRecords(pair: Pair, { first_record, records }: ChunkText): RecordAt[] {
  const idFields = payloadOf(pair)?.idFields ?? [];
  return (JSON.parse(records) as unknown[]).map((record, place) => {
    const mapped = mapRecord(pair, record);
    const externalId = 'skipped' in mapped ? givenId(record, idFields) : mapped.externalId;
    return { index: first_record + place, externalId, mapped };
  });
}

/** An id given in a skipped record, so that people can find it; `''` if there is none. */
function givenId(record: unknown, fields: readonly string[]): string {
  const values = isRecord(record) ? fields.map((field) => record[field]) : [];
  const ids = values.map((value) => (typeof value === 'number' ? `${value}` : value));
  const id = ids.find((value) => typeof value === 'string' && value !== '' && value.isWellFormed());
  return typeof id === 'string' ? id.slice(0, 255).toWellFormed() : '';
}
