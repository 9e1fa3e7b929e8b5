import type { TestContext } from '../engine/test-context.ts';
import type { KeyName } from '../profile/schema.ts';
import { rule } from './rule.ts';
import { idsOf, unique } from './shared/calls.ts';

const everything = ['person', 'department', 'job_title', 'manager'];
const HIDDEN = ['employees.work_email', 'persons.iin', 'persons.phone'];

rule({
  id: 'RED-1',
  level: 'MUST',
  text: 'An owner who may not see the IIN gets an answer without it, and redacted_fields lists persons.iin.',
  place: 'listEmployees, getEmployee',
  needs: { keys: ['restricted_owner'], fixtures: ['employee_id'] },
  check: async (t) => {
    const employee = await t.as('restricted_owner').employee(t.fixture('employee_id'), { expand: 'person' });
    t.check(!('iin' in t.present(employee.person, 'expand=person gave no person')), 'iin is there');
    t.check(employee.redacted_fields.includes('persons.iin'), 'persons.iin is not listed');
  },
});

rule({
  id: 'RED-2',
  level: 'MUST',
  text: 'An owner who may see the IIN gets it, and redacted_fields does not list it.',
  place: 'listEmployees, getEmployee',
  needs: { fixtures: ['employee_id'] },
  check: async (t) => {
    const employee = await t.as('full').employee(t.fixture('employee_id'), { expand: 'person' });
    t.check((employee.person?.iin ?? '') !== '', 'iin is absent or empty');
    t.check(!employee.redacted_fields.includes('persons.iin'), 'persons.iin is listed as hidden');
  },
});

rule({
  id: 'RED-6',
  level: 'MUST',
  text: 'The list and the read of one employee hide the same fields.',
  place: 'listEmployees, getEmployee',
  needs: { keys: ['restricted_owner'], fixtures: ['employee_id'] },
  check: async (t) => {
    const restricted = t.as('restricted_owner', { spread: true });
    const page = await restricted.employees({ limit: 10, expand: everything });
    t.check(page.rows.length > 0, 'the restricted owner sees nobody', page.answer);
    for (const row of page.rows) {
      t.equal(await restricted.employee(row.id, { expand: everything }), row, `${row.id} alone and in the list`);
    }
  },
});

rule({
  id: 'RED-7',
  level: 'MUST',
  text: 'A hidden value is nowhere in the answer, whichever expansions the request asks for.',
  place: 'listEmployees, getEmployee',
  needs: { keys: ['restricted_owner'], fixtures: ['employee_id'] },
  check: async (t) => {
    const id = t.fixture('employee_id');
    const open = await t.as('full').employee(id, { expand: everything });
    const values = [open.person?.iin, open.person?.phone, open.work_email].filter(
      (value) => value !== undefined && value !== '',
    ) as string[];
    t.equal(values.length, HIDDEN.length, 'how many values of the fixture employee_id are hidden from the other owner');
    const restricted = t.as('restricted_owner');
    for (const expand of [[], ...everything.map((name) => [name]), everything]) {
      for (const answer of [
        await restricted.get(`/employees/${id}`, { expand }),
        await restricted.get('/employees', { expand, limit: 1000 }),
      ]) {
        const shown = values.find((value) => answer.text.includes(value));
        t.check(shown === undefined, `a hidden value shows with expand=${expand.join()}`, answer);
      }
    }
  },
});

rule({
  id: 'RED-9',
  level: 'MUST',
  text: 'redacted_fields depends on the owner’s permissions and on what the request asks for, not on the row.',
  place: 'Employee: redacted_fields',
  decisions: ['D-31'],
  needs: { keys: ['restricted_owner'] },
  check: async (t) => {
    const rows = await t.as('restricted_owner').walk('listEmployees', { limit: 1000, expand: everything });
    t.check(rows.length > 1, 'the restricted owner sees fewer than two employees');
    const lists = unique(rows.map(({ redacted_fields }) => redacted_fields.join()));
    t.equal(lists.length, 1, 'different lists of hidden fields for one owner');
  },
});

rule({
  id: 'RED-10',
  level: 'MUST',
  text: 'The same employee read by owners with different rights differs in the hidden fields only.',
  place: 'listEmployees, getEmployee',
  needs: { keys: ['restricted_owner', 'second_owner'], fixtures: ['employee_common_id'] },
  runs: 'quiet',
  check: async (t) => {
    const id = t.fixture('employee_common_id');
    const open = await t.as('full').employee(id, { expand: everything });
    const flat = (employee: typeof open) => {
      const { person, redacted_fields: _listed, ...rest } = employee;
      const pairs = [
        ...Object.entries(rest).map(([k, v]) => [`employees.${k}`, v]),
        ...Object.entries(person ?? {}).map(([k, v]) => [`persons.${k}`, v]),
      ];
      return new Map(pairs as [string, unknown][]);
    };
    const all = flat(open);
    const lists: string[] = [];
    for (const name of ['restricted_owner', 'second_owner'] as const) {
      const seen = await t.as(name).employee(id, { expand: everything });
      const shown = flat(seen);
      t.check(seen.redacted_fields.length > 0, `${name} hides nothing`);
      lists.push(seen.redacted_fields.join());
      const missing = [...all.keys()].filter((key) => !shown.has(key)).sort();
      t.equal(missing, [...seen.redacted_fields].sort(), `the fields that ${name} does not see`);
      for (const [key, value] of shown) t.equal(value, all.get(key), `${key} as seen by ${name}`);
    }
    t.check(lists[0] !== lists[1], 'two owners with different rights hide the same');
  },
});

