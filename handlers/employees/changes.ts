/**
 * Every write to employees and persons. The rows that a change makes are computed without the store and written by one
 * conditional update each, so `listed`, `visible_to` and `update_time` are always right and a concurrent change is
 * never overwritten. `update_time` only grows: each change of a row is later than the one before.
 */
import { randomUUID } from 'node:crypto';
import { type EmployeeRow, isListed, type PersonRow, reportsOf, type Store, visibleTo } from '../runtime/store.ts';
import {
  ChangeRefused,
  type EmployeeFields,
  employeeConflicts,
  employeeViolations,
  noEmployeeFields,
  noPersonFields,
  type PersonFields,
  personConflicts,
  personViolations,
  type Violation,
} from './fields.ts';

const ATTEMPTS = 10;
const LONGEST_CHAIN = 1_000;

/** The time of a change made now to a row last changed at `before`. */
function changeTime(before: Date, now: Date): Date {
  return new Date(Math.max(now.getTime(), before.getTime() + 1));
}

function refuseIf(violations: readonly Violation[]): void {
  if (violations.length > 0) throw new ChangeRefused(violations);
}

/** The given fields that differ from the row, or null when none does. */
function differences<Row extends object>(row: Row, fields: Partial<Row>): Partial<Row> | null {
  const changed = Object.entries(fields).filter(([name, value]) => row[name as keyof Row] !== value);
  return changed.length === 0 ? null : (Object.fromEntries(changed) as Partial<Row>);
}

/**
 * A new employee's row. References are not looked up.
 * @throws ChangeRefused for wrong fields
 */
export function newEmployee(
  tenantId: string,
  personId: string,
  fields: Partial<EmployeeFields>,
  now: Date,
  id: string = randomUUID(),
): EmployeeRow {
  const whole = { ...noEmployeeFields, ...fields };
  refuseIf([...employeeViolations(fields), ...employeeConflicts(whole)]);
  const row = { _id: id, tenant_id: tenantId, person_id: personId, ...whole, deleted_at: null };
  return { ...row, listed: isListed(row), visible_to: visibleTo(row), create_time: now, update_time: now };
}

/**
 * The row after a change, or null when the change changes nothing. References are not looked up.
 * @throws ChangeRefused for wrong fields, and for a status that would make a draft again
 */
export function changedEmployee(row: EmployeeRow, fields: Partial<EmployeeFields>, now: Date): EmployeeRow | null {
  refuseIf(employeeViolations(fields));
  const changed = differences(row, fields);
  if (changed === null) return null;
  if (changed.status === 'CREATED') refuseIf([{ field: 'status', problem: 'cannot become CREATED (draft) again' }]);
  const next = { ...row, ...changed };
  refuseIf(employeeConflicts(next));
  return {
    ...next,
    listed: isListed(next),
    visible_to: visibleTo(next),
    update_time: changeTime(row.update_time, now),
  };
}

/**
 * Writes a changed row in one step, if nobody changed it meanwhile.
 * @returns false when the row is not as `before` any more; nothing is written then
 */
export async function writeEmployee(store: Store, before: EmployeeRow, after: EmployeeRow): Promise<boolean> {
  const { _id, tenant_id, update_time, department_id, manager_id, deleted_at } = before;
  // A deleted manager is cleared without moving update_time, so the marks' sources are compared as well.
  const unchanged = { _id, tenant_id, update_time, department_id, manager_id, deleted_at };
  const set = differences(before, after);
  if (set === null) return true;
  return (await store.employees.updateOne(unchanged, { $set: set })).matchedCount === 1;
}

const REFERENCES = [
  ['organization_id', 'organizations'],
  ['department_id', 'departments'],
  ['job_title_id', 'job_titles'],
  ['location_id', 'locations'],
] as const;

