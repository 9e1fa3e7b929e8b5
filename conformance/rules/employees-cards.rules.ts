import type { TestContext } from '../engine/test-context.ts';
import { rule } from './rule.ts';
import { idsOf, UNKNOWN_ID } from './shared/calls.ts';

const everything = ['person', 'department', 'job_title', 'manager'];

const expansion = (name: 'department' | 'job_title' | 'manager') => async (t: TestContext) => {
  const full = t.as('full');
  const id = t.fixture('employee_id');
  const others = everything.filter((other) => other !== name);
  const [plain, only, rest] = [
    await full.employee(id),
    await full.employee(id, { expand: name }),
    await full.employee(id, { expand: others }),
  ];
  t.check(!(name in plain), `${name} came without being asked for`);
  t.check(!(name in rest), `${name} came with the other expansions`);
  const expanded = t.present(only[name], `${name} was asked for and did not come`);
  t.equal(expanded.id, plain[`${name}_id`], `the id of ${name}`);
  t.equal({ ...only, [name]: undefined }, { ...plain, [name]: undefined }, 'the other fields');
  const page = await full.employees({ limit: 50, expand: name });
  for (const row of page.rows) {
    const wanted = row[`${name}_id`] !== '';
    t.check((row[name] != null) === wanted, `${row.id}: ${name} is there exactly where there is one`, page.answer);
  }
};

rule({
  id: 'EMP-25',
  level: 'MUST',
  text: 'The answer has department if, and only if, the request asks for it.',
  place: 'listEmployees, getEmployee: expand',
  needs: { fixtures: ['employee_id'] },
  runs: 'quiet',
  check: expansion('department'),
});
rule({
  id: 'EMP-26',
  level: 'MUST',
  text: 'The answer has job_title if, and only if, the request asks for it.',
  place: 'listEmployees, getEmployee: expand',
  needs: { fixtures: ['employee_id'] },
  runs: 'quiet',
  check: expansion('job_title'),
});
rule({
  id: 'EMP-27',
  level: 'MUST',
  text: 'The answer has manager if, and only if, the request asks for it.',
  place: 'listEmployees, getEmployee: expand',
  needs: { fixtures: ['employee_id'] },
  runs: 'quiet',
  check: expansion('manager'),
});

rule({
  id: 'EMP-28',
  level: 'MUST',
  text: 'A request may repeat expand to ask for several expansions; a duplicate is treated as the target declares.',
  place: 'listEmployees, getEmployee: expand',
  decisions: ['D-12'],
  needs: { fixtures: ['employee_id'] },
  check: async (t) => {
    const full = t.as('full');
    const id = t.fixture('employee_id');
    const all = await full.employee(id, { expand: everything });
    for (const name of everything) t.check(name in all, `${name} is missing`);
    const answer = await full.get(`/employees/${id}`, { expand: ['person', 'department', 'person'] });
    if (t.values.duplicate_filter_values === 'reject') answer.blames('expand', 'a duplicate');
    else t.check('department' in answer.ok('getEmployee').employee, 'a duplicate hides the others', answer);
  },
});

rule({
  id: 'EMP-29',
  level: 'MUST',
  text: 'An unknown expansion is INVALID_ARGUMENT.',
  place: 'listEmployees, getEmployee: expand',
  needs: { fixtures: ['employee_id'] },
  check: async (t) => {
    const full = t.as('full');
    for (const expand of [
      'persons',
      'Person',
      'location',
      'organization',
      '*',
      'all',
      'redacted_fields',
      '__proto__',
      'toString',
    ]) {
      (await full.get('/employees', { expand })).blames('expand', `expand=${expand}`);
      (await full.get(`/employees/${t.fixture('employee_id')}`, { expand })).blames(
        'expand',
        `expand=${expand} on one`,
      );
    }
  },
});

rule({
  id: 'EMP-30',
  level: 'MUST',
  text: 'Expansions do not nest.',
  place: 'listEmployees, getEmployee: expand',
  check: async (t) => {
    for (const expand of [
      'person.iin',
      'manager.person',
      'manager.manager',
      'department.parent',
      'person/iin',
      'person[iin]',
    ]) {
      (await t.as('full').get('/employees', { expand })).blames('expand', `expand=${expand}`);
    }
  },
});

