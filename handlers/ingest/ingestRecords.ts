import type { Handler } from '../http/handler.ts';
import type { RawJson } from '../http/raw-json.ts';
import { scheduleJob } from '../jobs/scheduler.ts';
import { acceptBatch } from './accept.ts';

/**
 * Accepts a batch of records for the tenant (D-29). The outcome of each record is decided when the batch is applied.
 */
export const ingestRecords: Handler<'ingestRecords'> = async ({
  caller,
  path,
  body,
  idempotencyKey,
  bodySha256,
  rest,
}) => {
  const records = body.records as RawJson[];
  const batch = {
    source_type: path.source_type,
    payload_type: body.payload_type,
    create_missing: body.create_missing ?? false,
    records,
  };
  const id = await acceptBatch(caller, { idempotencyKey, bodySha256 }, batch, rest);
  // Not awaited: without the job, a watch of the workers finds the batch.
  void scheduleJob('apply_ingest', caller.tenant.id);
  return { ingest_request_id: id, status: 'ACCEPTED', record_count: records.length };
};
