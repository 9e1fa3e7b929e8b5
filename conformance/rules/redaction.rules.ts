import { personalDataFields } from '../../generated/contract.ts';
import type { TestContext } from '../engine/test-context.ts';
import type { Answer } from '../http/answer.ts';
import type { EmployeeRow } from '../http/api.ts';
import { type HidingOwner, hidingOwners } from '../profile/hidden-fields.ts';
import { rule, unable } from './rule.ts';
import { idsOf, unique } from './shared/calls.ts';
import { answerOf, type SchemaField } from './shared/contract-inputs.ts';

const FULL_NAME = 'persons.full_name';
/** A full name contains these, so it is hidden with each of them. */
const PARTS = ['persons.first_name', 'persons.last_name', 'persons.middle_name'];
/** What other fields and other people may have, too: only their own field is looked at. */
const COMMON = [...PARTS, 'persons.birth_date'];

const everything = ['person', 'department', 'job_title', 'manager'];

const fieldsOf = (name: string, fields: readonly SchemaField[] = []): readonly SchemaField[] =>
  fields.find((field) => field.name === name)?.schema.fields ?? [];

/** Every field of an answer with employees that a profile of permissions can hide, as redacted_fields names it. */
function redactionKeys(): string[] {
  const employee = fieldsOf('employee', answerOf('getEmployee').fields);
  const keysOf = (object: string, fields: readonly SchemaField[]) =>
    fields.map(({ name }) => personalDataFields[name]).filter((key) => key?.startsWith(`${object}.`));
  const keys = [...keysOf('employees', employee), ...keysOf('persons', fieldsOf('person', employee))];
  return unique(keys.filter((key) => key !== undefined));
}

/** The hidden fields that a profile can have, with the rule about each and an owner from whom it is hidden. */
export const hiddenFields = redactionKeys().map((key) => ({
  key,
  id: `RED-${key}`,
  owner: hidingOwners.find(({ hidden }) => hidden.includes(key)),
}));

function shownAt(employee: EmployeeRow, key: string): unknown {
  const [object, field = ''] = key.split('.');
  return ((object === 'persons' ? employee.person : employee) as Record<string, unknown> | undefined)?.[field];
}

/** What redacted_fields must list, by what the request asks for. */
function listedFor(hidden: readonly string[], expand: readonly string[]): string[] {
  const isAsked = (key: string) =>
    key.startsWith('employees.') || expand.includes('person') || (key === FULL_NAME && expand.includes('manager'));
  return hidden.filter(isAsked).toSorted();
}

/** A card as an owner must see it: without what is hidden from him. */
function redacted({ person, manager, ...rest }: EmployeeRow, hidden: readonly string[], listed: readonly string[]) {
  const left = (object: string, fields: object) =>
    Object.fromEntries(Object.entries(fields).filter(([name]) => !hidden.includes(`${object}.${name}`)));
  return {
    ...left('employees', rest),
    ...(person && { person: left('persons', person) }),
    ...(manager && { manager: left('persons', manager) }),
    redacted_fields: listed,
  };
}

/** No hidden value shows anywhere, and no row has a hidden field. */
function judgeAnswer(
  t: TestContext,
  answer: Answer,
  rows: readonly EmployeeRow[],
  hidden: readonly string[],
  values: readonly string[],
  listed: readonly string[],
): void {
  t.check(!values.some((value) => answer.text.includes(value)), 'a hidden value shows', answer);
  for (const row of rows) {
    t.equal(row.redacted_fields, listed, `redacted_fields of ${row.id}`, answer);
    const shown = hidden.find((key) => shownAt(row, key) !== undefined);
    t.check(shown === undefined, `${row.id} has ${shown}`, answer);
    const isNamed = hidden.includes(FULL_NAME) && row.manager?.full_name !== undefined;
    t.check(!isNamed, `${row.id} has the name of the manager`, answer);
  }
}

/** Hides the field from one owner and from nobody else: the list and the single read differ in nothing but this. */
const hides = (key: string, owner: HidingOwner) => async (t: TestContext) => {
  const [id, full, api] = [t.fixture(owner.fixture), t.asAny('full'), t.as(owner.key)];
  const hidden = [...owner.hidden, ...(owner.hidden.some((one) => PARTS.includes(one)) ? [FULL_NAME] : [])];
  const open = await full.employee(id, { expand: everything });
  t.equal(open.redacted_fields, [], 'what is hidden from full');
  const value = t.present(shownAt(open, key), `${key} was asked for and did not come`);
  if (value === '') t.untested('no_such_data', `the fixture ${owner.fixture} has no value in ${key}`);
  const names = hidden.includes(FULL_NAME) ? [open.manager?.full_name] : [];
  const values = [...hidden.filter((one) => !COMMON.includes(one)).map((one) => shownAt(open, one)), ...names];
  const secret = values.filter((value) => value !== undefined && value !== '').map(String);
  for (const expand of [[], ['person'], ['manager'], everything]) {
    const listed = listedFor(hidden, expand);
    const wanted = redacted(await full.employee(id, { expand }), hidden, listed);
    const single = await api.get(`/employees/${id}`, { expand });
    const { employee } = single.ok('getEmployee');
    judgeAnswer(t, single, [employee], hidden, secret, listed);
    t.equal(employee, wanted, `the card with expand=${expand.join()} as ${owner.key} sees it`, single);
    const page = await api.employees({ department_id: open.department_id, limit: 1000, expand });
    judgeAnswer(t, page.answer, page.rows, hidden, secret, listed);
    t.equal(
      page.rows.find((row) => row.id === id),
      employee,
      `the row with expand=${expand.join()}`,
      page.answer,
    );
  }
};

for (const { key, id, owner } of hiddenFields) {
  rule({
    id,
    text: `Who may not see ${key} gets every answer without it and otherwise as others do; redacted_fields, sorted, lists it where it was asked for, whatever the row.`,
    place: 'listEmployees, getEmployee: redacted_fields',
    decisions: ['D-31'],
    family: 'each field that can be hidden',
    runs: 'quiet',
    check: owner ? hides(key, owner) : unable('no key of a profile hides it'),
  });
}

rule({
  id: 'RED-12',
  text: 'Filters, totals and order do not reveal rows that the owner may not see.',
  place: 'listEmployees',
  decisions: ['D-13', 'D-31'],
  runs: 'quiet',
  check: async (t, full) => {
    const restricted = t.as('restricted_owner');
    const hidden = await full.employee(t.fixture('employee_hidden_from_restricted_id'));
    const { update_time, department_id, status } = hidden;
    const ofDepartment = department_id === '' ? [] : [{ department_id }];
    for (const query of [{ updated_since: update_time, status }, ...ofDepartment, {}]) {
      const rows = await restricted.walk('listEmployees', { ...query, limit: 1000 });
      t.check(!idsOf(rows).includes(hidden.id), `a filter shows the hidden employee (${Object.keys(query).join()})`);
      const page = await restricted.employees({ ...query, limit: 1, include_total: true });
      if (rows.length < t.values.total_count_exact_up_to)
        t.equal(page.total, String(rows.length), 'total_count counts hidden rows', page.answer);
    }
    const nobody = await t.as('no_employee_owner').employees({ include_total: true });
    t.equal(
      [nobody.rows.length, nobody.total, nobody.token],
      [0, '0', ''],
      'the list of an owner who sees nobody',
      nobody.answer,
    );
  },
});
