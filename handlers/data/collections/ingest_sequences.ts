import { type CollectionDeclaration, leavingScans } from '../collection.ts';

/** The last `accepted_order` of requests of a tenant (`_id`); some of the numbers never became a request. */
export interface IngestSequenceRow {
  _id: string;
  tenant_id: string;
  value: number;
}

export const ingestSequences: CollectionDeclaration<IngestSequenceRow> = {
  keeps: {
    holds: 'the last number of a batch, one row for each tenant',
    until: 'the tenant is deleted',
    because: 'numbers never begin again',
  },
  life: {
    value: 'kept',
  },
  indexes: [],
  scans: leavingScans,
};
