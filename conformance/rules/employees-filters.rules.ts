import type { TestContext } from '../engine/test-context.ts';
import { rule } from './rule.ts';
import { idsOf, oddLimits, statuses, UNKNOWN_ID, unique } from './shared/calls.ts';

const sorted = (ids: readonly string[]) => [...ids].sort();

/** The statuses in a department, the most frequent first; at least two. */
async function statusesOf(t: TestContext, department: string): Promise<string[]> {
  const rows = await t.as('full').walk('listEmployees', { department_id: department, limit: 1000 });
  const found = unique(rows.map(({ status }): string => status));
  if (found.length < 2) t.untested('no_such_data', 'the fixture department_id has employees of one status only');
  const count = (status: string) => rows.filter((row) => row.status === status).length;
  return found.sort((a, b) => count(b) - count(a));
}

rule({
  id: 'EMP-1',
  level: 'MUST',
  text: 'The list of employees holds only employees of the key’s tenant.',
  place: 'listEmployees',
  needs: { keys: ['other_tenant'], fixtures: ['employee_other_tenant_id'] },
  check: async (t) => {
    const foreign = t.fixture('employee_other_tenant_id');
    const own = new Set(idsOf(await t.as('full').walk('listEmployees', { limit: 1000 })));
    t.check(!own.has(foreign), 'the list holds an employee of another tenant');
    const theirs = await t.as('other_tenant').walk('listEmployees', { limit: 1000 });
    t.check(theirs.length > 0, 'the other tenant lists nobody');
    t.check(
      theirs.every(({ id }) => !own.has(id)),
      'two tenants list the same employee',
    );
  },
});

rule({
  id: 'EMP-2',
  level: 'MUST',
  text: 'The list of employees is newest first, in one total order over all pages.',
  place: 'listEmployees',
  decisions: ['D-11'],
  check: async (t) => {
    let before: { id: string; create_time: string } | undefined;
    const full = t.as('full');
    await full.walk('listEmployees', { limit: 1000 }, (page) => {
      for (const row of page.rows) {
        const order = before === undefined ? 1 : before.create_time.localeCompare(row.create_time);
        t.check(order >= 0, `${row.id} is newer than ${before?.id}, which stands before it`, page.answer);
        const tie = order === 0 && t.values.page_order === 'create_time_desc_id_desc';
        t.check(
          !tie || (before?.id ?? '') > row.id,
          `${row.id} has the create_time of ${before?.id} and stands after it`,
          page.answer,
        );
        before = row;
      }
    });
  },
});

rule({
  id: 'EMP-3',
  level: 'MUST',
  text: 'Without limit a page has 100 employees.',
  place: 'listEmployees: limit',
  check: async (t) => {
    const page = await t.as('full').employees();
    if (page.rows.length < 100 && page.token === '')
      t.untested('no_such_data', 'the tenant has fewer than 100 employees');
    t.equal(page.rows.length, 100, 'rows of a page without limit', page.answer);
  },
});

rule({
  id: 'EMP-4',
  level: 'MUST',
  text: 'limit=1000 is accepted and honoured.',
  place: 'listEmployees: limit',
  check: async (t) => {
    const page = await t.as('full').employees({ limit: 1000 });
    if (page.rows.length < 1000 && page.token === '')
      t.untested('no_such_data', 'the tenant has fewer than 1000 employees');
    t.equal(page.rows.length, 1000, 'rows of a page of 1000', page.answer);
  },
});

rule({
  id: 'EMP-5',
  level: 'MUST',
  text: 'A limit above 1000 is treated as the target declares.',
  place: 'listEmployees: limit',
  decisions: ['D-9'],
  check: async (t) => {
    const full = t.as('full');
    for (const limit of ['1001', '5000', '2147483647']) {
      const answer = await full.get('/employees', { limit });
      if (t.values.limit_above_maximum === 'reject') {
        answer.fails('INVALID_ARGUMENT', `limit=${limit}`);
        continue;
      }
      const { employees, next_page_token } = answer.ok('listEmployees', `limit=${limit}`);
      t.check(
        employees.length === 1000 || (employees.length < 1000 && next_page_token === ''),
        `limit=${limit} gave ${employees.length} rows`,
        answer,
      );
    }
  },
});