rule({
  id: 'EMP-33',
  level: 'MUST',
  text: 'total_count is absent unless asked for.',
  place: 'listEmployees: include_total',
  check: async (t) => {
    const full = t.as('full');
    for (const query of [{ limit: 1 }, { limit: 1, include_total: false }]) {
      const page = await full.employees(query);
      t.check(page.total === undefined, 'total_count came without being asked for', page.answer);
    }
  },
});

rule({
  id: 'EMP-34',
  level: 'MUST',
  text: 'With include_total=true total_count is a decimal string.',
  place: 'listEmployees: include_total',
  check: async (t) => {
    const page = await t.as('full').employees({ limit: 1, include_total: true });
    t.check(/^(0|[1-9]\d*)$/.test(page.total ?? ''), `total_count is ${String(page.total)}`, page.answer);
  },
});

rule({
  id: 'EMP-35',
  level: 'MUST',
  text: 'Up to the declared number total_count is exact.',
  place: 'listEmployees: include_total',
  decisions: ['D-13'],
  needs: { fixtures: ['department_id'] },
  runs: 'quiet',
  check: async (t) => {
    const department_id = t.fixture('department_id');
    for (const query of [
      { department_id },
      { department_id, status: 'EMPLOYEE_STATUS_ACTIVE' },
      { department_id: UNKNOWN_ID },
      { updated_since: '2000-01-01T00:00:00Z', department_id },
    ]) {
      const full = t.as('full');
      const rows = await full.walk('listEmployees', { ...query, limit: 1000 });
      const page = await full.employees({ ...query, limit: 1, include_total: true });
      t.check(rows.length <= t.values.total_count_exact_up_to, 'the fixture department is too large');
      t.equal(page.total, String(rows.length), `total_count of ${Object.keys(query).join(' and ')}`, page.answer);
    }
  },
});

rule({
  id: 'EMP-36',
  level: 'MUST',
  text: 'total_count depends on the filters, not on limit or page.',
  place: 'listEmployees: include_total',
  needs: { fixtures: ['department_id'] },
  runs: 'quiet',
  check: async (t) => {
    const full = t.as('full');
    const query = { department_id: t.fixture('department_id'), include_total: true };
    const first = await full.employees({ ...query, limit: 2 });
    t.check(first.token !== '', 'a department of five employees has one page of two', first.answer);
    const wanted = first.total;
    t.equal((await full.employees({ ...query, limit: 1000 })).total, wanted, 'total_count with another limit');
    const second = await full.employees({ ...query, limit: 2, page_token: first.token });
    t.equal(second.total, wanted, 'total_count on the second page', second.answer);
    const expanded = await full.employees({ ...query, limit: 2, expand: everything });
    t.equal(expanded.total, wanted, 'total_count with expansions', expanded.answer);
  },
});

rule({
  id: 'EMP-37',
  level: 'MUST',
  text: 'include_total is true or false; anything else is INVALID_ARGUMENT.',
  place: 'listEmployees: include_total',
  decisions: ['D-12'],
  check: async (t) => {
    for (const value of ['1', '0', 'TRUE', 'True', 'yes', 'on', 't', 'null', ' true', 'true ']) {
      (await t.as('full').get('/employees', { include_total: value })).blames(
        'include_total',
        `include_total=${value}`,
      );
    }
    (await t.as('full').get('/employees', 'include_total=true&include_total=true')).blames('include_total', 'twice');
  },
});

