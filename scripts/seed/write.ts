/** Writes an invented tenant into a store, a few batches in flight, and removes one again. */
import type { CollectionName, Store } from '../../handlers/runtime/store.ts';
import type { InventedTenant } from './tenant.ts';

const IN_FLIGHT = 4;

/** The collections that hold a tenant's rows, in the order in which they are removed. */
export const TENANT_COLLECTIONS = [
  'api_keys',
  'users',
  'employees',
  'persons',
  'departments',
  'job_titles',
  'locations',
  'organizations',
  'login_methods',
  'document_types',
  'document_template_versions',
  'document_templates',
  'document_categories',
] as const satisfies readonly CollectionName[];

/**
 * Inserts all rows. The tenant's own row comes last: a tenant that exists is complete, and what an interrupted run
 * left is removed by {@link removeTenant}.
 * @param progress told the number of employees written so far
 */
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
  const unordered = { ordered: false };
  for (const [name, rows] of small) {
    if (rows.length > 0) await store.db.collection(name).insertMany([...rows], unordered);
  }
  let written = 0;
  const running = new Set<Promise<void>>();
  for (const { employees, persons } of invented.batches()) {
    const insert = Promise.all([
      store.employees.insertMany(employees, unordered),
      persons.length > 0 ? store.persons.insertMany(persons, unordered) : null,
    ]).then(() => {
      written += employees.length;
      progress(written);
    });
    const tracked: Promise<void> = insert.finally(() => running.delete(tracked));
    running.add(tracked);
    // Its failure is reported where it is awaited.
    tracked.catch(() => {});
    if (running.size >= IN_FLIGHT) await Promise.race(running);
  }
  await Promise.all(running);
  await store.tenants.insertOne(invented.tenant);
}

/** Removes the tenant and all its rows; the tenant goes first, so that none of its keys works meanwhile. */
export async function removeTenant(store: Store, tenantId: string): Promise<void> {
  await store.tenants.deleteOne({ _id: tenantId });
  for (const name of TENANT_COLLECTIONS) await store.db.collection(name).deleteMany({ tenant_id: tenantId });
}
