import type { Catalogue, Collection } from './catalogue.ts';
import { decode } from './documents.ts';
import type { Index } from './indexes.ts';
import { deleteRow } from './rows.ts';
import { readRow } from './scan.ts';
import { complete, select } from './select.ts';
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
      for (let count = BATCH; count === BATCH && !collection.dropped && !index.dropped; deleted += count) {
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
  const rows = complete(select(collection, { filter, limit: BATCH, hint: index.spec.key }), () => undefined);
  if (rows.length === 0) return 0;
  return catalogue.database.atomically(() => {
    for (const { id } of rows) {
      const raw = readRow(collection, id);
      if (raw !== undefined) deleteRow(collection, id, decode(raw, collection.keyFields));
    }
    return rows.length;
  });
}
