import { describe, expect, test } from '@jest/globals';
import { reportsOf } from '../runtime/store.ts';
import { changedEmployee, changedPerson, newEmployee, newPerson } from './changes.ts';
import { subtreeAncestors } from './departments.ts';
import { ChangeRefused } from './fields.ts';

const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const [department, other, manager, person] = [id(1), id(2), id(3), id(4)];
const then = new Date('2026-03-01T10:00:00.000Z');
const later = new Date('2026-03-02T10:00:00.000Z');

describe('newEmployee', () => {
  test('is active and listed, and found under itself, its department and its manager', () => {
    const row = newEmployee('t', person, { department_id: department, manager_id: manager }, then, id(9));
    expect(row).toMatchObject({ status: 'EMPLOYEE_STATUS_ACTIVE', listed: true, deleted_at: null, person_id: person });
    expect(row.visible_to.toSorted()).toEqual([id(9), department, reportsOf(manager)].toSorted());
    expect([row.create_time, row.update_time]).toEqual([then, then]);
  });

  test('a draft is not listed', () => {
    expect(newEmployee('t', person, { status: 'CREATED' }, then).listed).toBe(false);
  });

  test('wrong fields are refused', () => {
    expect(() => newEmployee('t', person, { start_date: '2026-02-30' }, then)).toThrow(ChangeRefused);
    expect(() => newEmployee('t', person, { start_date: '2026-02-02', end_date: '2026-02-01' }, then)).toThrow(
      ChangeRefused,
    );
  });
});

describe('changedEmployee', () => {
  const row = newEmployee(
    't',
    person,
    { department_id: department, manager_id: manager, start_date: '2026-01-01' },
    then,
    id(9),
  );

  test('moves the marks with department and manager', () => {
    const next = changedEmployee(row, { department_id: other, manager_id: '' }, later);
    expect(next?.visible_to.toSorted()).toEqual([id(9), other].toSorted());
    expect(next?.update_time).toEqual(later);
    expect(next?.create_time).toEqual(then);
  });

  test('what changes nothing is no change', () => {
    expect(changedEmployee(row, { department_id: department, start_date: '2026-01-01' }, later)).toBeNull();
    expect(changedEmployee(row, {}, later)).toBeNull();
  });

  test('update_time grows even where the clock stands still or goes back', () => {
    expect(changedEmployee(row, { employee_number: '1' }, then)?.update_time).toEqual(new Date(then.getTime() + 1));
    expect(changedEmployee(row, { employee_number: '1' }, new Date(0))?.update_time).toEqual(
      new Date(then.getTime() + 1),
    );
  });

  test('a draft may become anything; nothing becomes a draft', () => {
    const draft = newEmployee('t', person, { status: 'CREATED' }, then);
    expect(changedEmployee(draft, { status: 'EMPLOYEE_STATUS_HIRED' }, later)?.listed).toBe(true);
    expect(() => changedEmployee(row, { status: 'CREATED' }, later)).toThrow(/CREATED/);
    expect(changedEmployee(draft, { status: 'CREATED' }, later)).toBeNull();
  });

  test('dates are judged with those that stay', () => {
    expect(() => changedEmployee(row, { end_date: '2025-12-31' }, later)).toThrow(ChangeRefused);
  });
});

describe('changedPerson', () => {
  const row = newPerson('t', { last_name: 'Омарова', first_name: 'Әсел' }, then);

  test('changes what differs', () => {
    expect(changedPerson(row, { last_name: 'Ахметова' }, later)).toEqual({
      ...row,
      last_name: 'Ахметова',
      update_time: later,
    });
    expect(changedPerson(row, { last_name: 'Омарова' }, later)).toBeNull();
  });

  test('a name must stay', () => {
    expect(() => changedPerson(row, { last_name: '', first_name: '' }, later)).toThrow(ChangeRefused);
    expect(changedPerson(row, { last_name: '' }, later)?.last_name).toBe('');
  });
});

describe('subtreeAncestors', () => {
  const rows = [
    { _id: 'c', parent_id: 'b' },
    { _id: 'b', parent_id: 'a' },
    { _id: 'd', parent_id: 'b' },
    { _id: 'a', parent_id: 'top' },
  ];

  test('each department lists itself and all above, nearest first', () => {
    expect(Object.fromEntries(subtreeAncestors(rows, 'a', ['a', 'new', 'root']))).toEqual({
      a: ['a', 'new', 'root'],
      b: ['b', 'a', 'new', 'root'],
      c: ['c', 'b', 'a', 'new', 'root'],
      d: ['d', 'b', 'a', 'new', 'root'],
    });
  });

  test('ends where links go round', () => {
    const round = [
      { _id: 'a', parent_id: 'b' },
      { _id: 'b', parent_id: 'a' },
    ];
    expect([...subtreeAncestors(round, 'a', ['a']).keys()]).toEqual(['a', 'b']);
  });
});
