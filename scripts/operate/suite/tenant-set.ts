/** The invented tenants with which the conformance suite judges a deployment, and how they are made and removed. */
import type { Store } from '../../../handlers/data/store.ts';
import { seedTenant } from '../seed/main.ts';
import type { Output } from '../seed/progress.ts';
import { type TenantPlan, tenantIdOf } from '../seed/tenant.ts';

/** Tenants that rules change at the same time. */
export const poolRoles = ['pool_1', 'pool_2', 'pool_3'] as const;
/** What each tenant is for: most keys belong to `main`, those of the pool are like it, the others have the key of their name. */
export const tenantRoles = ['main', 'other', 'flag_off', 'flag_toggle', ...poolRoles] as const;
export type TenantRole = (typeof tenantRoles)[number];
type PoolRole = (typeof poolRoles)[number];
export type TenantIds = Readonly<Record<TenantRole, string>>;

export interface TenantSet {
  /** Seed and names determine the ids, so a set is found again in any database. */
  readonly seed: string;
  readonly names: Readonly<Record<TenantRole, string>>;
}

const namesAfter = (name: string) =>
  Object.fromEntries(poolRoles.map((role) => [role, `${name}-${role.replace('_', '-')}`])) as Record<PoolRole, string>;

/** The tenants of `npm start`. */
export const demoTenants: TenantSet = {
  seed: 'npm start',
  names: { main: 'demo', other: 'second', flag_off: 'flag-off', flag_toggle: 'flag-toggle', ...namesAfter('demo') },
};

/** The tenants of `settings conformance`. Nothing else makes tenants with their ids. */
export function testTenants(name: string): TenantSet {
  const names = {
    main: name,
    other: `${name}-other`,
    flag_off: `${name}-flag-off`,
    flag_toggle: `${name}-flag-toggle`,
    ...namesAfter(name),
  };
  return { seed: 'settings conformance', names };
}

/** Of the main tenant: enough for the rules about totals that may be estimates. */
export const USUAL_EMPLOYEES = 10_500;
const OTHERS_EMPLOYEES = { other: 250, flag_off: 20, flag_toggle: 20, pool_1: 250, pool_2: 250, pool_3: 250 } as const;

/** @param employees how many the main tenant has */
function planOf({ seed, names }: TenantSet, role: TenantRole, employees: number): TenantPlan {
  // The keys of the profile are made with it, so these tenants get no sample keys.
  const common = { seed, name: names[role], keys: false, developerApiEnabled: role !== 'flag_off' };
  return { ...common, employees: role === 'main' ? employees : OTHERS_EMPLOYEES[role] };
}

/** The ids of the tenants, the same in every database. */
export function idsOf({ seed, names }: TenantSet): TenantIds {
  const ids = tenantRoles.map((role) => [role, tenantIdOf({ seed, name: names[role] })]);
  return Object.fromEntries(ids) as TenantIds;
}

/** Makes those that are missing; what an interrupted run left of one is replaced. @returns how many were made */
export async function ensureTenants(
  store: Store,
  set: TenantSet,
  employees: number,
  output: Output | undefined,
): Promise<number> {
  const ids = idsOf(set);
  const rows = await store.tenants.find({ _id: { $in: Object.values(ids) } }, { projection: { _id: 1 } }).toArray();
  const existing = new Set(rows.map(({ _id }) => _id));
  const missing = tenantRoles.filter((role) => !existing.has(ids[role]));
  for (const role of missing) await seedTenant(store, planOf(set, role, employees), output ? { output } : {});
  return missing.length;
}
