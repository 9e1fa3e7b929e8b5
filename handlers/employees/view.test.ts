import { describe, expect, test } from '@jest/globals';
import { hiddenFields } from '../access/permissions.ts';
import type { EmployeeRow, PersonRow } from '../data/store.ts';
import { shareBelow } from './total.ts';
import { employeeViews, fullName } from './view.ts';

const time = new Date('2026-01-02T03:04:05.006Z');
const row: EmployeeRow = {
  _id: 'e1',
  tenant_id: 't1',
  status: 'EMPLOYEE_STATUS_ACTIVE',
  listed: true,
  visible_to: [],
  organization_id: 'o1',
  department_id: 'd1',
  job_title_id: 'j1',
  manager_id: 'm1',
  location_id: '',
  person_id: 'p1',
  employee_number: '',
  start_date: '2020-02-03',
  end_date: '2027-01-01',
  work_email: 'w@example.com',
  deleted_at: null,
  create_time: time,
  update_time: time,
  rev: 1,
  person_rev: 1,
  pending_events: [],
  outbox_at: null,
  details: '',
  status_due_on: '',
};
const person: PersonRow = {
  _id: 'p1',
  tenant_id: 't1',
  first_name: 'Айгүл',
  last_name: 'Нұрланова',
  middle_name: '',
  birth_date: '1988-04-15',
  iin: '880415401233',
  personal_email: '',
  phone: '',
  create_time: time,
  update_time: time,
  rev: 1,
  identity_rev: 1,
  outbox_at: null,
  details: '',
};
const profile = (...hidden_fields: string[]) => ({
  hidden: hiddenFields({
    employees: { all: true, departments: [], reports: false, self: false },
    hidden_fields,
    documents: 'all',
    document_types: 'all',
  }),
});
const persons = new Map([['p1', person]]);
const managers = new Map([['m1', person]]);
const viewOf = (viewer: ReturnType<typeof profile>, expansions: Parameters<typeof employeeViews>[2], of = row) =>
  employeeViews(viewer, [of], expansions)[0];

describe('redaction (D-31)', () => {
  test('drops hidden fields and lists those of requested objects, sorted', () => {
    const view = viewOf(profile('persons.iin', 'employees.work_email'), { persons });
    expect(view).not.toHaveProperty('work_email');
    expect(view?.person).not.toHaveProperty('iin');
    expect(view?.redacted_fields).toEqual(['employees.work_email', 'persons.iin']);
  });

  test('does not list hidden fields of objects that were not requested', () => {
    expect(viewOf(profile('persons.iin'), {})?.redacted_fields).toEqual([]);
  });

  test.each(['persons.first_name', 'persons.last_name', 'persons.middle_name'])(
    'hiding %s hides every full name',
    (part) => {
      const view = viewOf(profile(part), { persons, managers });
      expect(view?.person).not.toHaveProperty('full_name');
      expect(view?.manager).toEqual({ id: 'm1' });
      expect(view?.redacted_fields).toContain('persons.full_name');
    },
  );

  test('lists a hidden full name with the manager alone, even if there is no manager', () => {
    const viewer = profile('persons.full_name', 'persons.iin');
    expect(viewOf(viewer, { managers })?.redacted_fields).toEqual(['persons.full_name']);
    expect(viewOf(viewer, { managers }, { ...row, manager_id: '' })?.redacted_fields).toEqual(['persons.full_name']);
  });

  test('fields without data are present and empty', () => {
    expect(viewOf(profile(), { persons })).toMatchObject({
      location_id: '',
      employee_number: '',
      person: { phone: '' },
    });
  });
});

describe('views', () => {
  test('the end date shows only while TERMINATED (D-29)', () => {
    expect(viewOf(profile(), {})?.end_date).toBe('');
    expect(viewOf(profile(), {}, { ...row, status: 'EMPLOYEE_STATUS_TERMINATED' })?.end_date).toBe('2027-01-01');
  });

  test('times go out in UTC with three fraction digits', () => {
    expect(viewOf(profile(), {})?.create_time).toBe('2026-01-02T03:04:05.006Z');
  });

  test('an expansion that was not requested, or has no object, is absent', () => {
    const view = viewOf(profile(), { managers: new Map() });
    for (const name of ['person', 'department', 'job_title', 'manager']) expect(view).not.toHaveProperty(name);
  });

  test('a full name leaves empty parts out', () => {
    expect(fullName(person)).toBe('Нұрланова Айгүл');
    expect(fullName({ ...person, middle_name: 'Серікқызы' })).toBe('Нұрланова Айгүл Серікқызы');
  });
});

describe('shareBelow', () => {
  test('is the position of an id in the space of ids', () => {
    expect(shareBelow('00000000-0000-4000-8000-000000000000')).toBeCloseTo(0, 9);
    expect(shareBelow('80000000-0000-4000-8000-000000000000')).toBeCloseTo(0.5, 9);
    expect(shareBelow('ffffffff-ffff-4fff-bfff-ffffffffffff')).toBe(1);
  });
});
