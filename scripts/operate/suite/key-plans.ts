/** The keys of the conformance profile: who owns each of them, and what it may do. */
import { keyOfScope, type SingleKeyName } from '../../../conformance/profile/schema.ts';
import { type Scope, scopes } from '../../../generated/contract.ts';
import type { Keys } from '../../../generated/profile.ts';
import type { KeyPlan } from './key-ring.ts';
import type { OwnerName, TestOwners } from './owners.ts';
import type { TenantIds, TenantRole } from './tenant-set.ts';

/** How many equivalent keys share the requests of a run, because each key has a limit. */
const FULL_KEYS = 16;
/** How many each of the two other owners has that many rules use. */
const OWNER_KEYS = 4;
const DISPOSABLE_KEYS = 6;
/** How many rules about the limit are checked at the same time. */
const LOAD_KEYS = 3;
/** How many keys `full` each tenant of the pool has, where one rule is checked at a time. */
const POOL_KEYS = 4;
/** The other keys of such a tenant: those that rules use which change employees. */
const POOL_OTHERS = ['restricted_owner', 'department_owner', 'department_and_self_owner', 'reports_owner'] as const;

const variable = (name: string) => `CONF_KEY_${name.toUpperCase()}`;
const numbered = (name: string, count: number) => Array.from({ length: count }, (_, i) => variable(`${name}_${i + 1}`));

interface RingEntry extends Pick<KeyPlan, 'state' | 'by_super_admin'> {
  /** `full` without it. */
  readonly owner?: OwnerName;
  readonly scopes?: KeyPlan['scopes'];
  /** How many equivalent keys there are; one without it. */
  readonly count?: number;
}

/** The single keys of the profile that have all scopes unless it is said, by their names there. */
const OTHERS: Readonly<Record<Exclude<SingleKeyName, (typeof keyOfScope)[Scope]>, RingEntry>> = {
  no_scope: { scopes: [] },
  revoked: { state: 'revoked' },
  expired: { state: 'expired' },
  inactive: { state: 'inactive' },
  owner_removed: { owner: 'removed' },
  restricted_owner: { owner: 'restricted', count: OWNER_KEYS },
  second_owner: { owner: 'second', count: OWNER_KEYS },
  second_key_same_owner: {},
  no_employee_owner: { owner: 'no_employee' },
  fake_super_admin_ingest: { by_super_admin: false },
  other_tenant: { owner: 'other_tenant' },
  flag_off: { owner: 'flag_off' },
  flag_toggle: { owner: 'flag_toggle' },
  terminated_owner: { owner: 'terminated' },
  narrowable: { owner: 'narrowable' },
  detachable: { owner: 'detachable' },
  hides_first_name: { owner: 'hides_first_name' },
  hides_last_name: { owner: 'hides_last_name' },
  hides_middle_name: { owner: 'hides_middle_name' },
  hides_full_name: { owner: 'hides_full_name' },
  department_owner: { owner: 'department' },
  department_and_self_owner: { owner: 'department_and_self' },
  reports_owner: { owner: 'reports' },
  not_confidential_owner: { owner: 'not_confidential' },
  listed_types_owner: { owner: 'listed_types' },
  load: { count: LOAD_KEYS },
};

const RING: readonly (readonly [name: string, entry: RingEntry])[] = [
  ...scopes.map((scope) => [keyOfScope[scope], { scopes: [scope] }] as const),
  ...Object.entries(OTHERS),
];

/** The variables of an entry; the first has no number. */
function variables(name: string, { count = 1 }: RingEntry): string[] {
  return numbered(name, count).map((each, at) => (at === 0 ? variable(name) : each));
}

const TENANT_OF: Partial<Record<OwnerName, TenantRole>> = {
  other_tenant: 'other',
  flag_off: 'flag_off',
  flag_toggle: 'flag_toggle',
};

export function keyPlans(owners: TestOwners['owners'], tenants: TenantIds): KeyPlan[] {
  const plan = (name: string, { owner = 'full', count: _, ...entry }: RingEntry): KeyPlan => ({
    variable: name,
    tenant_id: tenants[TENANT_OF[owner] ?? 'main'],
    owner_id: owners[owner],
    scopes,
    ...entry,
  });
  return [
    ...numbered('full', FULL_KEYS).map((name) => plan(name, {})),
    ...RING.flatMap(([name, entry]) => variables(name, entry).map((each) => plan(each, entry))),
    ...numbered('disposable', DISPOSABLE_KEYS).map((name) => plan(name, {})),
  ];
}

/** The name of a key's variable in a tenant of the pool. */
const inPool = (role: TenantRole, name: string) => name.replace('CONF_KEY', `CONF_KEY_${role.toUpperCase()}`);

/** The keys of a tenant of the pool: some of those of the main tenant, under other names. */
export function poolKeyPlans(role: TenantRole, owners: TestOwners['owners'], tenants: TenantIds): KeyPlan[] {
  const names = [...numbered('full', POOL_KEYS), ...POOL_OTHERS.map(variable)];
  const plans = keyPlans(owners, { ...tenants, main: tenants[role] }).filter((plan) => names.includes(plan.variable));
  return plans.map((plan) => ({ ...plan, variable: inPool(role, plan.variable) }));
}

/** The key ring of a tenant of the pool. The tenant of `other_tenant` is another one there, too. */
export const poolKeyVariables = (role: TenantRole): Keys => ({
  full: numbered('full', POOL_KEYS).map((name) => inPool(role, name)),
  ...Object.fromEntries(POOL_OTHERS.map((name) => [name, inPool(role, variable(name))])),
  other_tenant: variable('other_tenant'),
});

const oneOrAll = (names: string[]) => (names.length === 1 ? names[0] : names);

/** The key ring of the profile: the names of the variables that hold the keys. */
export function keyVariables(): Keys {
  return {
    full: numbered('full', FULL_KEYS),
    ...Object.fromEntries(RING.map(([name, entry]) => [name, oneOrAll(variables(name, entry))])),
    disposable: numbered('disposable', DISPOSABLE_KEYS),
  };
}
