import type { TestContext } from '../engine/test-context.ts';
import type { EmployeeRow } from '../http/api.ts';
import type { KeyName } from '../profile/schema.ts';
import { rule, rulesWith } from './rule.ts';
import { deleteEmployees, idsOf, madeEmployees, newKey, updateEmployees, whileBodyArrives } from './shared/calls.ts';
import { employee, ext, KEDO, Load, mark, send, skippedBatch } from './shared/ingest-calls.ts';

rule({
  id: 'SCOPE-24',
  text: 'When the owner’s permissions narrow, the very next request of the key sees less; when they widen, more.',
  place: 'listEmployees, getEmployee',
  decisions: ['D-31'],
  holds: ['narrowable'],
  check: async (t) => {
    const key = t.as('narrowable');
    const somebody = t.fixture('employee_id');
    const query = { limit: 5, expand: ['person'] };
    await t.admin('restore_owner');
    const before = await key.employees(query);
    t.check(before.rows.length === 5, 'the owner should see everybody before', before.answer);
    t.check(before.token !== '', 'there should be a second page', before.answer);
    try {
      await t.admin('narrow_owner');
      (await key.get(`/employees/${somebody}`)).fails('EMPLOYEE_NOT_FOUND', 'the first request after narrowing');
      const after = await key.employees(query);
      t.check(
        after.rows.length <= 1,
        `the owner should see only himself, the list has ${after.rows.length}`,
        after.answer,
      );
      for (const { redacted_fields } of after.rows) {
        t.check(redacted_fields.includes('persons.iin'), 'persons.iin should be hidden now', after.answer);
      }
      const next = await key.employees({ ...query, page_token: before.token });
      t.check(next.rows.length <= 1, 'a token from before shows rows that are now hidden', next.answer);
    } finally {
      await t.admin('restore_owner');
    }
    await key.employee(somebody);
    const restored = await key.employees(query);
    t.check(
      restored.rows.length === 5 && restored.rows.every(({ person }) => person?.iin !== undefined),
      'the next request should see all again',
      restored.answer,
    );
  },
});

rule({
  id: 'SCOPE-34',
  text: 'An owner who is no super-administrator any more loses ingest:write with the very next request, and with one whose body is still under way, and nothing else; with the role it comes back.',
  place: 'ingestRecords',
  decisions: ['D-31'],
  holds: ['narrowable'],
  check: async (t) => {
    const key = t.as('narrowable');
    (await send(t, key, KEDO, skippedBatch())).ok('ingestRecords', 'while the owner is a super-administrator');
    const unused = newKey(t);
    try {
      const headers = { 'Idempotency-Key': newKey(t) };
      const demote = () => t.admin('demote_owner');
      const late = await whileBodyArrives(t, demote, (halfway) =>
        key.post(`/ingest/${KEDO}`, skippedBatch(), { headers, halfway }),
      );
      late.fails('SCOPE_INSUFFICIENT', 'a body that ended after the owner lost the role');
      const refused = await send(t, key, KEDO, skippedBatch(), unused);
      refused.fails('SCOPE_INSUFFICIENT', 'the first request after the owner lost the role');
      await key.employees({ limit: 1 });
    } finally {
      await t.admin('promote_owner');
    }
    (await send(t, key, KEDO, skippedBatch(), unused)).ok('ingestRecords', 'after the owner got the role back');
  },
});

const changingRule = rulesWith({ place: 'listEmployees, getEmployee', decisions: ['D-31'], runs: 'changing' });

type Place = Pick<EmployeeRow, 'id' | 'department_id'>;

/**
 * The key's owner must see or not see an employee everywhere: under a filter, by id, in the whole list, and in the
 * total.
 */
async function sees(t: TestContext, key: KeyName, { id, department_id }: Place, whether: boolean, when: string) {
  const api = t.as(key);
  const which = whether ? 'not there' : 'there';
  const filtered = await api.employees({ department_id, limit: 1000, include_total: true });
  t.check(
    idsOf(filtered.rows).includes(id) === whether,
    `${when}: the employee is ${which} among those of the department`,
    filtered.answer,
  );
  if (filtered.rows.length < t.values.total_count_exact_up_to)
    t.equal(filtered.total, String(filtered.rows.length), `${when}: the total of the department`, filtered.answer);
  const single = await api.get(`/employees/${id}`);
  if (whether) single.ok('getEmployee', `${when}: by id`);
  else single.fails('EMPLOYEE_NOT_FOUND', `${when}: by id`);
  const rows = await api.walk('listEmployees');
  t.check(idsOf(rows).includes(id) === whether, `${when}: the employee is ${which} in the list`);
}

