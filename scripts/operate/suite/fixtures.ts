/** Rows of the test tenants that are exactly as the conformance suite needs them. */
import type { DepartmentRow } from '../../../handlers/data/collections/departments.ts';
import type { Store } from '../../../handlers/data/store.ts';
import { insertNew } from '../../../handlers/data/writes.ts';
import { deletedEmployee, newEmployee } from '../../../handlers/employees/write/employee-rows.ts';
import type { EmployeeFields } from '../../../handlers/employees/write/fields.ts';
import { newPerson } from '../../../handlers/employees/write/person-rows.ts';
import { type Random, randomOf } from '../../kit/random.ts';
import { typeRow } from '../../world/tenant.ts';
import { BASE_TIME, DAY_MS } from '../seed/company.ts';
import { invalidIin } from '../seed/iin.ts';
import { inventName, latin } from '../seed/names.ts';

/** The id of a row that exists exactly once in each tenant. */
export function fixedId(tenantId: string, name: string): string {
  return randomOf(`fixture/${tenantId}/${name}`).uuid();
}

/** A suitable department has between `FEWEST` and `MOST` employees, who fit into one page and have several statuses. */
const FEWEST = 5;
const MOST = 80;

async function staffStatuses(store: Store, { _id, tenant_id }: DepartmentRow): Promise<string[]> {
  const filter = { tenant_id, listed: true, department_id: _id };
  const rows = await store.employees
    .find(filter, { projection: { status: 1 } })
    .limit(MOST + 1)
    .toArray();
  return rows.map(({ status }) => status);
}

/**
 * Two departments, neither of which is below the other. The first has departments below it.
 * @param before ids chosen at an earlier start, which are kept @returns null for a tenant without departments
 */
export async function chooseDepartments(
  store: Store,
  tenantId: string,
  before: { first?: string | undefined; other?: string | undefined },
) {
  const rows = await store.departments.find({ tenant_id: tenantId }).sort({ _id: 1 }).toArray();
  const known = (id: string | undefined) => rows.find(({ _id }) => _id === id);
  const parents = new Set(rows.map(({ parent_id }) => parent_id));
  async function suitable(candidates: readonly DepartmentRow[]): Promise<DepartmentRow | null> {
    for (const row of candidates.slice(0, 200)) {
      const statuses = await staffStatuses(store, row);
      if (statuses.length >= FEWEST && statuses.length <= MOST && new Set(statuses).size > 1) return row;
    }
    return candidates[0] ?? null;
  }
  const below = rows.filter(({ parent_id }) => parent_id !== '');
  const first = known(before.first) ?? (await suitable(below.filter(({ _id }) => parents.has(_id)))) ?? rows[0];
  if (first === undefined) return null;
  const apart = below.filter(
    ({ ancestor_ids }) => !ancestor_ids.includes(first._id) && !first.ancestor_ids.includes(ancestor_ids[0] ?? ''),
  );
  return { first, other: known(before.other) ?? (await suitable(apart)) };
}

export interface FixturePlan {
  readonly name: string;
  readonly fields: Partial<EmployeeFields>;
  readonly without_patronymic?: boolean;
  readonly deleted?: boolean;
}

function personFields(plan: FixturePlan, random: Random) {
  let name = inventName(random);
  while (name.middle_name === '') name = inventName(random);
  const { female, ...names } = name;
  const birth_date = `19${random.between(70, 99)}-0${random.between(1, 9)}-1${random.int(10)}`;
  return {
    ...names,
    middle_name: plan.without_patronymic ? '' : names.middle_name,
    birth_date,
    iin: invalidIin(birth_date, female, random),
    personal_email: `${latin(names.first_name)}.${latin(names.last_name)}@example.com`,
    phone: `+7700000${String(random.int(10_000)).padStart(4, '0')}`,
  };
}

/** Makes the employee and the person unless both exist as planned. @returns the employee's id */
export async function ensureEmployee(store: Store, tenantId: string, plan: FixturePlan, now: Date): Promise<string> {
  const id = fixedId(tenantId, plan.name);
  const existing = await store.employees.findOne({ _id: id, tenant_id: tenantId });
  const deleted = plan.deleted ?? false;
  if (existing && (existing.deleted_at !== null) === deleted && matches(existing, plan.fields)) return id;
  const personId = fixedId(tenantId, `${plan.name}/person`);
  const person = newPerson(tenantId, personFields(plan, randomOf(`${tenantId}/${plan.name}`)), now, { id: personId });
  const at = { now, today: now.toISOString().slice(0, 10) };
  const row = newEmployee(tenantId, person, plan.fields, at, { id });
  const planned = (deleted && deletedEmployee(row, now)) || row;
  // No events: making test data is not news to subscribers.
  const silent = { ...planned, pending_events: [], outbox_at: null };
  await store.persons.replaceOne({ _id: personId, tenant_id: tenantId }, person, { upsert: true });
  await store.employees.replaceOne({ _id: id, tenant_id: tenantId }, silent, { upsert: true });
  return id;
}

function matches(row: object, fields: object): boolean {
  return Object.entries(fields).every(([field, value]) => row[field as keyof typeof row] === value);
}

/** The number of archived types in addition to the active ones: together more than one page of the default size. */
const ARCHIVED_TYPES = 100;

/** Makes archived document types, as an older tenant would have, so that the catalogue fills more than one page. */
export async function ensureArchivedTypes(store: Store, tenantId: string): Promise<void> {
  const make = (nth: number) => {
    const created = new Date(BASE_TIME.getTime() - (3_000 - 10 * nth) * DAY_MS);
    const times = { create_time: created, update_time: created };
    const title = `Бланк прежнего образца № ${nth + 1}`;
    const closed = { status: 'ARCHIVED', subject_type: 'NONE', allow_api: false, allow_upload: false } as const;
    const _id = fixedId(tenantId, `archived type ${nth}`);
    return typeRow({ _id, tenant_id: tenantId, title, ...closed, ...times });
  };
  await insertNew(
    store.document_types,
    Array.from({ length: ARCHIVED_TYPES }, (_, nth) => make(nth)),
  );
}

/** Makes an archived template of a type that is still in use: a copy of the type's oldest active template. */
export async function ensureArchivedTemplate(store: Store, tenantId: string): Promise<void> {
  const oldest = { sort: { create_time: 1, _id: 1 } } as const;
  const template = await store.document_templates.findOne({ tenant_id: tenantId, status: 'ACTIVE' }, oldest);
  if (template === null) return;
  const { _id: from, version, ...shown } = template;
  const content = await store.document_template_versions.findOne({ _id: `${from}:${version}`, tenant_id: tenantId });
  if (content === null) return;
  const { _id: _, ...published } = content;
  const id = fixedId(tenantId, 'archived template');
  await store.document_template_versions.updateOne(
    { _id: `${id}:1`, tenant_id: tenantId },
    { $setOnInsert: { ...published, template_id: id, version: 1 } },
    { upsert: true },
  );
  const title = `${template.title} (прежняя форма)`;
  await store.document_templates.updateOne(
    { _id: id, tenant_id: tenantId },
    { $setOnInsert: { ...shown, title, version: 1, status: 'ARCHIVED' } },
    { upsert: true },
  );
}
