/** One invented tenant: all its small tables at once, its people as a stream of batches. */
import { randomOf } from '../../kit/random.ts';
import { inventCatalogue } from './catalogue.ts';
import { BASE_TIME, DAY_MS, inventCompany } from './company.ts';
import { staff } from './people.ts';
import { inventAccess } from './users.ts';

export interface TenantPlan {
  /** Also part of the seed: the same seed and name give the same rows. */
  readonly name: string;
  readonly seed: string;
  readonly employees: number;
  readonly developerApiEnabled?: boolean;
  /** Whether each user gets a sample key; true by default. */
  readonly keys?: boolean;
  /** Employees per batch; it does not change the data. */
  readonly batchSize?: number;
}

export type InventedTenant = ReturnType<typeof inventTenant>;

/** The id of a seeded tenant, by which an existing one is recognised. */
export function tenantIdOf({ seed, name }: Pick<TenantPlan, 'seed' | 'name'>): string {
  return randomOf(`${seed}/${name}/tenant`).uuid();
}

/** @param plan `employees` must be at least 1 */
export function inventTenant(plan: TenantPlan) {
  const seed = `${plan.seed}/${plan.name}`;
  const tenant_id = tenantIdOf(plan);
  const time = new Date(BASE_TIME.getTime() - 3650 * DAY_MS);
  const company = inventCompany(tenant_id, plan.employees, randomOf(`${seed}/company`));
  const domain = `${
    plan.name
      .toLowerCase()
      .replace(/[^a-z0-9-]+/g, '-')
      .replace(/^-+|-+$/g, '') || 'tenant'
  }.example`;
  const access = inventAccess(tenant_id, company, randomOf(`${seed}/access`));
  return {
    ...inventCatalogue(tenant_id, randomOf(`${seed}/catalogue`)),
    tenant: {
      _id: tenant_id,
      name: plan.name,
      developer_api_enabled: plan.developerApiEnabled ?? true,
      time_zone: 'Asia/Almaty',
      create_time: time,
      update_time: time,
    },
    company,
    access: plan.keys === false ? { ...access, api_keys: [], secrets: [] } : access,
    batches: () => staff({ tenant_id, company, domain, seed, batchSize: plan.batchSize ?? 400 }),
  };
}
