/** Writes an invented tenant into a store, a few batches at a time. */
import type { Collection } from 'mongodb';
import type { CollectionName, Store } from '../../../handlers/data/store.ts';
import type { InventedTenant } from './tenant.ts';

const IN_FLIGHT = 3;

/** Inserts rows that have ids. */
export async function insertRows(store: Store, name: CollectionName, rows: readonly object[]): Promise<void> {
  if (rows.length === 0) return;
  const collection: Collection = store.db.collection(name);
  await collection.insertMany([...rows], { ordered: false });
}

/** Inserts all rows, the tenant's own last: a tenant that exists is complete. @param progress of the employees */
export async function writeTenant(
  store: Store,
  invented: InventedTenant,
  progress: (employees: number) => void = () => {},
): Promise<void> {
  const { company, access } = invented;
  const small: readonly (readonly [CollectionName, readonly object[]])[] = [
    ['organizations', company.organizations],
    ['job_titles', company.job_titles],
    ['locations', company.locations],
    ['departments', company.units.map(({ row }) => row)],
    ['login_methods', invented.login_methods],
    ['document_categories', invented.document_categories],
    ['document_templates', invented.document_templates],
    ['document_template_versions', invented.document_template_versions],
    ['document_types', invented.document_types],
    ['users', access.users],
    ['api_keys', access.api_keys],
  ];
  for (const [name, rows] of small) await insertRows(store, name, rows);
  let written = 0;
  const batches = invented.batches();
  // Each takes the next batch of the same ones; where one fails, there is no next.
  const writers = Array.from({ length: IN_FLIGHT }, async () => {
    for (const { employees, persons } of batches) {
      await Promise.all([insertRows(store, 'employees', employees), insertRows(store, 'persons', persons)]);
      written += employees.length;
      progress(written);
    }
  });
  await Promise.all(writers);
  await store.tenants.insertOne(invented.tenant);
}
