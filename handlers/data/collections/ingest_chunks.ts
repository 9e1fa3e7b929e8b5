import { type CollectionDeclaration, leavingScans, query } from '../collection.ts';
import { DAY_MS } from '../retention.ts';

/** Records of a batch, in order. `_id` is `<request id>:<index>`. */
export interface IngestChunkRow {
  _id: string;
  tenant_id: string;
  request_id: string;
  index: number;
  first_record: number;
  /** JSON text of an array: of each record only the known fields of its pair; see `handlers/ingest/records.ts`. */
  records: string;
  create_time: Date;
}

export const ingestChunks: CollectionDeclaration<IngestChunkRow> = {
  keeps: {
    holds: 'records of batches; removed as soon as the batch is applied, and by the job if it never was accepted',
    forMs: DAY_MS,
    after: 'they were written',
    by: 'sweep_ingest',
  },
  life: {
    request_id: 'removed',
    index: 'removed',
    first_record: 'removed',
    records: 'removed',
    create_time: 'removed',
  },
  indexes: [
    {
      key: { request_id: 1, index: 1 },
      serves: [query.remove('the records of a request that is applied or refused')],
    },
    {
      key: { create_time: 1 },
      serves: [
        query.find('the sweeper: chunks of every tenant whose request never came', {
          upTo: 'listed',
          because: 'chunks of requests that wait for more than a day are passed over',
        }),
      ],
    },
  ],
  scans: leavingScans,
};