rule({
  id: 'EMP-6',
  level: 'MUST',
  text: 'A limit that is no plain decimal integer from 1 to 2147483647, or is given twice, is INVALID_ARGUMENT.',
  place: 'listEmployees: limit',
  decisions: ['D-9', 'D-12'],
  check: async (t) => {
    const full = t.as('full', { spread: true });
    for (const query of oddLimits) {
      const answer = await full.get('/employees', query);
      answer.blames('limit', query);
    }
  },
});

rule({
  id: 'EMP-8',
  level: 'MUST',
  text: 'status filters exactly.',
  place: 'listEmployees: status',
  check: async (t) => {
    const full = t.as('full');
    let seen = 0;
    for (const status of statuses) {
      const page = await full.employees({ status, limit: 200 });
      if (page.rows.length > 0) seen++;
      t.equal(
        unique(page.rows.map((row) => row.status)).filter((other) => other !== status),
        [],
        `other statuses under ${status}`,
        page.answer,
      );
    }
    if (seen < 2) t.untested('no_such_data', 'the tenant has employees of one status only');
  },
});

rule({
  id: 'EMP-9',
  level: 'MUST',
  text: 'Repeated status values are a union.',
  place: 'listEmployees: status',
  decisions: ['D-12'],
  needs: { fixtures: ['department_id'] },
  runs: 'quiet',
  check: async (t) => {
    const full = t.as('full');
    const department_id = t.fixture('department_id');
    const [a = '', b = ''] = await statusesOf(t, department_id);
    const ids = async (status: string[]) =>
      idsOf(await full.walk('listEmployees', { status, department_id, limit: 1000 }));
    const apart = [...(await ids([a])), ...(await ids([b]))];
    t.check(apart.length > 0, 'nobody has either status');
    t.equal(sorted(await ids([a, b])), sorted(apart), 'the union of two statuses');
    if (t.values.duplicate_filter_values === 'reject')
      (await full.get('/employees', { status: [a, b, a] })).blames('status', 'a status given twice');
    else t.equal(sorted(await ids([a, b, a])), sorted(apart), 'the union with a status given twice');
  },
});

rule({
  id: 'EMP-10',
  level: 'MUST',
  text: 'An unknown status is INVALID_ARGUMENT.',
  place: 'listEmployees: status',
  check: async (t) => {
    for (const status of [
      'TERMINATED',
      'EMPLOYEE_STATUS_NOTHING',
      'employee_status_active',
      ' EMPLOYEE_STATUS_ACTIVE',
      '1',
      '__proto__',
      '*',
    ]) {
      (await t.as('full').get('/employees', { status })).blames('status', `status=${status}`);
      (await t.as('full').get('/employees', { status: [statuses[3] ?? '', status] })).blames(
        'status',
        `status=${status} as the second`,
      );
    }
  },
});

rule({
  id: 'EMP-11',
  level: 'MUST',
  text: 'The draft state is no value of the status filter.',
  place: 'listEmployees: status',
  check: async (t) => {
    for (const status of ['CREATED', 'EMPLOYEE_STATUS_CREATED', 'EMPLOYEE_STATUS_DELETED', 'EMPLOYEE_STATUS_DRAFT']) {
      (await t.as('full').get('/employees', { status })).blames('status', `status=${status}`);
    }
  },
});

