import type { Catalogue, Collection } from './catalogue.ts';
import type { Index } from './indexes.ts';
import { deleteSelected } from './rows.ts';
import { isDoc } from './values.ts';

/** Documents deleted in one step before other connections get their turn. */
const BATCH = 500;

/**
 * Deletes the documents that have expired by a TTL index (manual: "TTL Indexes"): the earliest date of the field is
 * more than expireAfterSeconds ago. Fields that are not dates never expire.
 */
export async function deleteExpired(catalogue: Catalogue, now = Date.now()): Promise<number> {
  let deleted = 0;
  for (const collection of catalogue.list()) {
    for (const index of collection.indexes) {
      const { expireAfterSeconds } = index.spec;
      if (typeof expireAfterSeconds !== 'number') continue;
      const before = new Date(now - expireAfterSeconds * 1000);
      for (
        let count = BATCH;
        count === BATCH && !collection.dropped && collection.indexes.includes(index);
        deleted += count
      ) {
        count = deleteBatch(catalogue, collection, index, before);
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
  }
  return deleted;
}

function deleteBatch(catalogue: Catalogue, collection: Collection, index: Index, before: Date): number {
  const [field] = index.fields;
  if (field === undefined) return 0;
  const due = { [field.path]: { $lt: before } };
  const filter = isDoc(index.partialFilter) ? { $and: [due, index.partialFilter] } : due;
  const selection = { filter, limit: BATCH, hint: index.spec.key };
  return catalogue.database.atomically(() => deleteSelected(collection, selection));
}