rule({
  id: 'EMP-38',
  level: 'MUST',
  text: 'Above the declared number total_count is an estimate within the declared tolerance.',
  place: 'listEmployees: include_total',
  decisions: ['D-13'],
  needs: { big: true },
  runs: 'quiet',
  check: async (t) => {
    const big = t.as(t.profile.fixtures.big?.key ?? 'full');
    const exactUpTo = t.values.total_count_exact_up_to;
    let estimates = 0;
    for (const query of [{}, { status: 'EMPLOYEE_STATUS_ACTIVE' }]) {
      const rows = await big.walk('listEmployees', { ...query, limit: 1000 });
      const { total, answer } = await big.employees({ ...query, limit: 1, include_total: true });
      if (rows.length <= exactUpTo) {
        t.equal(total, String(rows.length), 'a total that is not large', answer);
        continue;
      }
      estimates++;
      const off = Math.abs(Number(total) - rows.length) / rows.length;
      t.check(Number(total) >= exactUpTo, `the estimate ${total} is below ${exactUpTo}`, answer);
      t.check(
        off <= t.values.total_count_tolerance,
        `the estimate ${total} is ${(100 * off).toFixed(1)} % off ${rows.length}`,
        answer,
      );
    }
    if (estimates === 0) t.untested('no_such_data', `the fixture big has no more than ${exactUpTo} employees`);
  },
});

rule({
  id: 'EMP-39',
  level: 'MUST',
  text: 'Employees in draft are never shown, in lists or by id.',
  place: 'listEmployees, getEmployee',
  needs: { fixtures: ['employee_draft_id'] },
  check: async (t) => {
    const draft = t.fixture('employee_draft_id');
    const full = t.as('full');
    (await full.get(`/employees/${draft}`)).fails('EMPLOYEE_NOT_FOUND', 'a draft by id');
    t.check(!idsOf(await full.walk('listEmployees', { limit: 1000 })).includes(draft), 'a draft is in the list');
  },
});

rule({
  id: 'EMP-44',
  level: 'MUST',
  text: 'A field without a value is in the answer, and is empty.',
  place: 'Employee',
  decisions: ['D-2'],
  needs: { fixtures: ['employee_without_manager_id'] },
  check: async (t) => {
    const employee = await t.as('full').employee(t.fixture('employee_without_manager_id'), { expand: 'person' });
    for (const name of [
      'manager_id',
      'location_id',
      'employee_number',
      'start_date',
      'end_date',
      'work_email',
    ] as const) {
      t.equal(employee[name], '', `employee.${name}`);
    }
    const person = t.present(employee.person, 'expand=person gave no person');
    t.equal(person.middle_name, '', 'person.middle_name');
    t.equal(employee.redacted_fields, [], 'redacted_fields');
  },
});

rule({
  id: 'EMP-47',
  level: 'MUST',
  text: 'For an employee without a manager, the expansion of the manager is as the target declares.',
  place: 'ManagerRef',
  decisions: ['D-2'],
  needs: { fixtures: ['employee_without_manager_id'] },
  check: async (t) => {
    const employee = await t.as('full').employee(t.fixture('employee_without_manager_id'), { expand: 'manager' });
    if (t.values.absent_manager === 'absent') t.check(!('manager' in employee), 'manager is there');
    else t.equal((employee as { manager: unknown }).manager, null, 'manager');
  },
});

rule({
  id: 'EMP-48',
  level: 'MUST',
  text: 'One employee read by id equals the same employee in the list.',
  place: 'listEmployees, getEmployee',
  decisions: ['D-14'],
  runs: 'quiet',
  check: async (t) => {
    const full = t.as('full', { spread: true });
    for (const expand of [[], ['person'], everything]) {
      const page = await full.employees({ limit: 8, expand });
      t.check(page.rows.length > 0, 'the list is empty', page.answer);
      for (const row of page.rows)
        t.equal(await full.employee(row.id, { expand }), row, `${row.id} alone and in the list`);
    }
  },
});

rule({
  id: 'EMP-49',
  level: 'MUST',
  text: 'A deleted employee is 404 EMPLOYEE_NOT_FOUND.',
  place: 'getEmployee',
  needs: { fixtures: ['employee_deleted_id'] },
  check: async (t) =>
    void (await t.as('full').get(`/employees/${t.fixture('employee_deleted_id')}`)).fails('EMPLOYEE_NOT_FOUND'),
});
rule({
  id: 'EMP-50',
  level: 'MUST',
  text: 'An employee of another tenant is 404 EMPLOYEE_NOT_FOUND.',
  place: 'getEmployee',
  needs: { fixtures: ['employee_other_tenant_id'] },
  check: async (t) =>
    void (await t.as('full').get(`/employees/${t.fixture('employee_other_tenant_id')}`)).fails('EMPLOYEE_NOT_FOUND'),
});

