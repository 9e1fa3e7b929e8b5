/** The owners of the conformance profile's keys, what each of them sees, and the employees that the rules look at. */
import type { PermissionProfile } from '../../../handlers/data/collections/users.ts';
import type { Store } from '../../../handlers/data/store.ts';
import { noEmployeeFields } from '../../../handlers/employees/write/fields.ts';
import { SEES_ALL, userRow } from '../../world/tenant.ts';
import { BASE_TIME, DAY_MS } from '../seed/company.ts';
import { ensureDepartmentTree } from './department-tree.ts';
import { chooseDepartments, ensureEmployee, type FixturePlan, fixedId } from './fixtures.ts';
import { type Fixtures, foundFixtures } from './found-fixtures.ts';
import type { TenantIds, TenantRole } from './tenant-set.ts';

const NOBODY = { all: false, departments: [], reports: false, self: false };
const RESTRICTED = 'one department';
const FULL_EMPLOYEE = 'owner full';

interface OwnerPlan {
  readonly label: string;
  /** The main tenant by default. */
  readonly tenant?: TenantRole;
  readonly profile?: PermissionProfile;
  readonly removed?: boolean;
}

const userId = (tenantId: string, label: string) => fixedId(tenantId, `Conformance: ${label}`);

/** @param employee_id `''` for an owner who is no employee */
async function ensureOwner(
  store: Store,
  tenant_id: string,
  employee_id: string,
  plan: OwnerPlan,
  now: Date,
): Promise<string> {
  const { _id, create_time, ...set } = userRow({
    _id: userId(tenant_id, plan.label),
    tenant_id,
    label: `Conformance: ${plan.label}`,
    employee_id,
    super_admin: true,
    profile: plan.profile ?? SEES_ALL,
    removed_at: plan.removed ? new Date(BASE_TIME.getTime() - DAY_MS) : null,
    create_time: now,
    update_time: now,
  });
  await store.users.updateOne({ _id }, { $set: set, $setOnInsert: { create_time } }, { upsert: true });
  return _id;
}

/** The tenant's oldest organisations, job title and location: ingest does not change the choice. */
async function referencesOf(store: Store, tenantId: string) {
  const idsOf = async (name: 'organizations' | 'job_titles' | 'locations') =>
    (await store[name].find({ tenant_id: tenantId }).sort({ create_time: 1, _id: 1 }).limit(2).toArray()).map(
      ({ _id }) => _id,
    );
  // The second organisation, if the tenant has several.
  const [organization_id = '', other_organization_id = organization_id] = await idsOf('organizations');
  const [job_title_id = ''] = await idsOf('job_titles');
  const [location_id = ''] = await idsOf('locations');
  return { organization_id, other_organization_id, job_title_id, location_id };
}

/** The ids of two departments, chosen as in earlier runs; '' for one that the tenant lacks. */
async function departmentsOf(store: Store, tenantId: string): Promise<{ first: string; other: string }> {
  const departments = await chooseDepartments(store, tenantId, {
    first: (await store.users.findOne({ _id: userId(tenantId, RESTRICTED) }))?.profile.employees.departments[0],
    other: (await store.employees.findOne({ _id: fixedId(tenantId, FULL_EMPLOYEE), tenant_id: tenantId }))
      ?.department_id,
  });
  return { first: departments?.first._id ?? '', other: departments?.other?._id ?? '' };
}

/** Makes or repairs employees. They are numbered in the order of the calls, which must stay the same. */
function employeesOf(
  store: Store,
  tenantId: string,
  references: FixturePlan['fields'],
  now: Date,
): (name: string, fields: FixturePlan['fields'], plan?: Partial<FixturePlan>) => Promise<string> {
  let number = 900_000;
  return (name, fields, plan = {}) => {
    number++;
    const whole = {
      ...noEmployeeFields,
      ...references,
      employee_number: String(number),
      start_date: '2025-09-01',
      work_email: `fixture.${number}@demo.example`,
      ...fields,
    };
    return ensureEmployee(store, tenantId, { name, fields: whole, ...plan }, now);
  };
}

