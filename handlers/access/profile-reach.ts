/** What permission profiles reach, read from the store now (D-31). */
import type { PermissionProfile } from '../data/collections/users.ts';
import { ofTenant } from '../data/of-tenant.ts';
import { READ_TIME_MS } from '../data/read-time.ts';
import type { Store } from '../data/store.ts';

/** Ids of the tenant's document types that are not confidential. */
export async function openTypes(store: Store, tenantId: string): Promise<string[]> {
  const rows = await ofTenant(store.document_types, tenantId)
    .find({ confidential: false }, { projection: { _id: 1 }, maxTimeMS: READ_TIME_MS })
    .toArray();
  return rows.map(({ _id }) => _id);
}

/** Ids of the profile's departments and of all departments below them. */
export async function subtree(store: Store, tenantId: string, { employees }: PermissionProfile): Promise<string[]> {
  if (employees.departments.length === 0) return [];
  const rows = await ofTenant(store.departments, tenantId)
    .find({ ancestor_ids: { $in: employees.departments } }, { projection: { _id: 1 }, maxTimeMS: READ_TIME_MS })
    .toArray();
  return rows.map(({ _id }) => _id);
}
