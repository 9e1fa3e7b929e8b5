import { describe, expect, test } from '@jest/globals';
import { BSON } from 'mongodb';
import type { Employee } from '../../generated/client/types.gen.ts';
import { hiddenFields } from '../access/permissions.ts';
import { jsonText, objectFrom } from '../answers/json-bytes.ts';
import type { EmployeeRow } from '../data/collections/employees.ts';
import type { PersonRow } from '../data/collections/persons.ts';
import type { Layout, RawRow } from '../data/raw-row.ts';
import { type Expansions, employeeLayout, managerLayout, personLayout, titledLayout } from './expansions.ts';
import { employeeWriter } from './view.ts';

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
/** A row as the database sends it: the fields of the layout, in its own order. */
function sent<Field extends string>(layout: Layout<Field>, whole: object): RawRow<Field> {
  const asked = Object.entries(whole).filter(([name]) => name in layout.options.projection);
  return layout.row(Buffer.from(BSON.serialize(Object.fromEntries(asked))));
}

const rawPerson = sent(personLayout, person);
const persons = new Map([['p1', rawPerson]]);
const managers = new Map([['m1', { manager: sent(managerLayout, { ...row, _id: 'm1' }), person: rawPerson }]]);

function viewOf(viewer: ReturnType<typeof profile>, expansions: Expansions, of = row): Employee {
  const write = employeeWriter(viewer, expansions);
  const { bytes } = jsonText<{ employee: Employee }>({ employee: objectFrom(sent(employeeLayout, of), write) });
  return JSON.parse(bytes.toString()).employee;
}

describe('redaction (D-31)', () => {
  test('drops hidden fields and lists those of requested objects, sorted', () => {
    const view = viewOf(profile('persons.iin', 'employees.work_email'), { person: persons });
    expect(view).not.toHaveProperty('work_email');
    expect(view.person).not.toHaveProperty('iin');
    expect(view.redacted_fields).toEqual(['employees.work_email', 'persons.iin']);
  });

  test('does not list hidden fields of objects that were not requested', () => {
    expect(viewOf(profile('persons.iin', 'persons.full_name'), {}).redacted_fields).toEqual([]);
  });

  test('shows every field where the profile hides none', () => {
    const view = viewOf(profile(), { person: persons, manager: managers });
    expect(view).toMatchObject({ work_email: 'w@example.com', redacted_fields: [] });
    expect(view.manager).toEqual({ id: 'm1', full_name: 'Нұрланова Айгүл' });
    expect(view.person).toEqual({
      first_name: 'Айгүл',
      last_name: 'Нұрланова',
      middle_name: '',
      full_name: 'Нұрланова Айгүл',
      birth_date: '1988-04-15',
      iin: '880415401233',
      personal_email: '',
      phone: '',
    });
  });

  test.each(['persons.first_name', 'persons.last_name', 'persons.middle_name'])(
    'hiding %s hides every full name',
    (part) => {
      const view = viewOf(profile(part), { person: persons, manager: managers });
      expect(view.person).not.toHaveProperty('full_name');
      expect(view.manager).toEqual({ id: 'm1' });
      expect(view.redacted_fields).toContain('persons.full_name');
    },
  );

  test('lists a hidden full name with the manager alone, even if there is no manager', () => {
    const viewer = profile('persons.full_name', 'persons.iin');
    expect(viewOf(viewer, { manager: managers }).redacted_fields).toEqual(['persons.full_name']);
    expect(viewOf(viewer, { manager: managers }, { ...row, manager_id: '' }).redacted_fields).toEqual([
      'persons.full_name',
    ]);
  });

  test('fields without data are present and empty', () => {
    expect(viewOf(profile(), { person: persons })).toMatchObject({
      location_id: '',
      employee_number: '',
      person: { phone: '' },
    });
  });
});

describe('views', () => {
  test('the end date shows only while TERMINATED (D-29)', () => {
    expect(viewOf(profile(), {}).end_date).toBe('');
    expect(viewOf(profile(), {}, { ...row, status: 'EMPLOYEE_STATUS_TERMINATED' }).end_date).toBe('2027-01-01');
  });

  test('times go out in UTC with three fraction digits', () => {
    expect(viewOf(profile(), {}).create_time).toBe('2026-01-02T03:04:05.006Z');
  });

  test('an expansion that was not requested, or has no object, is absent', () => {
    const view = viewOf(profile(), { manager: new Map() });
    for (const name of ['person', 'department', 'job_title', 'manager']) expect(view).not.toHaveProperty(name);
  });

  test.each([
    [{}, 'Нұрланова Айгүл'],
    [{ middle_name: 'Серікқызы' }, 'Нұрланова Айгүл Серікқызы'],
    [{ last_name: '' }, 'Айгүл'],
    [{ last_name: '', first_name: '', middle_name: 'Серікқызы' }, 'Серікқызы'],
    [{ last_name: '', first_name: '' }, ''],
  ])('a full name leaves empty parts out: %j', (parts, full) => {
    const own = new Map([['p1', sent(personLayout, { ...person, ...parts })]]);
    expect(viewOf(profile(), { person: own }).person?.full_name).toBe(full);
  });

  test('expansions show what their rows contain', () => {
    const departments = new Map([['d1', sent(titledLayout, { _id: 'd1', title: 'Склад «Юг»' })]]);
    const jobTitles = new Map([['j1', sent(titledLayout, { _id: 'j1', title: 'Bookkeeper' })]]);
    expect(viewOf(profile(), { department: departments, job_title: jobTitles, manager: managers })).toMatchObject({
      department: { id: 'd1', title: 'Склад «Юг»' },
      job_title: { id: 'j1', title: 'Bookkeeper' },
      manager: { id: 'm1', full_name: 'Нұрланова Айгүл' },
    });
  });
});
