/** The one way to switch the flag of a tenant: the settings tool and `npm start` both take it. */
import type { Store, TenantRow } from '../../data/store.ts';
import { now as present } from '../../process/clock.ts';
import { followPersons } from './persons.ts';

const AT_ONCE = 500;

/**
 * Switches the flag of the interface; the very next request obeys. What happened while it was off is told to nobody later
 * (D-27): the instant from which it is on is kept, and the events of persons that changed before get an instant before it.
 * A tenant whose flag is so already stays as it is.
 * @param tenant as it was read
 * @param at the instant of the change
 * @returns the tenant as it is afterwards
 */
export async function switchFlag(store: Store, tenant: TenantRow, isOn: boolean, at: Date): Promise<TenantRow> {
  if (tenant.developer_api_enabled === isOn) return tenant;
  if (isOn) while ((await followPersons(store, at, AT_ONCE, tenant._id)) === AT_ONCE);
  const set: Partial<TenantRow> = {
    developer_api_enabled: isOn,
    // What was just settled happened at the instant of the change.
    ...(isOn && { enabled_at: new Date(Math.max(present().getTime(), at.getTime() + 1)) }),
    update_time: at,
  };
  await store.tenants.updateOne({ _id: tenant._id }, { $set: set });
  return { ...tenant, ...set };
}
