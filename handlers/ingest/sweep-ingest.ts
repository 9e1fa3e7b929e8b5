/**
 * Removes what is left of batches (D-29): chunks without a request, chunks of an applied batch, and, 30 days after a
 * batch was applied, its request with the outcome of each record. This may run at any time, in several processes at
 * once.
 *
 * Chunks count as left over one day after they were written. Accepting a batch takes far less time than that: a batch
 * whose chunks took longer than an hour to write is refused (`handlers/ingest/accept.ts`). A request is removed last,
 * after everything that is found by it.
 */
import { ingestChunks } from '../data/collections/ingest_chunks.ts';
import { ingestRequests } from '../data/collections/ingest_requests.ts';
import { ofTenant } from '../data/of-tenant.ts';
import { READ_TIME_MS } from '../data/reads.ts';
import { keptMs } from '../data/retention.ts';
import type { Store } from '../data/store.ts';
import { nowMs } from '../runtime/clock.ts';

/** Chunks that have no request after this time never get one, in milliseconds. */
const ORPHANED_AFTER_MS = keptMs(ingestChunks);
/** How long outcomes are kept after a batch was applied, in milliseconds. */
const KEPT_MS = keptMs(ingestRequests);
/** How many chunks and how many requests one run handles. */
const BATCH = 100;

/**
 * Makes one run.
 * @returns whether there may be more to remove
 */
export async function sweepIngest(store: Store, stopping: AbortSignal): Promise<boolean> {
  const moreChunks = await sweepChunks(store, stopping);
  const moreRequests = await sweepRequests(store, stopping);
  return moreChunks || moreRequests;
}

/** Removes chunks older than a day, except those of requests that still wait to be applied. */
async function sweepChunks(store: Store, stopping: AbortSignal): Promise<boolean> {
  const old = { create_time: { $lte: new Date(nowMs() - ORPHANED_AFTER_MS) } };
  const waiting = await store.ingest_requests
    .find({ ended_at: null }, { projection: { _id: 1 }, maxTimeMS: READ_TIME_MS })
    .toArray();
  const filter = { ...old, request_id: { $nin: waiting.map(({ _id }) => _id) } };
  const chunks = await store.ingest_chunks
    .find(filter, {
      projection: { tenant_id: 1, request_id: 1 },
      limit: BATCH,
      sort: { create_time: 1 },
      maxTimeMS: READ_TIME_MS,
    })
    .toArray();
  const owners = new Map(chunks.map(({ request_id, tenant_id }) => [request_id, tenant_id]));
  for (const [id, tenantId] of owners) {
    if (stopping.aborted) return false;
    // Its request may have been written after the waiting ones were read.
    const requests = ofTenant(store.ingest_requests, tenantId);
    const request = await requests.findOne({ _id: id }, { projection: { ended_at: 1 } });
    if (request !== null && request.ended_at === null) continue;
    await ofTenant(store.ingest_chunks, tenantId).deleteMany({ ...old, request_id: id });
  }
  return chunks.length === BATCH;
}

/** Removes requests that were applied more than 30 days ago. */
async function sweepRequests(store: Store, stopping: AbortSignal): Promise<boolean> {
  // The lower bound leaves out null, which sorts before every time.
  const ended = { $gt: new Date(0), $lte: new Date(nowMs() - KEPT_MS) };
  const requests = await store.ingest_requests
    .find({ ended_at: ended }, { projection: { tenant_id: 1 }, limit: BATCH, sort: { ended_at: 1 } })
    .toArray();
  for (const { _id, tenant_id } of requests) {
    if (stopping.aborted) return false;
    await ofTenant(store.ingest_chunks, tenant_id).deleteMany({ request_id: _id });
    await ofTenant(store.ingest_outcomes, tenant_id).deleteMany({ request_id: _id });
    await ofTenant(store.ingest_requests, tenant_id).deleteOne({ _id, ended_at: ended });
  }
  return requests.length === BATCH;
}
