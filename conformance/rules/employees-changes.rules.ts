import type { TestContext } from '../engine/test-context.ts';
import { rule } from './rule.ts';
import { applyChanges, deleteEmployees, draftAndOther } from './shared/calls.ts';

/** Applies changes; once in a rule, since each rule has one file. */
const apply = (t: TestContext, changes: readonly object[]) => applyChanges(t, 'all', changes);

/** A new employee of the fixture department; the caller deletes it again. */
async function created(t: TestContext): Promise<string> {
  const department_id = t.fixture('department_id');
  const employee_number = `C-${t.run.run_id}-${t.rule.id}`;
  const person = { first_name: 'Проверка', last_name: 'Соответствия' };
  await apply(t, [{ op: 'create', employee: { department_id, employee_number }, person }]);
  const page = await t.as('full').employees({ department_id, limit: 10 });
  const row = page.rows.find((one) => one.employee_number === employee_number);
  return t.present(row, 'the new employee is not among the newest of its department', page.answer).id;
}

rule({
  id: 'EMP-22',
  level: 'MUST',
  text: 'A change of an employee’s card moves update_time, and updated_since finds the employee.',
  place: 'listEmployees: updated_since',
  needs: { admin: ['apply_employee_changes'], fixtures: ['employee_id'] },
  runs: 'alone',
  check: async (t) => {
    const full = t.as('full');
    const id = t.fixture('employee_id');
    const before = await full.employee(id);
    const employee_number = `C-${t.run.run_id}`;
    await apply(t, [{ op: 'update', id, employee: { employee_number } }]);
    try {
      const after = await full.employee(id);
      t.equal(after.employee_number, employee_number, 'the changed field');
      t.check(after.update_time > before.update_time, 'update_time did not move');
      const updated_since = after.update_time;
      const found = await full.walk('listEmployees', { updated_since, limit: 1000 });
      t.check(
        found.some((row) => row.id === id),
        'the changed employee is not found by updated_since',
      );
      t.equal(
        { ...after, update_time: '', employee_number: '' },
        { ...before, update_time: '', employee_number: '' },
        'the other fields',
      );
    } finally {
      await apply(t, [{ op: 'update', id, employee: { employee_number: before.employee_number ?? '' } }]);
    }
  },
});

rule({
  id: 'EMP-23',
  level: 'MUST',
  text: 'A rename of a department or of a manager does not move update_time of the employees (of other related objects: ING-59).',
  place: 'listEmployees: updated_since',
  needs: { admin: ['rename_department', 'apply_employee_changes'], fixtures: ['department_id', 'employee_id'] },
  runs: 'alone',
  check: async (t) => {
    const full = t.as('full');
    const department_id = t.fixture('department_id');
    const query = { department_id, expand: 'department', limit: 100 };
    const before = await full.employees(query);
    const title = t.present(before.rows[0]?.department, 'nobody is in the department', before.answer).title;
    await t.admin('rename_department', { department_id, title: `${title} ${t.run.run_id}` });
    try {
      const after = await full.employees(query);
      t.equal(after.rows[0]?.department?.title, `${title} ${t.run.run_id}`, 'the title after the rename', after.answer);
      const times = (rows: typeof after.rows) => rows.map(({ id, update_time }) => `${id} ${update_time}`);
      t.equal(times(after.rows), times(before.rows), 'update_time of the employees', after.answer);
    } finally {
      await t.admin('rename_department', { department_id, title });
    }
    const managed = () => full.employee(t.fixture('employee_id'), { expand: 'manager' });
    const { manager_id, update_time } = await managed();
    const { person } = await full.employee(manager_id, { expand: 'person' });
    const middle_name = t.present(person, 'expand=person gave no person').middle_name;
    await apply(t, [{ op: 'update', id: manager_id, person: { middle_name: t.run.run_id } }]);
    try {
      const after = await managed();
      t.check(after.manager?.full_name?.includes(t.run.run_id) === true, 'the manager’s new name does not show');
      t.equal(after.update_time, update_time, 'update_time after the manager’s rename');
    } finally {
      await apply(t, [{ op: 'update', id: manager_id, person: { middle_name } }]);
    }
  },
});

