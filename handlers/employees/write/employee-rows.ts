/**
 * Computes the rows that changes of employees produce, each with its events (D-26, D-27): a change of a listed employee
 * is employee.changed, a deletion is employee.deleted, and drafts have no events. An event is written by the same
 * conditional write as its change, so a repetition after a crash finds neither of the two, or nothing left to change.
 */

import { randomUUID } from 'node:crypto';
import { type EmployeeRow, employeeLife, isListed, visibleTo } from '../../data/collections/employees.ts';
import type { PersonRow } from '../../data/collections/persons.ts';
import { emptiedFields } from '../../data/field-life.ts';
import { type EventType, pendingEvent } from '../../data/outbox.ts';
import { changeTime } from '../../data/writes.ts';
import {
  type ChangeExtra,
  differences,
  type EmployeeFields,
  employeeConflicts,
  employeeViolations,
  noEmployeeFields,
  refuseIf,
  type WriteMoment,
} from './fields.ts';
import { statusAfterChange, statusAtCreation, statusDueOn, statusToday } from './status-by-dates.ts';

/** The person of an employment, with its known revision. */
type PersonRef = Pick<PersonRow, '_id' | 'rev'>;

function derived(row: Omit<EmployeeRow, 'listed' | 'visible_to' | 'status_due_on'>) {
  return { listed: isListed(row), visible_to: visibleTo(row), status_due_on: statusDueOn(row) };
}

/** The row with events of the given types added, at the time of its last change. */
function withEvents(row: EmployeeRow, ...types: EventType[]): EmployeeRow {
  const events = types.map((type) => pendingEvent(type, row.update_time));
  return { ...row, pending_events: [...row.pending_events, ...events], outbox_at: row.update_time };
}

/**
 * The row of a new employee; without a status it gets the one that its dates imply. References are not checked.
 * @throws ChangeRefused for wrong fields
 */
export function newEmployee(
  tenantId: string,
  person: PersonRef,
  fields: Partial<EmployeeFields>,
  { now, today }: WriteMoment,
  { id = randomUUID(), details = '', loaded = false }: ChangeExtra & { readonly id?: string } = {},
): EmployeeRow {
  if (!loaded) refuseIf(employeeViolations(fields));
  const status = statusAtCreation({ ...noEmployeeFields, ...fields }, today);
  const whole = { ...noEmployeeFields, status, ...fields };
  refuseIf(employeeConflicts(whole));
  const row = {
    _id: id,
    tenant_id: tenantId,
    person_id: person._id,
    ...whole,
    deleted_at: null,
    create_time: now,
    update_time: now,
    rev: 1,
    person_rev: person.rev,
    pending_events: [],
    outbox_at: null,
    details,
  };
  const complete = { ...row, ...derived(row) };
  return complete.listed ? withEvents(complete, 'employee.changed') : complete;
}

function moved(row: EmployeeRow, changed: Partial<EmployeeRow>, now: Date): EmployeeRow {
  const next = { ...row, ...changed, rev: row.rev + 1, update_time: changeTime(row.update_time, now) };
  return { ...next, ...derived(next) };
}

/**
 * The row after a change, or null if nothing changes. If dates change and no status is given, the status follows the
 * dates. A change of details alone changes nothing that is shown (D-29). References are not checked.
 * @throws ChangeRefused for wrong fields, and for a status that would make the employee a draft again
 */
export function changedEmployee(
  row: EmployeeRow,
  fields: Partial<EmployeeFields>,
  { now, today }: WriteMoment,
  { details = row.details, loaded = false, person }: ChangeExtra & { readonly person?: PersonRef } = {},
): EmployeeRow | null {
  if (!loaded) refuseIf(employeeViolations(fields));
  const status = statusAfterChange(row, { ...row, ...fields }, today);
  const wanted = { status, ...fields, person_id: person?._id ?? row.person_id };
  const changed = differences<EmployeeRow>(row, wanted);
  if (changed === null) return details === row.details ? null : { ...row, details, rev: row.rev + 1 };
  if (changed.status === 'CREATED') refuseIf([{ field: 'status', description: 'cannot become CREATED (draft) again' }]);
  refuseIf(employeeConflicts({ ...row, ...changed }));
  const follows = changed.person_id !== undefined && person !== undefined ? { person_rev: person.rev } : {};
  const next = moved(row, { ...changed, ...follows, details }, now);
  return next.listed ? withEvents(next, 'employee.changed') : next;
}

/** The row after its deletion, or null if it is deleted already. */
export function deletedEmployee(row: EmployeeRow, now: Date): EmployeeRow | null {
  if (row.deleted_at !== null) return null;
  const next = moved(row, { deleted_at: now }, now);
  return row.listed ? withEvents(next, 'employee.deleted') : next;
}

/**
 * A deleted employment without everything that was known of it, for the erasure of its person (D-35): its id stays,
 * which routes and events name, and its events, which are not all relayed yet.
 */
export function emptiedEmployee(row: EmployeeRow): EmployeeRow {
  return { ...row, ...emptiedFields(employeeLife), rev: row.rev + 1 };
}

/** The row with the status that its dates imply today, or null if that changes nothing. */
export function advancedEmployee(row: EmployeeRow, { now, today }: WriteMoment): EmployeeRow | null {
  const status = statusToday(row.status, row, today);
  if (row.deleted_at !== null || status === row.status) return null;
  return withEvents(moved(row, { status }, now), 'employee.changed');
}

/**
 * The employment after a change of its person, or null if that is applied already (D-26, D-29). A deleted one does not
 * follow; a draft follows without an event.
 */
export function followedEmployee(
  row: EmployeeRow,
  person: Pick<PersonRow, 'rev' | 'identity_rev'>,
  now: Date,
): EmployeeRow | null {
  if (row.deleted_at !== null || row.person_rev >= person.rev) return null;
  const next = moved(row, { person_rev: person.rev }, now);
  if (!next.listed) return next;
  return person.identity_rev > row.person_rev
    ? withEvents(next, 'employee.changed', 'person.changed')
    : withEvents(next, 'employee.changed');
}
