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
  const running = new Set<Promise<void>>();
  for (const { employees, persons } of invented.batches()) {
    const batch = Promise.all([insertRows(store, 'employees', employees), insertRows(store, 'persons', persons)]).then(
      () => {
        written += employees.length;
        progress(written);
      },
    );
    const tracked: Promise<void> = batch.finally(() => running.delete(tracked));
    running.add(tracked);
    // Its failure is reported where it is awaited.
    tracked.catch(() => {});
    if (running.size >= IN_FLIGHT) await Promise.race(running);
  }
  await Promise.all(running);
  await store.tenants.insertOne(invented.tenant);
}