export interface TestOwners {
  readonly owners: Readonly<Record<OwnerName, string>>;
  /** The employee of the owner `detachable`, unless an admin command has separated them. */
  readonly detachableEmployee: string;
  readonly fixtures: Fixtures;
}

/** A tenant of the pool. */
export interface PoolTenant extends TestOwners {
  readonly role: TenantRole;
  readonly tag: string;
}

/** Makes or repairs owners and fixtures. What the tenants cannot offer is left out. */
export async function ensureOwners(store: Store, tenants: TenantIds, now: Date): Promise<TestOwners> {
  const { main, other: otherTenant } = tenants;
  const { first, other } = await departmentsOf(store, main);
  const { other_organization_id, ...references } = await referencesOf(store, main);
  const employee = employeesOf(store, main, references, now);
  const full = await employee(FULL_EMPLOYEE, { department_id: other });
  const seen = { department_id: first, manager_id: full };
  const hidden = { department_id: other, manager_id: full };
  const restricted = await employee('owner restricted', seen);
  const second = await employee('owner second', seen);
  const narrowable = await employee('owner narrowable', hidden);
  const detachable = await employee('owner detachable', hidden);
  const past = { status: 'EMPLOYEE_STATUS_TERMINATED' as const, end_date: '2026-01-31' };
  const terminated = await employee('owner terminated', { ...hidden, ...past });
  const { external_id, ...tree } = await ensureDepartmentTree(store, main, now);
  const fixtures: Fixtures = {
    employee_id: await employee('employee', { department_id: first, manager_id: restricted }),
    employee_common_id: await employee('common', { department_id: first, manager_id: second }),
    employee_without_manager_id: await employee(
      'without manager',
      { department_id: other, location_id: '', employee_number: '', start_date: '', work_email: '' },
      { without_patronymic: true },
    ),
    ...(other && { employee_hidden_from_restricted_id: await employee('hidden from restricted', hidden) }),
    employee_deleted_id: await employee('deleted', hidden, { deleted: true }),
    employee_draft_id: await employee('draft', { ...hidden, status: 'CREATED' }),
    owner_employee_id: full,
    second_owner_employee_id: second,
    restricted_owner_employee_id: restricted,
    employee_terminated_id: terminated,
    organization_id: other_organization_id,
    department_top_id: tree.top,
    department_middle_id: tree.middle,
    department_bottom_id: tree.bottom,
    department_top_external_id: external_id,
    ...(first && { department_id: first }),
    ...(other && { department_other_id: other }),
    ...(await foundFixtures(store, main, otherTenant)),
  };

  const reports = await employee('owner reports', hidden);
  fixtures.reports_owner_employee_id = reports;
  const not_confidential = await employee('owner not confidential', hidden);
  await employee('in the bottom department', { department_id: tree.bottom, manager_id: full });
  const employees: Partial<Record<OwnerName, string>> = {
    full,
    restricted,
    second,
    narrowable,
    detachable,
    terminated,
    reports,
    not_confidential,
    department_and_self: await employee('owner department and self', hidden),
    listed_types: await employee('owner listed types', hidden),
    other_tenant: await otherTenantEmployee(store, otherTenant, now),
  };
  const hiddenTypeId = fixtures.document_type_hidden_from_restricted_id;
  const owners = await ensureUsers(store, tenants, employees, { department: first, top: tree.top, hiddenTypeId }, now);
  return { owners, fixtures, detachableEmployee: detachable };
}

/** Makes or repairs the owners. @param employees those of the owners who are one @returns the ids of the owners */
async function ensureUsers(
  store: Store,
  tenants: TenantIds,
  employees: Partial<Record<OwnerName, string>>,
  seen: Omit<SeenRows, 'typeIds' | 'unlistedTypeId'>,
  now: Date,
): Promise<TestOwners['owners']> {
  const types = await store.document_types.find({ tenant_id: tenants.main }).sort({ create_time: 1, _id: 1 }).toArray();
  const unlisted = types.findLast(
    ({ status, allow_api, allow_upload, confidential }) =>
      status === 'ACTIVE' && allow_api && allow_upload && !confidential,
  );
  const plans = ownerPlans({ ...seen, typeIds: types.map(({ _id }) => _id), unlistedTypeId: unlisted?._id });
  const made = Object.entries<OwnerPlan>(plans).map(async ([name, plan]) => {
    const employeeId = employees[name as OwnerName] ?? '';
    return [name, await ensureOwner(store, tenants[plan.tenant ?? 'main'], employeeId, plan, now)];
  });
  return Object.fromEntries(await Promise.all(made));
}

