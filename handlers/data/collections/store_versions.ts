import type { CollectionDeclaration } from '../collection.ts';

/** What form the rows and indexes of the store have; see `prepare-store.ts`. */
export interface StoreVersionRow {
  _id: 'store';
  version: number;
  /** A program that writes an older version than this one must not run here any more. */
  oldest_safe: number;
  /** The release that brought the store to this version. */
  release: string;
  update_time: Date;
}

export const storeVersions: CollectionDeclaration<StoreVersionRow> = {
  keeps: { holds: 'the version of the store', until: 'an operator removes the database', because: 'one row' },
  life: {
    version: 'kept',
    oldest_safe: 'kept',
    release: 'kept',
    update_time: 'kept',
  },
  indexes: [],
};
