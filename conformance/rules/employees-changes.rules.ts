import { rulesWith } from './rule.ts';
import { applyChanges, deleteEmployees, draftAndOther, idsOf, madeEmployees, updateEmployees } from './shared/calls.ts';

const rule = rulesWith({ place: 'Employee: manager_id', runs: 'changing' });

rule({
  id: 'EMP-23',
  text: 'A rename of a department or of a manager does not move update_time of the employees (of other related objects: ING-59).',
  place: 'listEmployees: updated_since',
  runs: 'alone',
  check: async (t) => {
    const full = t.as('full');
    const department_id = t.fixture('department_id');
    const query = { department_id, expand: 'department', limit: 100 };
    const before = await full.employees(query);
    const title = t.present(before.rows[0]?.department, 'nobody is in the department', before.answer).title;
    await t.admin('rename_department', { department_id, title: `${title} ${t.run_id}` });
    try {
      const after = await full.employees(query);
      t.equal(after.rows[0]?.department?.title, `${title} ${t.run_id}`, 'the title after the rename', after.answer);
      const times = (rows: typeof after.rows) => rows.map(({ id, update_time }) => `${id} ${update_time}`);
      t.equal(times(after.rows), times(before.rows), 'update_time of the employees', after.answer);
    } finally {
      await t.admin('rename_department', { department_id, title });
    }
    const managed = () => full.employee(t.fixture('employee_id'), { expand: 'manager' });
    const { manager_id, update_time } = await managed();
    const { person } = await full.employee(manager_id, { expand: 'person' });
    const middle_name = t.present(person, 'expand=person gave no person').middle_name;
    const renamed = (name = '') =>
      applyChanges(t, 'manager', [{ op: 'update', id: manager_id, person: { middle_name: name } }]);
    await renamed(t.run_id);
    try {
      const after = await managed();
      t.check(after.manager?.full_name?.includes(t.run_id) === true, 'the manager’s new name does not show');
      t.equal(after.update_time, update_time, 'update_time after the manager’s rename');
    } finally {
      await renamed(middle_name);
    }
  },
});

rule({
  id: 'EMP-40',
  text: 'A deleted employee disappears at once from the list and from the read by id.',
  place: 'listEmployees, getEmployee',
  check: async (t) => {
    const full = t.as('full');
    const department_id = t.fixture('department_id');
    const [id = ''] = idsOf(await madeEmployees(t, [{ department_id }]));
    await full.employee(id);
    await deleteEmployees(t, [id]);
    (await full.get(`/employees/${id}`)).fails('EMPLOYEE_NOT_FOUND', 'the first read after the deletion');
    const page = await full.employees({ department_id, limit: 1000 });
    t.check(!idsOf(page.rows).includes(id), 'the deleted employee is in the list', page.answer);
  },
});

rule({
  id: 'EMP-58',
  text: 'When a manager is deleted, the very next request shows his reports without one, also to an owner who sees only a part.',
  decisions: ['D-2', 'D-31'],
  check: async (t) => {
    const department_id = t.fixture('department_bottom_id');
    const query = { department_id, expand: 'manager', limit: 1000 };
    const [manager_id = '', report = ''] = idsOf(await madeEmployees(t, [{ department_id }, { department_id }]));
    let remaining = [manager_id, report];
    try {
      await updateEmployees(t, 'manager', [[report, { manager_id }]]);
      t.equal((await t.as('full').employee(report)).manager_id, manager_id, 'manager_id before the deletion');
      await deleteEmployees(t, [manager_id]);
      remaining = [report];
      for (const key of ['department_owner', 'full'] as const) {
        const { rows, answer } = await t.as(key).employees(query);
        t.check(!idsOf(rows).includes(manager_id), `the deleted manager is listed to ${key}`, answer);
        const listed = t.present(
          rows.find(({ id }) => id === report),
          `the report is not listed to ${key}`,
          answer,
        );
        const single = await t.as(key).employee(report, { expand: 'manager' });
        for (const row of [listed, single]) {
          t.equal(row.manager_id, '', `manager_id after the deletion, as seen by ${key}`);
          t.check((row.manager ?? null) === null, `the deleted manager is expanded for ${key}`);
        }
      }
    } finally {
      await deleteEmployees(t, remaining);
    }
  },
});

rule({
  id: 'EMP-62',
  text: 'An employee in draft whose manager is deleted has none once it gets a first status.',
  decisions: ['D-2'],
  check: async (t) => {
    const [draft, manager_id] = await draftAndOther(t);
    let remaining = [draft, manager_id];
    try {
      await updateEmployees(t, 'manager', [[draft, { manager_id }]]);
      await deleteEmployees(t, [manager_id]);
      remaining = [draft];
      await updateEmployees(t, 'hired', [[draft, { status: 'EMPLOYEE_STATUS_ACTIVE' }]]);
      t.equal((await t.as('full').employee(draft)).manager_id, '', 'manager_id after the draft was taken');
    } finally {
      await deleteEmployees(t, remaining);
    }
  },
});