/** An employee of the department, as `full` sees him. */
async function somebodyIn(t: TestContext, fixture: 'department_bottom_id' | 'department_other_id'): Promise<Place> {
  const { rows } = await t.as('full').employees({ department_id: t.fixture(fixture), limit: 1 });
  return rows[0] ?? t.untested('no_such_data', `nobody is in the fixture ${fixture}`);
}

changingRule({
  id: 'SCOPE-30',
  text: 'An owner who is limited to a department sees the employees of all departments below it, at any depth, and nobody else.',
  runs: 'quiet',
  check: async (t) => {
    const inside = await somebodyIn(t, 'department_bottom_id');
    await sees(t, 'department_owner', inside, true, 'two levels below the department');
    const outside = await somebodyIn(t, 'department_other_id');
    await sees(t, 'department_owner', outside, false, 'in a department elsewhere');
  },
});

changingRule({
  id: 'SCOPE-31',
  text: 'When a department moves in the settings, the very next request of an owner who is limited to one above it shows it, in the departments below too.',
  check: async (t) => {
    const department_id = t.fixture('department_middle_id');
    const inside = await somebodyIn(t, 'department_bottom_id');
    const below = (fixture: 'department_top_id' | 'department_other_id') =>
      t.admin('move_department', { department_id, parent_id: t.fixture(fixture) });
    await sees(t, 'department_owner', inside, true, 'before the move');
    try {
      await below('department_other_id');
      await sees(t, 'department_owner', inside, false, 'after the department above the employee’s moved elsewhere');
    } finally {
      await below('department_top_id');
    }
    await sees(t, 'department_owner', inside, true, 'after it moved back');
  },
});

changingRule({
  id: 'SCOPE-32',
  text: 'When a batch moves a department, or clears its parent, the first request after it was applied of an owner who is limited to one above it shows it, in the departments below too.',
  place: 'ingestRecords, listEmployees, getEmployee',
  decisions: ['D-29', 'D-31'],
  check: async (t) => {
    const load = new Load(t);
    const [away, middle, bottom] = [ext(t, 'tree-away'), ext(t, 'tree-middle'), ext(t, 'tree-bottom')];
    const department = (external_id: string, external_parent_id: string) => ({
      external_id,
      title: 'Проба дерева',
      external_parent_id,
    });
    const move = async (parent: string) => {
      await load.update('DEPARTMENTS', [department(middle, parent)]);
      await load.settled();
    };
    await load.make('DEPARTMENTS', [department(away, ''), department(middle, away), department(bottom, middle)]);
    await load.people('tree');
    const number = mark(t, 'number');
    await load.make('EMPLOYEES', [employee(t, 'tree', 'tree', number, { external_department_id: bottom })]);
    const card = await load.card(number);
    await sees(t, 'department_owner', card, false, 'before the batch');
    try {
      await move(t.fixture('department_top_external_id'));
      await sees(t, 'department_owner', card, true, 'after a batch moved the department above the employee’s');
      await move('');
      await sees(t, 'department_owner', card, false, 'after a batch cleared its parent');
    } finally {
      // A failure must show the exchange that failed, not the clean-up.
      const { last } = t;
      await move(away);
      t.last = last;
    }
    await sees(t, 'department_owner', card, false, 'after a batch moved it elsewhere again');
  },
});

/** Makes an employee of the department under a manager. */
async function madeUnder(t: TestContext, manager_id: string, fixture: 'department_id' | 'department_other_id') {
  const [card] = await madeEmployees(t, [{ department_id: t.fixture(fixture), manager_id }]);
  return card as EmployeeRow;
}

changingRule({
  id: 'SCOPE-33',
  text: 'When an employee gets another manager, the very next request of an owner who sees his reports shows it.',
  check: async (t) => {
    const [mine, other] = [t.fixture('reports_owner_employee_id'), t.fixture('owner_employee_id')];
    const card = await madeUnder(t, other, 'department_id');
    const under = (manager_id: string) => updateEmployees(t, 'manager', [[card.id, { manager_id }]]);
    try {
      await sees(t, 'reports_owner', card, false, 'while another one is the manager');
      await under(mine);
      await sees(t, 'reports_owner', card, true, 'after the owner became the manager');
      await under(other);
      await sees(t, 'reports_owner', card, false, 'after another one became the manager');
    } finally {
      await deleteEmployees(t, [card.id]);
    }
  },
});

changingRule({
  id: 'SCOPE-35',
  text: 'An owner who is limited to a department does not see who reports to him from another department.',
  check: async (t) => {
    const card = await madeUnder(t, t.fixture('restricted_owner_employee_id'), 'department_other_id');
    try {
      await sees(t, 'restricted_owner', card, false, 'as a manager whom the profile shows no reports');
    } finally {
      await deleteEmployees(t, [card.id]);
    }
  },
});
