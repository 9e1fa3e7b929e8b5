import { describe, expect, test } from '@jest/globals';
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

describe('a full name', () => {
  test('is judged of persons and of managers, in every row', () => {
    for (const row of [named, managed]) {
      for (const odd of ['Ким  Сергей', 'Ким ', ' Ким'])
        expect(judge('EMP-59', [bare, row(odd)])).toMatch(/^employee e:/);
    }
  });

  test('has its parts in order', () => {
    const parts = { first_name: 'Айгүл', last_name: 'Нұрланова', middle_name: 'Серікқызы' };
    const person = (full_name: string, more = {}) => ({ ...bare, person: { ...parts, full_name, ...more } });
    expect(judge('EMP-59', [person('Айгүл Серікқызы Нұрланова')])).toMatch(/^employee e:/);
    expect(judge('EMP-59', [bare, person('Айгүл', { last_name: undefined })])).toBe('');
  });

  test('is not judged where none is shown', () => {
    const hidden = { ...bare, person: { iin: '' }, manager: { id: 'm' } };
    expect(judge('EMP-59', [bare, hidden, { ...bare, manager: null }])).toBeNull();
    expect(judge('EMP-59', [named('Ким ')], true)).toBeNull();
  });
});

test.each([
  ['EMP-45', { end_date: null }, { end_date: '2026-03-01' }],
  [
    'EMP-53',
    { create_time: '2026-03-02', update_time: 'never' },
    { create_time: '2026-03-02', update_time: '2026-03-01' },
  ],
])('%s judges only days and times', (id, unreadable, wrong) => {
  expect(judge(id, [{ ...bare, ...unreadable }])).toBeFalsy();
  expect(judge(id, [{ ...bare, ...wrong }])).toMatch(/^employee e:/);
});

test('the rows of a page are counted only by a limit that is one', () => {
  expect(judge('EMP-7', [bare, bare], false, 'limit=1')).toBe('2 rows where at most 1 were asked for');
  for (const query of ['limit=0', 'limit=x', 'limit=2']) expect(judge('EMP-7', [bare, bare], false, query)).toBeFalsy();
});

describe('an expanded object', () => {
  test('must have the id that its field names', () => {
    expect(judge('EMP-46', [bare, { ...managed('Ким'), manager_id: 'x' }])).toMatch(/manager\.id differs/);
    expect(judge('EMP-46', [{ ...managed('Ким'), department: { id: 'd' } }])).toMatch(/department\.id differs/);
  });

  test('is not judged where nothing is expanded', () => {
    expect(judge('EMP-46', [bare, { ...bare, manager: null }])).toBeNull();
  });
});

describe('hidden fields', () => {
  const person = { first_name: '', last_name: '', middle_name: '', full_name: '', birth_date: '', phone: '' };
  const hiding = { ...bare, person: { ...person, personal_email: '' }, redacted_fields: ['persons.iin'] };

  test('must be absent, and all others there', () => {
    expect(judge('RED-4', [{ ...hiding, person: { ...hiding.person, iin: '' } }])).toMatch(/persons\.iin is listed/);
    expect(judge('RED-4', [{ ...hiding, person }])).toMatch(/person\.personal_email is absent/);
  });

  test('are not judged where nothing is hidden, or no person is shown', () => {
    expect(judge('RED-4', [bare])).toBeNull();
  });
});
