/** The tenants that `npm start` makes in an empty database. */
import type { Store } from '../../../handlers/data/store.ts';
import type { Output } from '../seed/progress.ts';
import { demoTenants, ensureTenants, idsOf } from '../suite/tenant-set.ts';

/** Makes the missing demo tenants, unless the database holds others. @returns whether all demo tenants exist */
export async function ensureDemo(store: Store, employees: number, output: Output | undefined): Promise<boolean> {
  const ids = Object.values(idsOf(demoTenants));
  const isWhole = (await store.tenants.countDocuments({ _id: { $in: ids } })) === ids.length;
  if (!isWhole && (await store.tenants.findOne({ _id: { $nin: ids } })) !== null) return false;
  await ensureTenants(store, demoTenants, employees, output);
  return true;
}
