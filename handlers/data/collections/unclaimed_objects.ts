import { type CollectionDeclaration, query } from '../collection.ts';

/** Notes before the bytes under `_id` (a storage key) that nothing refers to them yet; removed once a row does. */
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
