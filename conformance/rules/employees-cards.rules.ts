import { rule } from './rule.ts';
import { idsOf, UNKNOWN_ID } from './shared/calls.ts';

rule({
  id: 'EMP-44',
  text: 'A field without a value is in the answer, and is empty; the expansion of a manager whom an employee does not have is as the target declares.',
  place: 'Employee, ManagerRef',
  decisions: ['D-2'],
  check: async (t) => {
    const id = t.fixture('employee_without_manager_id');
    const employee = await t.as('full').employee(id, { expand: ['person', 'manager'] });
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
