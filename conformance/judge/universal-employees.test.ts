import { expect, test } from '@jest/globals';
import { employeeChecks } from './universal-employees.ts';

// That right answers pass is seen in every run of the suite.

/** The verdict on an answer with these employees: '' = holds, null = does not apply. */
const judge = (id: string, employees: readonly object[], isError = false, query = ''): string | null | undefined =>
  employeeChecks[id]?.({
    body: { employees },
    isError,
    exchange: { operationId: 'listEmployees', target: `/developer/v1/employees?${query}` },
  } as unknown as Parameters<(typeof employeeChecks)[string]>[0]);

const bare = { id: 'e', department_id: '', manager_id: '', redacted_fields: [] };
const named = (full_name: string) => ({ ...bare, person: { full_name } });
const managed = (full_name: string) => ({
  ...bare,
  manager_id: 'm',
  manager: { id: 'm', full_name },
});

const parts = { first_name: 'Айгүл', last_name: 'Нұрланова', middle_name: 'Серікқызы' };
const person = { first_name: '', last_name: '', middle_name: '', full_name: '', birth_date: '', phone: '' };
const hiding = { ...bare, person: { ...person, personal_email: '' }, redacted_fields: ['persons.iin'] };

test.each([named, managed])('a full name is judged of persons and of managers, in every row', (row) => {
  for (const odd of ['Ким  Сергей', 'Ким ', ' Ким']) expect(judge('EMP-59', [bare, row(odd)])).toMatch(/^employee e:/);
  expect(judge('EMP-59', [row('Ким ')], true)).toBeNull();
});

test.each<[id: string, wrong: string, row: object, complaint: RegExp]>([
  [
    'EMP-59',
    'parts in another order',
    { person: { ...parts, full_name: 'Айгүл Серікқызы Нұрланова' } },
    /^employee e:/,
  ],
  ['EMP-45', 'a last day', { end_date: '2026-03-01' }, /^employee e:/],
  ['EMP-53', 'a change before the creation', { create_time: '2026-03-02', update_time: '2026-03-01' }, /^employee e:/],
  ['EMP-46', 'another manager', { ...managed('Ким'), manager_id: 'x' }, /manager\.id differs/],
  ['EMP-46', 'another department', { ...managed('Ким'), department: { id: 'd' } }, /department\.id differs/],
  ['RED-4', 'a hidden field', { ...hiding, person: { ...hiding.person, iin: '' } }, /persons\.iin is listed/],
  ['RED-4', 'a field that is not listed', { ...hiding, person }, /person\.personal_email is absent/],
])('%s finds %s', (id, _wrong, row, complaint) => {
  expect(judge(id, [bare, { ...bare, ...row }])).toMatch(complaint);
});

test.each<[id: string, right: string, row: object, verdict: '' | null]>([
  ['EMP-59', 'a part that is hidden', { person: { ...parts, full_name: 'Айгүл', last_name: undefined } }, ''],
  ['EMP-59', 'names that are not shown', { person: { iin: '' }, manager: { id: 'm' } }, null],
  ['EMP-59', 'a manager that is null', { manager: null }, null],
  ['EMP-45', 'no last day', { end_date: null }, null],
  ['EMP-53', 'what is no time', { create_time: '2026-03-02', update_time: 'never' }, ''],
  ['EMP-46', 'what is not expanded', { manager: null }, null],
  ['RED-4', 'where nothing is hidden', {}, null],
])('%s finds nothing in %s', (id, _right, row, verdict) => {
  expect(judge(id, [bare, { ...bare, ...row }])).toBe(verdict);
});

test('the rows of a page are counted only by a limit that is one', () => {
  expect(judge('EMP-7', [bare, bare], false, 'limit=1')).toBe('2 rows where at most 1 were asked for');
  for (const query of ['limit=0', 'limit=x', 'limit=2']) expect(judge('EMP-7', [bare, bare], false, query)).toBeFalsy();
});
