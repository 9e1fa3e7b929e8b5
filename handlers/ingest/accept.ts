/**
 * Accepts a batch in such a way that a process may die at any point. First the chunks are written, under an id that
 * nothing else knows. Then the request is written: its unique digest of the Idempotency-Key makes sure that only one
 * request per key counts. Chunks without a request mean nothing and are removed (`handlers/ingest/sweep-ingest.ts`).
 * So a key needs no claim beside the request, as that of a creation does (`data/idempotency.ts`): it is used up by whichever
 * attempt is accepted, whatever its body, and a repetition is refused and not answered again.
 */

import { randomUUID } from 'node:crypto';
import type { Caller } from '../access/caller.ts';
import { fail, unavailableError } from '../answers/errors.ts';
import type { IngestChunkRow } from '../data/collections/ingest_chunks.ts';
import type { IngestRequestRow } from '../data/collections/ingest_requests.ts';
import { digestOfKey, KEY_LIFETIME_MS } from '../data/idempotency.ts';
import { NO_LEASE } from '../data/lease.ts';
import { untilWritten } from '../data/writes.ts';
import type { Rest } from '../fairness/work-in-turn.ts';
import type { RawJson } from '../http/raw-json.ts';
import { now, nowMs } from '../runtime/clock.ts';
import { counter } from '../runtime/metrics.ts';
import { traceparent } from '../runtime/tracing.ts';
import { type Pair, payloadOf, reduceRecord } from './records.ts';
import { firstOf } from './scalars.ts';

const batchesAccepted = counter('ingest_batches_accepted_total', 'Batches that were accepted.');

const recordsAccepted = counter('ingest_records_accepted_total', 'Records of the batches that were accepted.');

/** A batch with the right shape. */
interface NewBatch extends Pair {
  readonly create_missing: boolean;
  readonly records: readonly RawJson[];
}

/** By what a repeat is known. */
interface KeyedBody {
  readonly idempotencyKey: string;
  /** The digest of the body. */
  readonly bodySha256: () => Promise<string>;
}

/** How long writing the chunks may take, in milliseconds: far less than the age at which they count as left over. */
const LONGEST_MS = 60 * 60 * 1000;
/** Chunks with this many characters together are written at once: far below the largest command (48 MB). */
const WRITTEN_CHARACTERS = 1024 * 1024;
/** How often a write is tried while others change the deciding rows meanwhile; after that the client has to retry. */
const MAX_ROUNDS = 5;
/** How much of source and payload type is kept for the settings; longer texts belong to no existing pair. */
const SHOWN_CHARACTERS = 100;

/**
 * Stores a batch and commits it.
 * @returns the id of the request
 * @throws ApiError INGEST_ALREADY_ACCEPTED if the key was used within the last 24 hours by the service's clock (D-29)
 */
export async function acceptBatch(
  caller: Caller,
  { idempotencyKey, bodySha256 }: KeyedBody,
  batch: NewBatch,
  rest: Rest,
): Promise<string> {
  const key_hash = digestOfKey(caller.keyId, idempotencyKey);
  await freeKey(caller, key_hash);
  const _id = randomUUID();
  const startedAt = nowMs();
  const chunk_count = await writeChunks(caller, _id, batch, rest);
  // Chunks this old may soon be removed as left over.
  if (nowMs() - startedAt > LONGEST_MS) throw unavailableError('database_slow', { retryAfterMs: 1000 });
  const accepted_order = await nextInOrder(caller);
  const at = now();
  const parent = traceparent();
  await commit(caller, {
    _id,
    tenant_id: caller.tenant.id,
    api_key_id: caller.keyId,
    accepted_order,
    key_hash,
    body_sha256: await bodySha256(),
    key_expires_at: new Date(at.getTime() + KEY_LIFETIME_MS),
    source_type: firstOf(batch.source_type, SHOWN_CHARACTERS).toWellFormed(),
    payload_type: firstOf(batch.payload_type, SHOWN_CHARACTERS).toWellFormed(),
    create_missing: batch.create_missing,
    record_count: batch.records.length,
    chunk_count,
    status: 'ACCEPTED',
    cursor: 0,
    counts: { created: 0, updated: 0, unchanged: 0, skipped: 0 },
    ...NO_LEASE,
    ...(parent !== undefined && { traceparent: parent }),
    create_time: at,
    started_at: null,
    ended_at: null,
  });
  batchesAccepted.inc();
  recordsAccepted.inc(batch.records.length);
  return _id;
}

