import { describe, expect, test } from '@jest/globals';
import type { EmployeeRow } from '../../data/collections/employees.ts';
import { changedEmployee, deletedEmployee, followedEmployee, newEmployee } from './employee-rows.ts';

const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const [department, manager] = [id(1), id(3)];
const person = { _id: id(4), rev: 3 };
const then = { now: new Date('2026-03-01T10:00:00.000Z'), today: '2026-03-01' };
const later = { now: new Date('2026-03-02T10:00:00.000Z'), today: '2026-03-02' };

/** The types of a row's events; expects that each has the time of the row's last change. */
function events(row: EmployeeRow | null): string[] {
  for (const event of row?.pending_events ?? []) expect(event.occurred_at).toEqual(row?.update_time);
  expect(row?.outbox_at ?? null).toEqual(row?.pending_events.length ? row.update_time : null);
  return (row?.pending_events ?? []).map(({ type }) => type);
}

/** The row after its events are relayed. */
const relayed = (row: EmployeeRow): EmployeeRow => ({ ...row, pending_events: [], outbox_at: null });
const draft = newEmployee('t', person, { status: 'CREATED' }, then, { id: id(9) });
const listed = relayed(
  newEmployee('t', person, { department_id: department, manager_id: manager, start_date: '2026-01-01' }, then, {
    id: id(9),
    details: '{"a":"1"}',
  }),
);

describe('changedEmployee', () => {
  test('keeps events that wait', () => {
    const first = changedEmployee(listed, { employee_number: '1' }, later) as EmployeeRow;
    const second = changedEmployee(first, { employee_number: '2' }, later) as EmployeeRow;
    expect(second.pending_events[0]).toEqual(first.pending_events[0]);
    expect(new Set(second.pending_events.map((event) => event.id)).size).toBe(2);
  });

  test('takes the revision of another person', () => {
    const next = changedEmployee(listed, {}, later, { person: { _id: id(5), rev: 8 } });
    expect(next).toMatchObject({ person_id: id(5), person_rev: 8 });
    expect(events(next)).toEqual(['employee.changed']);
  });

  test('makes update_time grow even when the clock stands still or goes back', () => {
    const oneLater = new Date(then.now.getTime() + 1);
    expect(changedEmployee(listed, { employee_number: '1' }, then)?.update_time).toEqual(oneLater);
    expect(changedEmployee(listed, { employee_number: '1' }, { ...then, now: new Date(0) })?.update_time).toEqual(
      oneLater,
    );
  });

  test('sets the status by changed dates, unless the change has a status', () => {
    const ended = changedEmployee(listed, { end_date: '2026-03-01' }, later);
    expect(ended).toMatchObject({ status: 'EMPLOYEE_STATUS_TERMINATED', status_due_on: '' });
    expect(events(ended)).toEqual(['employee.changed']);
    const back = changedEmployee(ended as EmployeeRow, { end_date: '2026-03-02' }, later);
    expect(back).toMatchObject({ status: 'EMPLOYEE_STATUS_ACTIVE', status_due_on: '2026-03-03' });
    const said = changedEmployee(listed, { end_date: '2026-03-01', status: 'EMPLOYEE_STATUS_LEAVE' }, later);
    expect(said).toMatchObject({ status: 'EMPLOYEE_STATUS_LEAVE', status_due_on: '2026-03-02' });
  });
});

describe('followedEmployee', () => {
  const follow = (row: EmployeeRow, rev: number, identity_rev: number) =>
    followedEmployee(row, { rev, identity_rev }, later.now);

  test('follows a draft without an event, so that its later events do not include it; skips a deleted one', () => {
    const next = follow(draft, 4, 4) as EmployeeRow;
    expect(next.person_rev).toBe(4);
    expect(events(next)).toEqual([]);
    expect(follow(deletedEmployee(listed, later.now) as EmployeeRow, 4, 4)).toBeNull();
  });
});
