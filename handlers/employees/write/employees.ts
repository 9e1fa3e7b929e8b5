/**
 * Every write to employees. Rows are computed with their events, and each is written by one conditional update. So
 * `listed`, `visible_to` and `update_time` are always correct, and a concurrent change is never overwritten.
 */
import type { Violation } from '../../answers/errors.ts';
import { type RowChange, writeRows } from '../../data/bulk.ts';
import { type EmployeeRow, reportsOf } from '../../data/collections/employees.ts';
import { type OwnedRow, ofTenant } from '../../data/of-tenant.ts';
import type { Store } from '../../data/store.ts';
import { untilWritten } from '../../data/writes.ts';
import { changedEmployee, deletedEmployee, newEmployee } from './employee-rows.ts';
import { differences, type EmployeeFields, employeeViolations, refuseIf, type WriteMoment } from './fields.ts';
import { catchUp, type UpdatedRow } from './persons.ts';

const ATTEMPTS = 10;

/**
 * Writes changes of different employees of one tenant. Then clears managers that were deleted meanwhile, and lets the
 * employees catch up with persons that changed meanwhile.
 * @returns ids of those that somebody else changed meanwhile; see `writeRows`
 */
export async function writeEmployees(
  store: Store,
  tenantId: string,
  changes: readonly RowChange<EmployeeRow>[],
): Promise<ReadonlySet<string>> {
  const overtaken = await writeRows(ofTenant(store.employees, tenantId), changes);
  const written = changes.filter(({ after }) => !overtaken.has(after._id));
  await clearDeletedManagers(store, tenantId, written);
  const ofPerson = written.filter(({ before, after }) => before?.person_id !== after.person_id);
  await catchUp(
    store,
    tenantId,
    ofPerson.map(({ after }) => after),
    latest(ofPerson),
  );
  return overtaken;
}

const latest = (changes: readonly RowChange<EmployeeRow>[]) =>
  new Date(Math.max(0, ...changes.map(({ after }) => after.update_time.getTime())));

/** Removes references to managers who were deleted while the referring rows were being written. */
async function clearDeletedManagers(
  store: Store,
  tenantId: string,
  written: readonly RowChange<EmployeeRow>[],
): Promise<void> {
  const set = written.filter(({ before, after }) => after.manager_id !== '' && before?.manager_id !== after.manager_id);
  if (set.length === 0) return;
  const ids = [...new Set(set.map(({ after }) => after.manager_id))];
  const rows = await ofTenant(store.employees, tenantId)
    .find({ _id: { $in: ids } }, { projection: { deleted_at: 1 } })
    .toArray();
  const there = new Set(rows.filter(({ deleted_at }) => deleted_at === null).map(({ _id }) => _id));
  for (const id of ids) if (!there.has(id)) await clearReports(store, tenantId, id);
}

/**
 * Removes the manager from its direct reports. They do not count as changed (D-29), but their revision grows, since a
 * change that was computed with the former manager must not be written. @returns how many there were
 */
async function clearReports(store: Store, tenantId: string, managerId: string): Promise<number> {
  const cleared = await ofTenant(store.employees, tenantId).updateMany(
    { manager_id: managerId },
    { $set: { manager_id: '' }, $pull: { visible_to: reportsOf(managerId) }, $inc: { rev: 1 } },
  );
  return cleared.modifiedCount;
}

/**
 * Creates an employee for a person of the tenant, with the status CREATED a draft, which no operation shows.
 * @throws ChangeRefused for wrong fields, an unknown person or reference; nothing is written then
 */
export async function createEmployee(
  store: Store,
  tenantId: string,
  personId: string,
  fields: Partial<EmployeeFields>,
  at: WriteMoment,
): Promise<EmployeeRow> {
  const person = await ofTenant(store.persons, tenantId).findOne({ _id: personId });
  const row = newEmployee(tenantId, person ?? { _id: personId, rev: 0 }, fields, at);
  const unknown = await unknownReferences(store, tenantId, row._id, fields);
  refuseIf(person ? unknown : [{ field: 'person_id', description: 'is not known in this tenant' }, ...unknown]);
  await writeEmployees(store, tenantId, [{ before: null, after: row }]);
  return row;
}

