/** The tenants that `npm start` makes in an empty database. */
import type { Store } from '../../../handlers/data/store.ts';
import { seedTenant } from '../seed/main.ts';
import type { Output } from '../seed/progress.ts';
import { type TenantPlan, tenantIdOf } from '../seed/tenant.ts';

const SEED = 'npm start';

export const DEMO_EMPLOYEES = 10_500;

export type DemoName = 'demo' | 'second' | 'flag-off' | 'flag-toggle';

/** The demo tenants. @param employees how many the first tenant has */
export function demoPlans(employees: number): readonly (TenantPlan & { readonly name: DemoName })[] {
  // The keys of the conformance profile are made with the profile, so these tenants get no sample keys.
  const common = { seed: SEED, keys: false };
  return [
    { ...common, name: 'demo', employees },
    { ...common, name: 'second', employees: 250 },
    { ...common, name: 'flag-off', employees: 20, developerApiEnabled: false },
    { ...common, name: 'flag-toggle', employees: 20 },
  ];
}

/** The ids of the demo tenants, the same in every database. */
export function demoIds(): Readonly<Record<DemoName, string>> {
  return Object.fromEntries(demoPlans(1).map((plan) => [plan.name, tenantIdOf(plan)])) as Record<DemoName, string>;
}

/** Seeds the missing demo tenants, unless there are others. @returns whether they exist, and how many were made */
export async function ensureDemo(
  store: Store,
  employees: number,
  output: Output | undefined,
): Promise<{ present: boolean; made: number }> {
  const plans = demoPlans(employees);
  const ids = new Set(plans.map(tenantIdOf));
  const tenants = await store.tenants
    .find({}, { projection: { _id: 1 } })
    .limit(1_000)
    .toArray();
  const existing = new Set(tenants.map(({ _id }) => _id));
  const missing = plans.filter((plan) => !existing.has(tenantIdOf(plan)));
  if (missing.length === 0) return { present: true, made: 0 };
  if (tenants.some(({ _id }) => !ids.has(_id))) return { present: false, made: 0 };
  for (const plan of missing) await seedTenant(store, plan, output ? { output } : {});
  return { present: true, made: missing.length };
}