/** What some owners are limited to. */
interface SeenRows {
  /** The department that the restricted owner sees; '' if there is none. */
  readonly department: string;
  /** The department that the owners `department` and `department_and_self` are limited to. */
  readonly top: string;
  /** The document types of the tenant. */
  readonly typeIds: readonly string[];
  /** The document type that the restricted owner does not see. */
  readonly hiddenTypeId: Fixtures[string] | undefined;
  /** One that is on the list of `restricted` and not on that of `listed_types`. */
  readonly unlistedTypeId: string | undefined;
}

/** What each owner sees: everything, unless there is a profile. */
function ownerPlans({ department, top, typeIds, hiddenTypeId, unlistedTypeId }: SeenRows) {
  const seeing = (
    seen: Partial<PermissionProfile['employees']>,
    more: Partial<PermissionProfile> = {},
  ): PermissionProfile => ({ ...SEES_ALL, employees: { ...NOBODY, ...seen }, documents: 'own', ...more });
  const hiding = (field: string) => ({
    label: `hides ${field}`,
    profile: { ...SEES_ALL, hidden_fields: [`persons.${field}`] },
  });
  const restricted = {
    hidden_fields: ['employees.work_email', 'persons.iin', 'persons.phone'],
    document_types: typeIds.filter((id) => id !== hiddenTypeId),
  };
  const reports = { reports: true, self: true };
  const notConfidential = { ...SEES_ALL, documents: 'all_but_confidential' } as const;
  return {
    full: { label: 'everything' },
    restricted: {
      label: RESTRICTED,
      profile: seeing({ departments: department ? [department] : [], self: true }, restricted),
    },
    second: {
      label: 'direct reports',
      profile: seeing(reports, { hidden_fields: ['persons.birth_date', 'persons.personal_email'] }),
    },
    no_employee: { label: 'no employee', profile: seeing(reports) },
    removed: { label: 'removed', removed: true },
    narrowable: { label: 'narrowable' },
    detachable: { label: 'detachable' },
    terminated: { label: 'terminated' },
    other_tenant: { label: 'other tenant', tenant: 'other' },
    flag_off: { label: 'flag off', tenant: 'flag_off' },
    flag_toggle: { label: 'flag toggle', tenant: 'flag_toggle' },
    hides_first_name: hiding('first_name'),
    hides_last_name: hiding('last_name'),
    hides_middle_name: hiding('middle_name'),
    hides_full_name: hiding('full_name'),
    department: { label: 'departments below one', profile: seeing({ departments: [top] }) },
    department_and_self: {
      label: 'departments below one, and himself',
      profile: seeing({ departments: [top], self: true }),
    },
    reports: { label: 'reports', profile: seeing(reports) },
    not_confidential: {
      label: 'nothing confidential',
      profile: notConfidential,
    },
    listed_types: {
      label: 'nothing confidential, of listed types',
      profile: { ...notConfidential, document_types: typeIds.filter((id) => id !== unlistedTypeId) },
    },
  } satisfies Readonly<Record<string, OwnerPlan>>;
}

export type OwnerName = keyof ReturnType<typeof ownerPlans>;

/** The owner's employee in the other tenant, who can create documents there. */
async function otherTenantEmployee(store: Store, tenantId: string, now: Date): Promise<string> {
  const { other_organization_id, ...references } = await referencesOf(store, tenantId);
  const fields = { ...noEmployeeFields, ...references, employee_number: '900001', start_date: '2025-09-01' };
  return ensureEmployee(store, tenantId, { name: 'owner other tenant', fields }, now);
}