/**
 * Changes fields of an employee; writes nothing if nothing changes.
 * @returns null when the tenant has no such employee or it is deleted
 * @throws ChangeRefused for wrong fields or unknown references; nothing is written then
 */
export async function updateEmployee(
  store: Store,
  tenantId: string,
  id: string,
  fields: Partial<EmployeeFields>,
  at: WriteMoment,
): Promise<UpdatedRow<EmployeeRow> | null> {
  refuseIf(employeeViolations(fields));
  const attempt = async () => {
    const before = await ofTenant(store.employees, tenantId).findOne({ _id: id, deleted_at: null });
    if (!before) return null;
    const after = changedEmployee(before, fields, at);
    if (after === null) return { row: before, changed: false };
    // Existing references are not checked again.
    refuseIf(await unknownReferences(store, tenantId, id, differences(before, fields) ?? {}));
    const overtaken = await writeEmployees(store, tenantId, [{ before, after }]);
    return overtaken.size === 0 ? { row: after, changed: true } : undefined;
  };
  return untilWritten(ATTEMPTS, attempt, () => keepsChanging(id));
}

function keepsChanging(id: string): never {
  throw new Error(`the employee ${id} is being changed by others all the time`);
}

/**
 * Deletes an employee: marks it, then clears its direct reports. A second call completes an interrupted one.
 * @returns null if the tenant has no such employee; `deleted` is false if it was deleted before
 */
export async function deleteEmployee(
  store: Store,
  tenantId: string,
  id: string,
  now: Date,
): Promise<{ deleted: boolean; cleared_reports: number } | null> {
  const attempt = async () => {
    const before = await ofTenant(store.employees, tenantId).findOne({ _id: id });
    if (!before) return null;
    const after = deletedEmployee(before, now);
    if (after !== null && (await writeEmployees(store, tenantId, [{ before, after }])).size > 0) return undefined;
    return { deleted: after !== null, cleared_reports: await clearReports(store, tenantId, id) };
  };
  return untilWritten(ATTEMPTS, attempt, () => keepsChanging(id));
}

const LONGEST_CHAIN = 1_000;

const REFERENCES = [
  ['organization_id', 'organizations'],
  ['department_id', 'departments'],
  ['job_title_id', 'job_titles'],
  ['location_id', 'locations'],
] as const;

/** Violations for given references to rows that the tenant does not have. @param id the employee's own id */
async function unknownReferences(
  store: Store,
  tenantId: string,
  id: string,
  fields: Partial<EmployeeFields>,
): Promise<Violation[]> {
  const found = await Promise.all([
    ...REFERENCES.map(async ([field, collection]) => {
      const reference = fields[field];
      if (!reference) return null;
      const exists = await ofTenant(store.db.collection<OwnedRow>(collection), tenantId).findOne({ _id: reference });
      return exists ? null : { field, description: 'is not known in this tenant' };
    }),
    fields.manager_id ? managerViolation(store, tenantId, id, fields.manager_id) : null,
  ]);
  return found.filter((violation) => violation !== null);
}

async function managerViolation(
  store: Store,
  tenantId: string,
  id: string,
  managerId: string,
): Promise<Violation | null> {
  const field = 'manager_id';
  const projection = { manager_id: 1, listed: 1 } as const;
  const employees = ofTenant(store.employees, tenantId);
  let next = managerId;
  for (let i = 0; next !== '' && i < LONGEST_CHAIN; i++) {
    if (next === id) return { field, description: 'must not be the employee or somebody who reports to the employee' };
    const manager: Pick<EmployeeRow, 'manager_id' | 'listed'> | null = await employees.findOne(
      { _id: next },
      { projection },
    );
    if (i === 0 && !manager?.listed)
      return { field, description: 'is no employee of this tenant (drafts and deleted ones do not count)' };
    next = manager?.manager_id ?? '';
  }
  return null;
}