rule({
  id: 'EMP-51',
  level: 'MUST',
  text: 'An unknown employee id is 404; one that is no UUID is treated as the target declares, however odd it is.',
  place: 'getEmployee',
  decisions: ['D-14'],
  check: async (t) => {
    const full = t.as('full', { spread: true });
    (await full.get(`/employees/${UNKNOWN_ID}`)).fails('EMPLOYEE_NOT_FOUND', 'an unknown id');
    const malformed = t.values.malformed_employee_id === 'invalid_argument' ? 'INVALID_ARGUMENT' : 'EMPLOYEE_NOT_FOUND';
    for (const id of [
      'x',
      '0',
      'null',
      'undefined',
      '%5Bobject%20Object%5D',
      `${UNKNOWN_ID}0`,
      UNKNOWN_ID.slice(1),
      `{${UNKNOWN_ID}}`,
      UNKNOWN_ID.replaceAll('-', ''),
      `urn:uuid:${UNKNOWN_ID}`,
      `${UNKNOWN_ID}.json`,
      '%F0%9F%98%80',
      '%7B%22%24gt%22%3A%22%22%7D',
      '*',
      '__proto__',
    ]) {
      (await full.get(`/employees/${id}`)).fails(malformed, id);
    }
    for (const id of [
      '%00',
      `${UNKNOWN_ID}%00`,
      '%zz',
      '..%2f..%2fdocuments',
      '%2e%2e',
      `${UNKNOWN_ID}%2f`,
      'a'.repeat(10_000),
      `${UNKNOWN_ID}%20`,
      `${UNKNOWN_ID};x=1`,
    ]) {
      const odd = ['%00', '%zz'].find((text) => id.includes(text));
      const inFront = odd !== undefined && { inFront: odd };
      (await full.get(`/employees/${id}`, {}, { ...inFront })).fails(
        ['INVALID_ARGUMENT', 'EMPLOYEE_NOT_FOUND', 'PATH_NOT_FOUND'],
        id.slice(0, 60),
      );
    }
  },
});

rule({
  id: 'EMP-54',
  level: 'MUST',
  text: 'An employee whom the owner may not see is 404, with the same body as one who does not exist.',
  place: 'getEmployee',
  decisions: ['D-5'],
  needs: {
    keys: ['restricted_owner'],
    fixtures: [
      'employee_hidden_from_restricted_id',
      'employee_other_tenant_id',
      'employee_deleted_id',
      'employee_draft_id',
    ],
  },
  check: async (t) => {
    const restricted = t.as('restricted_owner');
    const refusal = async (id: string) => {
      const answer = (await restricted.get(`/employees/${id}`)).fails('EMPLOYEE_NOT_FOUND');
      return answer.text.replaceAll(/"request_id":"[^"]*"/g, '');
    };
    const absent = await refusal(UNKNOWN_ID);
    for (const name of [
      'employee_hidden_from_restricted_id',
      'employee_other_tenant_id',
      'employee_deleted_id',
      'employee_draft_id',
    ] as const) {
      t.equal(await refusal(t.fixture(name)), absent, `the refusal for ${name}`);
    }
  },
});

rule({
  id: 'EMP-57',
  level: 'MUST',
  text: 'An employee id in upper case is treated as the target declares.',
  place: 'getEmployee',
  decisions: ['D-14'],
  needs: { fixtures: ['employee_id'] },
  check: async (t) => {
    const id = t.fixture('employee_id');
    const answer = await t.as('full').get(`/employees/${id.toUpperCase()}`);
    if (t.values.upper_case_id === 'understood')
      t.equal(answer.ok('getEmployee').employee.id, id, 'the id in the answer', answer);
    else answer.fails(['INVALID_ARGUMENT', 'EMPLOYEE_NOT_FOUND']);
  },
});