/** The most records of a chunk; applying it occupies the process' thread for some milliseconds at a time. */
export const CHUNK_RECORDS = 200;
/** The most bytes of a chunk's text. Far below the limit of a row (16 MiB), and far above any single record. */
export const CHUNK_BYTES = 1024 * 1024;
/** How many bytes of records are parsed before other requests get their turn; takes a fraction of a millisecond. */
const TURN_BYTES = 64 * 1024;

/** A part of a batch, as it is stored and applied. */
type Chunk = Pick<IngestChunkRow, 'index' | 'first_record' | 'records'>;

/** Cuts a batch. If its pair does not exist, every record is kept as an empty one. */
export async function* chunksOf(pair: Pair, records: readonly RawJson[], rest: Rest): AsyncGenerator<Chunk> {
  const columns = payloadOf(pair)?.columns ?? {};
  let texts: string[] = [];
  let bytes = 0;
  let index = 0;
  let firstRecord = 0;
  let sinceTurn = 0;
  const chunk = () => ({ index: index++, first_record: firstRecord, records: `[${texts.join()}]` });
  for (const [place, record] of records.entries()) {
    sinceTurn += record.sizeBytes;
    if (sinceTurn > TURN_BYTES) {
      sinceTurn = 0;
      await rest();
    }
    const text = JSON.stringify(await reduceRecord(columns, record));
    const size = Buffer.byteLength(text) + 1;
    if (texts.length === CHUNK_RECORDS || bytes + size > CHUNK_BYTES) {
      yield chunk();
      texts = [];
      bytes = 0;
      firstRecord = place;
    }
    texts.push(text);
    bytes += size;
  }
  if (texts.length > 0) yield chunk();
}

/** Writes several small chunks at once, since each write waits for the disk and for other members of the database. */
async function writeChunks(caller: Caller, requestId: string, batch: NewBatch, rest: Rest): Promise<number> {
  const chunks = caller.inTenant('ingest_chunks');
  let rows: IngestChunkRow[] = [];
  let characters = 0;
  let count = 0;
  const write = async () => {
    await chunks.insertAll(rows);
    [rows, characters] = [[], 0];
  };
  for await (const chunk of chunksOf(batch, batch.records, rest)) {
    count++;
    characters += chunk.records.length;
    const ids = { _id: `${requestId}:${chunk.index}`, tenant_id: caller.tenant.id, request_id: requestId };
    rows.push({ ...ids, ...chunk, create_time: now() });
    if (characters >= WRITTEN_CHARACTERS) await write();
  }
  if (rows.length > 0) await write();
  return count;
}

/** The tenant's next number; if its request is then refused, the number stays unused. */
function nextInOrder(caller: Caller): Promise<number> {
  const sequences = caller.inTenant('ingest_sequences');
  const _id = caller.tenant.id;
  return untilWritten(MAX_ROUNDS, async () => {
    const row = await sequences.change({ _id }, { $inc: { value: 1 } });
    if (row !== undefined) return row.value;
    return (await sequences.insert({ _id, tenant_id: _id, value: 1 })) ? 1 : undefined;
  });
}

/** Inserts the request; of several requests with one key, exactly one succeeds. */
async function commit(caller: Caller, row: IngestRequestRow): Promise<void> {
  const requests = caller.inTenant('ingest_requests');
  await untilWritten(MAX_ROUNDS, async () => {
    if (await requests.insert(row)) return true;
    // The first insert may have succeeded although its answer was lost, and the driver has repeated it.
    if ((await requests.first({ _id: row._id })) !== undefined) return true;
    try {
      await freeKey(caller, row.key_hash);
    } catch (error) {
      // Nobody will read the chunks; the sweeper removes any that remain.
      const chunks = caller.inTenant('ingest_chunks');
      await chunks.removeAll({ request_id: row._id }).catch(() => {});
      throw error;
    }
    return undefined;
  });
}

/** Takes the key away from a request that used it more than 24 hours ago. */
async function freeKey(caller: Caller, keyHash: string): Promise<void> {
  const requests = caller.inTenant('ingest_requests');
  const holder = await requests.first({ key_hash: keyHash });
  if (holder === undefined) return;
  const { _id, key_expires_at, body_sha256 } = holder;
  const first = { ingest_request_id: _id, ...(body_sha256 && { body_sha256 }) };
  if (key_expires_at > now()) fail('INGEST_ALREADY_ACCEPTED', { metadata: first });
  await requests.change({ _id, key_hash: keyHash }, { $set: { key_hash: `over:${_id}` } });
}
