/** The owners of the conformance profile's keys, what each of them sees, and the employees that the rules look at. */
import type { PermissionProfile, UserRow } from '../../../handlers/data/collections/users.ts';
import type { Store } from '../../../handlers/data/store.ts';
import { noEmployeeFields } from '../../../handlers/employees/write/fields.ts';
import { SEES_ALL } from '../../testbed/tenant.ts';
import { BASE_TIME, DAY_MS } from '../seed/company.ts';
import type { DemoName } from './demo.ts';
import { ensureDepartmentTree } from './department-tree.ts';
import { chooseDepartments, ensureEmployee, type FixturePlan, fixedId } from './fixtures.ts';
import { type Fixtures, foundFixtures } from './found-fixtures.ts';
import { ensureLimitedOwners, type LimitedOwner, NOBODY } from './limited-owners.ts';

export type OwnerName =
  | 'full'
  | 'restricted'
  | 'second'
  | 'no_employee'
  | 'removed'
  | 'narrowable'
  | 'detachable'
  | 'terminated'
  | 'other_tenant'
  | 'flag_off'
  | 'flag_toggle'
  | LimitedOwner;

const RESTRICTED = 'Conformance: one department';
const FULL_EMPLOYEE = 'owner full';

interface OwnerPlan {
  readonly label: string;
  readonly tenant_id: string;
  readonly employee_id?: string;
  readonly profile?: PermissionProfile;
  readonly removed?: boolean;
}

async function ensureOwner(store: Store, plan: OwnerPlan, now: Date): Promise<string> {
  const id = fixedId(plan.tenant_id, plan.label);
  const set: Omit<UserRow, '_id' | 'create_time'> = {
    tenant_id: plan.tenant_id,
    label: plan.label,
    employee_id: plan.employee_id ?? '',
    super_admin: true,
    profile: plan.profile ?? SEES_ALL,
    removed_at: plan.removed ? new Date(BASE_TIME.getTime() - DAY_MS) : null,
    update_time: now,
  };
  await store.users.updateOne({ _id: id }, { $set: set, $setOnInsert: { create_time: now } }, { upsert: true });
  return id;
}

interface References {
  readonly organization_id: string;
  /** A second organisation, if the tenant has several. */
  readonly other_organization_id: string;
  readonly job_title_id: string;
  readonly location_id: string;
}

/**
 * The tenant's organisations, job title and location. They are always the oldest ones, so ingest does not change the
 * choice.
 */
async function referencesOf(store: Store, tenantId: string): Promise<References> {
  const idsOf = async (name: 'organizations' | 'job_titles' | 'locations') =>
    (await store[name].find({ tenant_id: tenantId }).sort({ create_time: 1, _id: 1 }).limit(2).toArray()).map(
      ({ _id }) => _id,
    );
  const [organization_id = '', other_organization_id = organization_id] = await idsOf('organizations');
  const [job_title_id = ''] = await idsOf('job_titles');
  const [location_id = ''] = await idsOf('locations');
  return { organization_id, other_organization_id, job_title_id, location_id };
}

/** The ids of two departments, chosen as in earlier runs; '' for one that the tenant lacks. */
async function departmentsOf(store: Store, tenantId: string): Promise<{ first: string; other: string }> {
  const departments = await chooseDepartments(store, tenantId, {
    first: (await store.users.findOne({ _id: fixedId(tenantId, RESTRICTED) }))?.profile.employees.departments[0],
    other: (await store.employees.findOne({ _id: fixedId(tenantId, FULL_EMPLOYEE), tenant_id: tenantId }))
      ?.department_id,
  });
  return { first: departments?.first._id ?? '', other: departments?.other?._id ?? '' };
}

/**
 * Makes or repairs employees of the tenant. They are numbered in the order of the calls, which must therefore stay the
 * same.
 */
