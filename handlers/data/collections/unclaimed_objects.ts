import { type CollectionDeclaration, query } from '../collection.ts';

/**
 * Written before the bytes under `_id` (an object's storage key), to note that nothing refers to them yet; removed once
 * a row refers to them. By these rows, bytes that a crash left behind are found.
 */
export interface UnclaimedObjectRow {
  _id: string;
  tenant_id: string;
  create_time: Date;
}

export const unclaimedObjects: CollectionDeclaration<UnclaimedObjectRow> = {
  indexes: [
    { key: { create_time: 1 }, serves: [query.find('the sweeper: bytes of every tenant that nothing refers to')] },
  ],
};