rule({
  id: 'EMP-12',
  level: 'MUST',
  text: 'Values of a filter that are joined by a comma are one unknown value.',
  place: 'listEmployees: status, expand',
  check: async (t) => {
    const full = t.as('full');
    (await full.get('/employees', `status=${statuses[3]},${statuses[4]}`)).blames('status');
    (await full.get('/employees', `status=${statuses[3]}%2C${statuses[4]}`)).blames('status');
    (await full.get('/employees', 'expand=person,department')).blames('expand');
  },
});

rule({
  id: 'EMP-13',
  level: 'MUST',
  text: 'department_id filters exactly.',
  place: 'listEmployees: department_id',
  needs: { fixtures: ['department_id'] },
  runs: 'quiet',
  check: async (t) => {
    const department_id = t.fixture('department_id');
    const full = t.as('full', { spread: true });
    const rows = await full.walk('listEmployees', { department_id, limit: 1000 });
    t.check(rows.length > 0, 'nobody is in the department');
    const everybody = await full.walk('listEmployees', { limit: 1000 });
    const theirs = everybody.filter((row) => row.department_id === department_id);
    t.equal(
      sorted(idsOf(rows)),
      sorted(idsOf(theirs)),
      'the filtered list and who of all employees is in the department',
    );
    t.equal(unique(rows.map((row) => row.department_id)), [department_id], 'departments in the filtered list');
  },
});

rule({
  id: 'EMP-14',
  level: 'MUST',
  text: 'Repeated department_id values are a union.',
  place: 'listEmployees: department_id',
  needs: { fixtures: ['department_id', 'department_other_id'] },
  runs: 'quiet',
  check: async (t) => {
    const full = t.as('full');
    const [a, b] = [t.fixture('department_id'), t.fixture('department_other_id')];
    const ids = async (department_id: string[]) =>
      idsOf(await full.walk('listEmployees', { department_id, limit: 1000 }));
    const [ofA, ofB] = [await ids([a]), await ids([b])];
    t.check(ofA.length > 0 && ofB.length > 0, 'one of the two departments lists nobody');
    const apart = sorted([...ofA, ...ofB]);
    t.equal(sorted(await ids([a, b])), apart, 'the union of two departments');
    if (t.values.unknown_department_filter === 'reject') return;
    t.equal(sorted(await ids([a, b, UNKNOWN_ID])), apart, 'the union with an unknown one');
  },
});

rule({
  id: 'EMP-15',
  level: 'MUST',
  text: 'A department that does not exist, is another tenant’s, or is no id is treated as the target declares.',
  place: 'listEmployees: department_id',
  decisions: ['D-12'],
  needs: { fixtures: ['department_other_tenant_id'] },
  check: async (t) => {
    const full = t.as('full');
    for (const department_id of [
      UNKNOWN_ID,
      t.fixture('department_other_tenant_id'),
      'not-an-id',
      '{"$gt":""}',
      '[object Object]',
      '\u0000',
      'ключ',
    ]) {
      const answer = await full.get('/employees', { department_id });
      if (t.values.unknown_department_filter === 'reject') answer.blames('department_id', department_id);
      else
        t.equal(
          answer.ok('listEmployees', department_id).employees,
          [],
          `employees of ${JSON.stringify(department_id)}`,
          answer,
        );
    }
  },
});

rule({
  id: 'EMP-16',
  level: 'MUST',
  text: 'Different filters are an intersection.',
  place: 'listEmployees: status, department_id',
  needs: { fixtures: ['department_id'] },
  runs: 'quiet',
  check: async (t) => {
    const full = t.as('full');
    const department_id = t.fixture('department_id');
    const [status = ''] = await statusesOf(t, department_id);
    const all = await full.walk('listEmployees', { department_id, limit: 1000 });
    const both = await full.walk('listEmployees', { department_id, status, limit: 1000 });
    t.equal(idsOf(both), idsOf(all.filter((row) => row.status === status)), 'the intersection');
  },
});