rule({
  id: 'RED-11',
  level: 'MUST',
  text: 'redacted_fields lists, sorted, only fields of objects that the request asks for.',
  place: 'Employee: redacted_fields',
  decisions: ['D-31'],
  needs: { keys: ['restricted_owner'], fixtures: ['employee_id'] },
  check: async (t) => {
    const restricted = t.as('restricted_owner');
    const id = t.fixture('employee_id');
    const listed = async (expand: string[]) => (await restricted.employee(id, { expand })).redacted_fields;
    t.equal(
      await listed([]),
      HIDDEN.filter((key) => key.startsWith('employees.')),
      'without expansion',
    );
    t.equal(
      await listed(['department']),
      HIDDEN.filter((key) => key.startsWith('employees.')),
      'with the department',
    );
    t.equal(await listed(['person']), HIDDEN, 'with the person');
  },
});

rule({
  id: 'RED-12',
  level: 'MUST',
  text: 'Filters, totals and order do not reveal rows that the owner may not see.',
  place: 'listEmployees',
  decisions: ['D-13', 'D-31'],
  needs: { keys: ['restricted_owner', 'no_employee_owner'], fixtures: ['employee_hidden_from_restricted_id'] },
  runs: 'quiet',
  check: async (t) => {
    const restricted = t.as('restricted_owner');
    const hidden = await t.as('full').employee(t.fixture('employee_hidden_from_restricted_id'));
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

const FULL_NAME = 'persons.full_name';

/**
 * The owner of the key may not see one part of names, or the full name. Wherever a name shows, the full name must be
 * absent, for it contains the part.
 */
const hidesNames = (key: KeyName, field: string) => async (t: TestContext) => {
  const id = t.fixture('employee_id');
  const open = await t.as('full').employee(id, { expand: everything });
  const person = t.present(open.person, 'expand=person gave no person');
  const names = [person.full_name, open.manager?.full_name].filter((name) => name !== undefined && name !== '');
  t.equal(names.length, 2, 'how many full names the card of the fixture employee_id shows to full');
  const hidden = [...new Set([field, FULL_NAME])].sort();
  const fields = Object.keys(person).filter((name) => !hidden.includes(`persons.${name}`));
  const api = t.as(key);
  const cases: [expand: string[], redacted: string[]][] = [
    [[], []],
    [['person'], hidden],
    [['manager'], [FULL_NAME]],
    [everything, hidden],
  ];
  for (const [expand, redacted] of cases) {
    const asked = expand.length === 0 ? 'without expansions' : `with expand=${expand.join()}`;
    const single = await api.get(`/employees/${id}`, { expand });
    const page = await api.employees({ department_id: open.department_id, limit: 1000, expand });
    t.check(idsOf(page.rows).includes(id), 'the employee is not among those of the department', page.answer);
    for (const answer of [single, page.answer]) {
      const leaks = names.some((name) => answer.text.includes(name as string));
      t.check(
        !leaks,
        `${asked} the full name of the person or of the manager shows to an owner without ${field}`,
        answer,
      );
    }
    for (const row of [single.ok('getEmployee').employee, ...page.rows]) {
      t.equal(row.redacted_fields, redacted, `redacted_fields ${asked}`);
      t.check(
        row.manager?.full_name === undefined,
        `${asked} a manager's full_name shows to an owner without ${field}`,
      );
      if (row.person) t.equal(Object.keys(row.person).sort(), fields.toSorted(), `the fields of a person ${asked}`);
    }
  }
};

rule({
  id: 'RED-13',
  level: 'MUST',
  text: 'Hiding first_name alone hides full_name too, of persons and of managers.',
  place: 'listEmployees, getEmployee',
  decisions: ['D-31'],
  needs: { keys: ['hides_first_name'], fixtures: ['employee_id'] },
  check: hidesNames('hides_first_name', 'persons.first_name'),
});

rule({
  id: 'RED-14',
  level: 'MUST',
  text: 'Hiding last_name alone hides full_name too, of persons and of managers.',
  place: 'listEmployees, getEmployee',
  decisions: ['D-31'],
  needs: { keys: ['hides_last_name'], fixtures: ['employee_id'] },
  check: hidesNames('hides_last_name', 'persons.last_name'),
});

rule({
  id: 'RED-15',
  level: 'MUST',
  text: 'Hiding middle_name alone hides full_name too, of persons and of managers.',
  place: 'listEmployees, getEmployee',
  decisions: ['D-31'],
  needs: { keys: ['hides_middle_name'], fixtures: ['employee_id'] },
  check: hidesNames('hides_middle_name', 'persons.middle_name'),
});

rule({
  id: 'RED-16',
  level: 'MUST',
  text: 'Hiding full_name alone leaves the parts of the name, and drops the manager’s full_name too.',
  place: 'listEmployees, getEmployee',
  decisions: ['D-31'],
  needs: { keys: ['hides_full_name'], fixtures: ['employee_id'] },
  check: hidesNames('hides_full_name', FULL_NAME),
});