/** Violations for what the given fields refer to and the tenant does not have. @param id the employee's own id */
export async function unknownReferences(
  store: Store,
  tenantId: string,
  id: string,
  fields: Partial<EmployeeFields>,
): Promise<Violation[]> {
  const found = await Promise.all([
    ...REFERENCES.map(async ([field, collection]) => {
      const reference = fields[field];
      if (!reference) return null;
      const exists = await store.db
        .collection<{ _id: string }>(collection)
        .findOne({ _id: reference, tenant_id: tenantId });
      return exists ? null : { field, problem: 'is not known in this tenant' };
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
  let next = managerId;
  for (let i = 0; next !== '' && i < LONGEST_CHAIN; i++) {
    if (next === id) return { field, problem: 'must not be the employee or somebody who reports to the employee' };
    const manager = await store.employees.findOne({ _id: next, tenant_id: tenantId }, { projection });
    if (i === 0 && !manager?.listed)
      return { field, problem: 'is no employee of this tenant (drafts and deleted ones do not count)' };
    next = manager?.manager_id ?? '';
  }
  return null;
}

/** Clears the employee from its direct reports; they do not count as changed (D-29). @returns how many there were */
async function clearReports(store: Store, tenantId: string, managerId: string): Promise<number> {
  const cleared = await store.employees.updateMany(
    { tenant_id: tenantId, manager_id: managerId },
    { $set: { manager_id: '' }, $pull: { visible_to: reportsOf(managerId) } },
  );
  return cleared.modifiedCount;
}

/** Undoes a reference to a manager who was deleted while the referring row was being written. */
async function settleManager(store: Store, { tenant_id, manager_id }: EmployeeRow): Promise<void> {
  if (manager_id === '') return;
  const manager = await store.employees.findOne({ _id: manager_id, tenant_id }, { projection: { deleted_at: 1 } });
  if (!manager || manager.deleted_at !== null) await clearReports(store, tenant_id, manager_id);
}

/**
 * Creates an employee of a person of the tenant; status CREATED makes a draft, which no operation shows.
 * @throws ChangeRefused for wrong fields, an unknown person or reference; nothing is written then
 */
export async function createEmployee(
  store: Store,
  tenantId: string,
  personId: string,
  fields: Partial<EmployeeFields>,
  now: Date,
): Promise<EmployeeRow> {
  const row = newEmployee(tenantId, personId, fields, now);
  const [person, unknown] = await Promise.all([
    store.persons.findOne({ _id: personId, tenant_id: tenantId }, { projection: { _id: 1 } }),
    unknownReferences(store, tenantId, row._id, fields),
  ]);
  refuseIf(person ? unknown : [{ field: 'person_id', problem: 'is not known in this tenant' }, ...unknown]);
  await store.employees.insertOne(row);
  await settleManager(store, row);
  return row;
}

/** The row after an update, and whether anything was written. */
export interface Updated<Row> {
  readonly row: Row;
  readonly changed: boolean;
}

/**
 * Changes fields of an employee; what changes nothing writes nothing.
 * @returns null when the tenant has no such employee or it is deleted
 * @throws ChangeRefused for wrong fields or unknown references; nothing is written then
 */
export async function updateEmployee(
  store: Store,
  tenantId: string,
  id: string,
  fields: Partial<EmployeeFields>,
  now: Date,
): Promise<Updated<EmployeeRow> | null> {
  refuseIf(employeeViolations(fields));
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const row = await store.employees.findOne({ _id: id, tenant_id: tenantId, deleted_at: null });
    if (!row) return null;
    const next = changedEmployee(row, fields, now);
    if (next === null) return { row, changed: false };
    // What is referred to already needs no second look.
    refuseIf(await unknownReferences(store, tenantId, id, differences(row, fields) ?? {}));
    if (!(await writeEmployee(store, row, next))) continue;
    await settleManager(store, next);
    return { row: next, changed: true };
  }
  throw new Error(`the employee ${id} is being changed by others all the time`);
}

/**
 * Deletes an employee: marked first, then cleared from the direct reports. Both steps may be repeated, so a second
 * call completes one that was interrupted.
 * @returns null when the tenant has no such employee; `deleted` is false when it was deleted before
 */
export async function deleteEmployee(
  store: Store,
  tenantId: string,
  id: string,
  now: Date,
): Promise<{ deleted: boolean; cleared_reports: number } | null> {
  const marked = await store.employees.updateOne(
    { _id: id, tenant_id: tenantId, deleted_at: null },
    { $set: { deleted_at: now, listed: false }, $max: { update_time: now } },
  );
  const deleted = marked.matchedCount === 1;
  if (!deleted && !(await store.employees.findOne({ _id: id, tenant_id: tenantId }, { projection: { _id: 1 } })))
    return null;
  return { deleted, cleared_reports: await clearReports(store, tenantId, id) };
}

/** A new person's row. @throws ChangeRefused for wrong fields */
export function newPerson(
  tenantId: string,
  fields: Partial<PersonFields>,
  now: Date,
  id: string = randomUUID(),
): PersonRow {
  const whole = { ...noPersonFields, ...fields };
  refuseIf([...personViolations(fields), ...personConflicts(whole)]);
  return { _id: id, tenant_id: tenantId, ...whole, create_time: now, update_time: now };
}

/** The row after a change, or null when the change changes nothing. @throws ChangeRefused for wrong fields */
export function changedPerson(row: PersonRow, fields: Partial<PersonFields>, now: Date): PersonRow | null {
  refuseIf(personViolations(fields));
  const changed = differences(row, fields);
  if (changed === null) return null;
  const next = { ...row, ...changed, update_time: changeTime(row.update_time, now) };
  refuseIf(personConflicts(next));
  return next;
}

/** @throws ChangeRefused for wrong fields; nothing is written then */
export async function createPerson(
  store: Store,
  tenantId: string,
  fields: Partial<PersonFields>,
  now: Date,
): Promise<PersonRow> {
  const row = newPerson(tenantId, fields, now);
  await store.persons.insertOne(row);
  return row;
}

/** A time later than the last change of every employment of the person, so that all of them move. */
async function afterEmployments(store: Store, tenantId: string, personId: string, now: Date): Promise<Date> {
  const employments = await store.employees
    .find({ tenant_id: tenantId, person_id: personId }, { projection: { update_time: 1 } })
    .toArray();
  return employments.reduce((time, { update_time }) => changeTime(update_time, time), now);
}

/**
 * Changes a person and moves `update_time` of each of its employments (D-29). An employment is never older than its
 * person, so a call that finds nothing to change still completes one that was interrupted in between.
 * @returns null when the tenant has no such person
 * @throws ChangeRefused for wrong fields; nothing is written then
 */
export async function updatePerson(
  store: Store,
  tenantId: string,
  id: string,
  fields: Partial<PersonFields>,
  now: Date,
): Promise<(Updated<PersonRow> & { employments: number }) | null> {
  refuseIf(personViolations(fields));
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const row = await store.persons.findOne({ _id: id, tenant_id: tenantId });
    if (!row) return null;
    const next = changedPerson(row, fields, await afterEmployments(store, tenantId, id, now));
    if (next !== null) {
      const unchanged = { _id: id, tenant_id: tenantId, update_time: row.update_time };
      const { matchedCount } = await store.persons.updateOne(unchanged, { $set: differences(row, next) ?? {} });
      if (matchedCount === 0) continue;
    }
    const { update_time } = next ?? row;
    const moved = await store.employees.updateMany(
      { tenant_id: tenantId, person_id: id, update_time: { $lt: update_time } },
      { $set: { update_time } },
    );
    return { row: next ?? row, changed: next !== null, employments: moved.modifiedCount };
  }
  throw new Error(`the person ${id} is being changed by others all the time`);
}