rule({
  id: 'EMP-31',
  level: 'MUST',
  text: 'An unknown parameter, also in the forms with brackets and operators, is INVALID_ARGUMENT.',
  place: 'listEmployees',
  decisions: ['D-12'],
  check: async (t) => {
    const full = t.as('full', { spread: true });
    const id = t.profile.fixtures.employee_id ?? UNKNOWN_ID;
    for (const name of [
      'sort',
      'offset',
      'page',
      'q',
      'manager_id',
      'Status',
      'LIMIT',
      'status[]',
      'status[0]',
      'department_id[$ne]',
      'updated_since[gte]',
      'status.x',
      '%24where',
      '_id',
      'tenant_id',
      '__proto__',
      'constructor',
    ]) {
      const parameter = decodeURIComponent(name).replace(/[[.].*/, '');
      (await full.get('/employees', `${name}=x`)).blames(parameter, name);
      (await full.get(`/employees/${id}`, `${name}=x`)).blames(parameter, `${name} on one employee`);
    }
    (await full.get('/employees', 'limit%00=x')).fails('INVALID_ARGUMENT', 'a name with NUL');
    (await full.get(`/employees/${id}`, 'limit=5')).blames('limit', 'limit on one employee');
    (await full.get('/employees', '=x')).fails('INVALID_ARGUMENT', 'a parameter without a name');
  },
});

rule({
  id: 'EMP-32',
  level: 'MUST',
  text: 'There is no filter for external ids.',
  place: 'listEmployees',
  check: async (t) => {
    for (const name of ['external_id', 'externalId', 'external_ids']) {
      (await t.as('full').get('/employees', { [name]: 'x' })).blames(name);
    }
  },
});

rule({
  id: 'EMP-42',
  level: 'MUST',
  text: 'The placeholder EMPLOYEE_STATUS_UNSPECIFIED as a filter is treated as the target declares.',
  place: 'listEmployees: status',
  decisions: ['D-1'],
  check: async (t) => {
    const answer = await t.as('full').get('/employees', { status: 'EMPLOYEE_STATUS_UNSPECIFIED' });
    if (t.values.unspecified_status_filter === 'reject') answer.blames('status');
    else t.equal(answer.ok('listEmployees').employees, [], 'employees with the placeholder', answer);
  },
});

rule({
  id: 'EMP-56',
  level: 'MUST',
  text: 'More than 100 values of a parameter, or an empty value, are INVALID_ARGUMENT; a query beyond bounds is refused, never served.',
  place: 'listEmployees',
  decisions: ['D-12'],
  check: async (t) => {
    const full = t.as('full');
    const many = (n: number, value: (at: number) => string) => Array.from({ length: n }, (_, at) => value(at));
    const pad = (at: number) => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`;
    (await full.get('/employees', { department_id: many(100, pad) })).ok('listEmployees', '100 values');
    (await full.get('/employees', { department_id: many(101, pad) })).blames('department_id', '101 values');
    (await full.get('/employees', { status: many(101, () => statuses[3] ?? '') })).blames('status', '101 equal values');
    const refused = await full.get('/employees', { status: many(1200, () => statuses[3] ?? '') });
    t.check([400, 414, 431].includes(refused.status), `1200 values: expected a refusal, got ${refused.brief}`, refused);
    for (const name of ['status', 'department_id', 'updated_since', 'expand', 'include_total']) {
      (await full.get('/employees', `${name}=`)).blames(name, `${name}= empty`);
      (await full.get('/employees', name)).blames(name, `${name} without =`);
    }
    (await full.get('/employees', 'updated_since=2024-01-01T00:00:00Z&updated_since=2024-01-01T00:00:00Z')).blames(
      'updated_since',
      'twice',
    );
    for (const query of ['status=%zz', 'status=%', 'status=%E0%A4', 'department_id=%ff']) {
      const answer = await full.get('/employees', query);
      t.check(answer.status === 400, `${query}: expected 400, got ${answer.brief}`, answer);
    }
  },
});
