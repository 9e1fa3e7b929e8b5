import { describe, expect, test } from '@jest/globals';
import { BSON } from 'mongodb';
import type { Employee } from '../../generated/client/types.gen.ts';
import { employeeRow } from '../../scripts/testbed/tenant.ts';
import { hiddenFields } from '../access/permissions.ts';
import { jsonText, objectFrom } from '../answers/json-bytes.ts';
import type { Layout, RawRow } from '../data/raw-row.ts';
import { type Expansions, employeeLayout, employeeWriter, managerLayout, personLayout } from './view.ts';

const row = employeeRow({ tenant_id: 't1', _id: 'e1', person_id: 'p1', manager_id: 'm1', department_id: 'd1' });
const person = {
  _id: 'p1',
  first_name: 'Айгүл',
  last_name: 'Нұрланова',
  middle_name: '',
  birth_date: '1988-04-15',
  iin: '880415401233',
  personal_email: '',
  phone: '',
};

/** A row as the database sends it: the fields of the layout, in its own order. */
function sent<Field extends string>(layout: Layout<Field>, whole: object): RawRow<Field> {
  const asked = Object.entries(whole).filter(([name]) => name in layout.options.projection);
  return layout.row(Buffer.from(BSON.serialize(Object.fromEntries(asked))));
}

const rawPerson = sent(personLayout, person);
const related = {
  person: new Map([['p1', rawPerson]]),
  manager: new Map([['m1', { manager: sent(managerLayout, { ...row, _id: 'm1' }), person: rawPerson }]]),
};

function viewOf(hidden_fields: readonly string[], expansions: Expansions, of = row): Employee {
  const hidden = hiddenFields({
    employees: { all: true, departments: [], reports: false, self: false },
    hidden_fields: [...hidden_fields],
    documents: 'all',
    document_types: 'all',
  });
  const write = employeeWriter({ hidden }, expansions);
  const { bytes } = jsonText<{ employee: Employee }>({ employee: objectFrom(sent(employeeLayout, of), write) });
  return JSON.parse(bytes.toString()).employee;
}

describe('redaction (D-31)', () => {
  const { person: _, ...managerOnly } = related;
  const { manager: __, ...personOnly } = related;

  test.each<[readonly string[], Expansions, readonly string[]]>([
    [[], related, []],
    [['persons.iin', 'employees.work_email'], personOnly, ['employees.work_email', 'persons.iin']],
    [['persons.iin', 'persons.full_name'], {}, []],
    [['persons.first_name'], related, ['persons.first_name', 'persons.full_name']],
    [['persons.full_name', 'persons.iin'], managerOnly, ['persons.full_name']],
    [['persons.full_name', 'persons.iin'], { manager: new Map() }, ['persons.full_name']],
  ])('of %j drops them, and lists those of requested objects, sorted (%#)', (hidden, expansions, listed) => {
    const { person: shown, manager, ...open } = viewOf([], expansions);
    const drop = (object: object | undefined, prefix: string) =>
      object && Object.fromEntries(Object.entries(object).filter(([name]) => !listed.includes(`${prefix}.${name}`)));
    expect(viewOf(hidden, expansions)).toEqual({
      ...drop(open, 'employees'),
      person: drop(shown, 'persons'),
      manager: drop(manager, 'persons'),
      redacted_fields: listed,
    });
  });
});

const FULL_NAME = 'Нұрланова Айгүл';

test.each([
  [{}, FULL_NAME],
  [{ middle_name: 'Серікқызы' }, 'Нұрланова Айгүл Серікқызы'],
  [{ last_name: '' }, 'Айгүл'],
  [{ last_name: '', first_name: '', middle_name: 'Серікқызы' }, 'Серікқызы'],
  [{ last_name: '', first_name: '' }, ''],
])('a full name leaves empty parts out: %j', (parts, full) => {
  const own = new Map([['p1', sent(personLayout, { ...person, ...parts })]]);
  expect(viewOf([], { person: own }).person?.full_name).toBe(full);
});

test('a stored day or time that no reader could hold is empty (D-2)', () => {
  const status = 'EMPLOYEE_STATUS_TERMINATED';
  const outside = { start_date: '0000-01-01', end_date: '2023-02-29', update_time: new Date('0000-12-31') };
  const own = new Map([['p1', sent(personLayout, { ...person, birth_date: '0000-02-29' })]]);
  const shown = { start_date: '', end_date: '', update_time: '', person: { birth_date: '' } };
  expect(viewOf([], { person: own }, { ...row, status, ...outside })).toMatchObject(shown);
});