function employeesOf(
  store: Store,
  tenantId: string,
  references: Omit<References, 'other_organization_id'>,
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

/** What the demo tenants hold for the conformance suite. */
export interface DemoOwners {
  readonly owners: Readonly<Record<OwnerName, string>>;
  /** The employee of the owner `detachable`, unless an admin command has separated them. */
  readonly detachableEmployee: string;
  readonly fixtures: Fixtures;
}

/**
 * Makes or repairs owners and fixtures. What the tenants cannot offer (for example too few departments) is left out.
 */
export async function ensureOwners(
  store: Store,
  tenants: Readonly<Record<DemoName, string>>,
  now: Date,
): Promise<DemoOwners> {
  const demo = tenants.demo;
  const { first, other } = await departmentsOf(store, demo);
  const { other_organization_id, ...references } = await referencesOf(store, demo);
  const employee = employeesOf(store, demo, references, now);
  const fullEmployee = await employee(FULL_EMPLOYEE, { department_id: other });
  const restrictedEmployee = await employee('owner restricted', { department_id: first, manager_id: fullEmployee });
  const secondEmployee = await employee('owner second', { department_id: first, manager_id: fullEmployee });
  const narrowableEmployee = await employee('owner narrowable', { department_id: other, manager_id: fullEmployee });
  const hidden = { department_id: other, manager_id: fullEmployee };
  const detachableEmployee = await employee('owner detachable', hidden);
  const terminated = { ...hidden, status: 'EMPLOYEE_STATUS_TERMINATED' as const, end_date: '2026-01-31' };
  const terminatedEmployee = await employee('owner terminated', terminated);
  const { external_id, ...tree } = await ensureDepartmentTree(store, demo, now);
  const fixtures: Fixtures = {
    employee_id: await employee('employee', { department_id: first, manager_id: restrictedEmployee }),
    employee_common_id: await employee('common', { department_id: first, manager_id: secondEmployee }),
    employee_without_manager_id: await employee(
      'without manager',
      { department_id: other, location_id: '', employee_number: '', start_date: '', work_email: '' },
      { without_patronymic: true },
    ),
    ...(other && { employee_hidden_from_restricted_id: await employee('hidden from restricted', hidden) }),
    employee_deleted_id: await employee('deleted', hidden, { deleted: true }),
    employee_draft_id: await employee('draft', { ...hidden, status: 'CREATED' }),
    owner_employee_id: fullEmployee,
    second_owner_employee_id: secondEmployee,
    restricted_owner_employee_id: restrictedEmployee,
    employee_terminated_id: terminatedEmployee,
    organization_id: other_organization_id,
    department_top_id: tree.top,
    department_middle_id: tree.middle,
    department_bottom_id: tree.bottom,
    department_top_external_id: external_id,
    ...(first && { department_id: first }),
    ...(other && { department_other_id: other }),
    ...(await foundFixtures(store, demo, tenants.second)),
  };

  const reportsEmployee = await employee('owner reports', hidden);
  fixtures.reports_owner_employee_id = reportsEmployee;
  const notConfidentialEmployee = await employee('owner not confidential', hidden);
  await employee('in the bottom department', { department_id: tree.bottom, manager_id: fullEmployee });
  const outsideEmployee = await employee('owner department and self', hidden);
  const employees = {
    full: fullEmployee,
    restricted: restrictedEmployee,
    second: secondEmployee,
    narrowable: narrowableEmployee,
    detachable: detachableEmployee,
    terminated: terminatedEmployee,
    reports: reportsEmployee,
    not_confidential: notConfidentialEmployee,
    department_and_self: outsideEmployee,
    other_tenant: await otherTenantEmployee(store, tenants.second, now),
  };
  const hiddenTypeId = fixtures.document_type_hidden_from_restricted_id;
  const owners = await ensureUsers(store, tenants, { employees, department: first, top: tree.top, hiddenTypeId }, now);
  return { owners, fixtures, detachableEmployee };
}

interface SeenRows {
  /** The employees of owners, by the name of the owner. */
  readonly employees: Readonly<
    Record<
      | 'full'
      | 'restricted'
      | 'second'
      | 'narrowable'
      | 'detachable'
      | 'terminated'
      | 'reports'
      | 'not_confidential'
      | 'department_and_self'
      | 'other_tenant',
      string
    >
  >;
  /** The department that the restricted owner sees; '' if there is none. */
  readonly department: string;
  /** The department that the owners `department` and `department_and_self` are limited to. */
  readonly top: string;
  /** The document type that the restricted owner does not see. */
  readonly hiddenTypeId: Fixtures[string] | undefined;
}

/** Makes or repairs the owners. @returns their ids */
async function ensureUsers(
  store: Store,
  tenants: Readonly<Record<DemoName, string>>,
  seen: SeenRows,
  now: Date,
): Promise<DemoOwners['owners']> {
  const { employees, department, hiddenTypeId } = seen;
  const owner = (label: string, plan: Partial<OwnerPlan>) =>
    ensureOwner(store, { label, tenant_id: tenants.demo, ...plan }, now);
  const types = await store.document_types
    .find({ tenant_id: tenants.demo }, { projection: { _id: 1 } })
    .sort({ _id: 1 })
    .toArray();
  const typeIds = types.map(({ _id }) => _id);
  const shownTypes = typeIds.filter((id) => id !== hiddenTypeId);
  const restricted: PermissionProfile = {
    employees: { ...NOBODY, departments: department ? [department] : [], self: true },
    hidden_fields: ['employees.work_email', 'persons.iin', 'persons.phone'],
    documents: 'own',
    document_types: shownTypes,
  };
  const direct: PermissionProfile = {
    employees: { ...NOBODY, reports: true, self: true },
    hidden_fields: ['persons.birth_date'],
    documents: 'own',
    document_types: 'all',
  };
  return {
    full: await owner('Conformance: everything', { employee_id: employees.full }),
    restricted: await owner(RESTRICTED, { employee_id: employees.restricted, profile: restricted }),
    second: await owner('Conformance: direct reports', { employee_id: employees.second, profile: direct }),
    no_employee: await owner('Conformance: no employee', { profile: { ...direct, hidden_fields: [] } }),
    removed: await owner('Conformance: removed', { removed: true }),
    narrowable: await owner('Conformance: narrowable', { employee_id: employees.narrowable }),
    detachable: await owner('Conformance: detachable', { employee_id: employees.detachable }),
    terminated: await owner('Conformance: terminated', { employee_id: employees.terminated }),
    other_tenant: await owner('Conformance: other tenant', {
      tenant_id: tenants.second,
      employee_id: employees.other_tenant,
    }),
    flag_off: await owner('Conformance: flag off', { tenant_id: tenants['flag-off'] }),
    flag_toggle: await owner('Conformance: flag toggle', { tenant_id: tenants['flag-toggle'] }),
    ...(await ensureLimitedOwners(owner, { ...seen, typeIds })),
  };
}

/** The owner's employee in the other tenant, who can create documents there. */
async function otherTenantEmployee(store: Store, tenantId: string, now: Date): Promise<string> {
  const { other_organization_id, ...references } = await referencesOf(store, tenantId);
  const fields = { ...noEmployeeFields, ...references, employee_number: '900001', start_date: '2025-09-01' };
  return ensureEmployee(store, tenantId, { name: 'owner other tenant', fields }, now);
}
