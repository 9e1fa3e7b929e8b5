/** The only way to switch a tenant's flag: the settings tool and `npm start` both use it. */

import type { TenantRow } from '../../data/collections/tenants.ts';
import type { Store } from '../../data/store.ts';
import { changeTime } from '../../data/writes.ts';
import { now as present } from '../../runtime/clock.ts';
import { followPersons } from './persons.ts';

const AT_ONCE = 500;

/**
 * Switches the tenant's API flag, starting with the next request. Events from the time while it was off are never sent
 * (D-27): the instant from which it is on is stored, and persons that changed before get events with an earlier one.
 * @returns the tenant as it is afterwards
 */
export async function switchFlag(store: Store, tenant: TenantRow, isOn: boolean, at: Date): Promise<TenantRow> {
  if (tenant.developer_api_enabled === isOn) return tenant;
  if (isOn) while ((await followPersons(store, at, AT_ONCE, tenant._id)) === AT_ONCE);
  const set: Partial<TenantRow> = {
    developer_api_enabled: isOn,
    // Later than `at`, which is the time of the events that followPersons has just written.
    ...(isOn && { enabled_at: changeTime(at, present()) }),
    update_time: at,
  };
  await store.tenants.updateOne({ _id: tenant._id }, { $set: set });
  return { ...tenant, ...set };
}