rule({
  id: 'EMP-40',
  level: 'MUST',
  text: 'A deleted employee disappears at once from the list and from the read by id.',
  place: 'listEmployees, getEmployee',
  needs: { admin: ['apply_employee_changes'], fixtures: ['department_id'] },
  runs: 'alone',
  check: async (t) => {
    const full = t.as('full');
    const id = await created(t);
    await full.employee(id);
    await deleteEmployees(t, [id]);
    (await full.get(`/employees/${id}`)).fails('EMPLOYEE_NOT_FOUND', 'the first read after the deletion');
    const page = await full.employees({ department_id: t.fixture('department_id'), limit: 1000 });
    t.check(
      page.rows.every((row) => row.id !== id),
      'the deleted employee is in the list',
      page.answer,
    );
  },
});

rule({
  id: 'EMP-52',
  level: 'MUST',
  text: 'The id of an employee survives a change of everything else.',
  place: 'Employee',
  needs: { admin: ['apply_employee_changes'], fixtures: ['department_id'] },
  runs: 'alone',
  check: async (t) => {
    const full = t.as('full');
    const id = await created(t);
    try {
      const person = { first_name: 'Другое', last_name: 'Имя' };
      await apply(t, [
        {
          op: 'update',
          id,
          employee: { employee_number: `D-${t.run.run_id}`, status: 'EMPLOYEE_STATUS_LEAVE' },
          person,
        },
      ]);
      const after = await full.employee(id, { expand: 'person' });
      t.equal(
        [after.id, after.status, after.person?.first_name],
        [id, 'EMPLOYEE_STATUS_LEAVE', 'Другое'],
        'the changed employee',
      );
    } finally {
      await deleteEmployees(t, [id]);
    }
  },
});

rule({
  id: 'EMP-58',
  level: 'MUST',
  text: 'When a manager is deleted, the very next request shows his reports without one, also to an owner who sees only a part.',
  place: 'Employee: manager_id',
  decisions: ['D-2', 'D-31'],
  needs: {
    keys: ['department_owner'],
    admin: ['apply_employee_changes'],
    fixtures: ['department_bottom_id'],
  },
  runs: 'changing',
  check: async (t) => {
    const department_id = t.fixture('department_bottom_id');
    const numbers = ['manager', 'report'].map((who) => `C-${t.run.run_id}-${t.rule.id}-${who}`);
    const person = { first_name: 'Проверка', last_name: 'Подчинения' };
    const query = { department_id, expand: 'manager', limit: 1000 };
    await applyChanges(
      t,
      'make',
      numbers.map((employee_number) => ({ op: 'create', employee: { department_id, employee_number }, person })),
    );
    const page = await t.as('full').employees(query);
    const idOf = (number: string | undefined) => {
      const row = page.rows.find(({ employee_number }) => employee_number === number);
      return t.present(row, 'a new employee is not listed in its department', page.answer).id;
    };
    const [manager_id = '', report = ''] = numbers.map(idOf);
    let remaining = [manager_id, report];
    try {
      await applyChanges(t, 'manager', [{ op: 'update', id: report, employee: { manager_id } }]);
      t.equal((await t.as('full').employee(report)).manager_id, manager_id, 'manager_id before the deletion');
      await deleteEmployees(t, [manager_id]);
      remaining = [report];
      for (const key of ['department_owner', 'full'] as const) {
        const { rows, answer } = await t.as(key).employees(query);
        t.check(
          rows.every(({ id }) => id !== manager_id),
          `the deleted manager is listed to ${key}`,
          answer,
        );
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
  level: 'MUST',
  text: 'An employee in draft whose manager is deleted has none once it gets a first status.',
  place: 'Employee: manager_id',
  decisions: ['D-2'],
  needs: { admin: ['apply_employee_changes'], fixtures: ['department_id'] },
  runs: 'changing',
  check: async (t) => {
    const [draft, manager_id] = await draftAndOther(t);
    let remaining = [draft, manager_id];
    try {
      await applyChanges(t, 'manager', [{ op: 'update', id: draft, employee: { manager_id } }]);
      await deleteEmployees(t, [manager_id]);
      remaining = [draft];
      await applyChanges(t, 'hired', [{ op: 'update', id: draft, employee: { status: 'EMPLOYEE_STATUS_ACTIVE' } }]);
      t.equal((await t.as('full').employee(draft)).manager_id, '', 'manager_id after the draft was taken');
    } finally {
      await deleteEmployees(t, remaining);
    }
  },
});
