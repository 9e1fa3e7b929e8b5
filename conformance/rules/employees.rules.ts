import { rule } from './rule.ts';
import { applyChanges, deleteEmployees, idsOf, madeEmployees, UNKNOWN_ID, updateEmployees } from './shared/calls.ts';

rule({
  id: 'EMP-44',
  text: 'A field without a value is in the answer, and is empty; the expansion of a manager whom an employee does not have is as the target declares.',
  place: 'Employee, ManagerRef',
  decisions: ['D-2'],
  check: async (t, full) => {
    const id = t.fixture('employee_without_manager_id');
    const employee = await full.employee(id, { expand: ['person', 'manager'] });
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
    if (t.values.absent_manager === 'absent') t.check(!('manager' in employee), 'manager is there');
    else t.equal((employee as { manager: unknown }).manager, null, 'manager');
  },
});

rule({
  id: 'EMP-54',
  text: 'An employee who is deleted, in draft, of another tenant, or whom the owner may not see is 404, with the same body as one who does not exist, and is not listed.',
  place: 'getEmployee, listEmployees',
  decisions: ['D-5'],
  check: async (t) => {
    const gone = ['employee_deleted_id', 'employee_draft_id', 'employee_other_tenant_id'] as const;
    const hidden = [...gone, 'employee_hidden_from_restricted_id'] as const;
    for (const [key, names] of [
      ['full', gone],
      ['restricted_owner', hidden],
    ] as const) {
      const refusal = async (id: string) => {
        const answer = (await t.as(key).get(`/employees/${id}`)).fails('EMPLOYEE_NOT_FOUND');
        return answer.text.replaceAll(/"request_id":"[^"]*"/g, '');
      };
      const absent = await refusal(UNKNOWN_ID);
      for (const name of names) t.equal(await refusal(t.fixture(name)), absent, `the refusal for ${name} to ${key}`);
      const listed = idsOf(await t.asAny(key).walk('listEmployees'));
      const shown = names.filter((name) => listed.includes(t.fixture(name)));
      t.equal(shown, [], `who is listed to ${key} all the same`);
    }
  },
});

rule({
  id: 'EMP-23',
  text: 'A rename of a department or of a manager does not move update_time of the employees (of other related objects: ING-59).',
  place: 'listEmployees: updated_since',
  runs: 'alone',
  because: 'It renames what the rows of others show.',
  check: async (t, full) => {
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
  id: 'EMP-58',
  text: 'An employee who is deleted disappears at once from the list and from the read by id, and the very next request shows his reports without a manager, also to an owner who sees only a part.',
  decisions: ['D-2', 'D-31'],
  place: 'Employee: manager_id',
  runs: 'changing',
  check: async (t, full) => {
    const department_id = t.fixture('department_bottom_id');
    const query = { department_id, expand: 'manager', limit: 1000 };
    const [manager_id = '', report = ''] = idsOf(await madeEmployees(t, [{ department_id }, { department_id }]));
    let remaining = [manager_id, report];
    try {
      await updateEmployees(t, 'manager', [[report, { manager_id }]]);
      t.equal((await full.employee(report)).manager_id, manager_id, 'manager_id before the deletion');
      await deleteEmployees(t, [manager_id]);
      remaining = [report];
      for (const key of ['department_owner', 'full'] as const) {
        const { rows, answer } = await t.as(key).employees(query);
        t.check(!idsOf(rows).includes(manager_id), `the deleted manager is listed to ${key}`, answer);
        (await t.as(key).get(`/employees/${manager_id}`)).fails(
          'EMPLOYEE_NOT_FOUND',
          `the deleted manager, for ${key}`,
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
