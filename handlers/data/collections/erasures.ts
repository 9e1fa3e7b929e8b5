import { type CollectionDeclaration, leavingScans } from '../collection.ts';
import { AUDIT_MS } from '../retention.ts';

/** The erasure of a person (`_id`), with the steps that are done: a repeated command continues after them. */
export interface ErasureRow {
  _id: string;
  tenant_id: string;
  employee_ids: string[];
  /** The external ids of the person and its employments, with the ids of their bindings; empty once it has ended. */
  names: { binding_id: string; external_id: string }[];
  done: string[];
  begun_at: Date;
  ended_at: Date | null;
}

export const erasures: CollectionDeclaration<ErasureRow> = {
  keeps: {
    holds: 'erasures of persons: ids and steps; external ids until the last step',
    forMs: AUDIT_MS,
    after: 'the end of the erasure',
    by: 'ttl',
  },
  life: {
    employee_ids: 'kept',
    names: 'kept',
    done: 'kept',
    begun_at: 'kept',
    ended_at: 'kept',
  },
  indexes: [
    {
      key: { ended_at: 1 },
      options: { expireAfterSeconds: AUDIT_MS / 1000 },
      serves: 'the database removes what ended long ago',
    },
  ],
  scans: leavingScans,
};
