import { type CollectionDeclaration, query, SHORT_LIST } from '../collection.ts';
import type { LeasedRow } from '../lease.ts';
import { DAY_MS } from '../retention.ts';

/** An accepted batch (D-29). The insert of this row accepts it, and comes after its chunks. Whoever applies it leases it. */
export interface IngestRequestRow extends LeasedRow {
  tenant_id: string;
  api_key_id: string;
  /** Grows within the tenant, independently of clocks; requests are applied in this order. */
  accepted_order: number;
  /**
   * A digest of the API key's id and the Idempotency-Key; a new request after `key_expires_at` replaces it by another.
   */
  key_hash: string;
  /** SHA-256 of the body, in hex; rows of earlier versions lack it. */
  body_sha256?: string;
  key_expires_at: Date;
  source_type: string;
  payload_type: string;
  create_missing: boolean;
  record_count: number;
  chunk_count: number;
  status: 'ACCEPTED' | 'APPLYING' | 'APPLIED';
  /** How many chunks are applied. */
  cursor: number;
  counts: { created: number; updated: number; unchanged: number; skipped: number };
  /**
   * The planned outcome of each record of a chunk, one letter each, noted before anything of the chunk is written. So a
   * repetition after a crash, which finds less to do, still reports the same.
   */
  planned?: { chunk: number; outcomes: string } | null;
  /** Of the request that sent the batch, if its trace concerns others: what is applied continues it. */
  traceparent?: string;
  create_time: Date;
  started_at: Date | null;
  ended_at: Date | null;
}

export const ingestRequests: CollectionDeclaration<IngestRequestRow> = {
  keeps: {
    holds: 'batches: their keys and bodies as digests, progress and counts',
    forMs: 30 * DAY_MS,
    after: 'the batch was applied',
    by: 'sweep_ingest',
  },
  life: {
    api_key_id: 'kept',
    accepted_order: 'kept',
    key_hash: 'kept',
    body_sha256: 'kept',
    key_expires_at: 'kept',
    source_type: 'kept',
    payload_type: 'kept',
    create_missing: 'kept',
    record_count: 'kept',
    chunk_count: 'kept',
    status: 'kept',
    cursor: 'kept',
    counts: 'kept',
    planned: 'kept',
    traceparent: 'kept',
    create_time: 'kept',
    started_at: 'kept',
    ended_at: 'kept',
    lease_id: 'kept',
    lease_until: 'kept',
  },
  indexes: [
    {
      key: { tenant_id: 1, status: 1, accepted_order: 1 },
      serves: [query.find('what is to be applied next', SHORT_LIST)],
    },
    {
      key: { ended_at: 1, _id: 1 },
      serves: [
        query.aggregate('tenants with something to apply'),
        query.find('what is not applied yet, and what ended 30 days ago, of every tenant'),
        query.count('metrics: how many are not applied yet'),
      ],
    },
    { key: { key_hash: 1 }, options: { unique: true }, serves: 'acceptance: a key is used up once' },
  ],
};
