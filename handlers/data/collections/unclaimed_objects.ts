import { type CollectionDeclaration, leavingScans, query } from '../collection.ts';
import { DAY_MS } from '../retention.ts';

/** Notes before the bytes under `_id` (a storage key) that nothing refers to them yet; removed once a row does. */
export interface UnclaimedObjectRow {
  _id: string;
  tenant_id: string;
  create_time: Date;
}

export const unclaimedObjects: CollectionDeclaration<UnclaimedObjectRow> = {
  keeps: {
    holds: 'notes of bytes that no row refers to yet',
    forMs: 25 * (DAY_MS / 24),
    after: 'the bytes were written',
    by: 'sweep_files',
  },
  life: {
    create_time: 'removed',
  },
  indexes: [
    { key: { create_time: 1 }, serves: [query.find('the sweeper: bytes of every tenant that nothing refers to')] },
  ],
  scans: leavingScans,
};
