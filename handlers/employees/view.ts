/**
 * Employee rows as the contract shows them: with expansions, and without hidden fields, which are named (D-2, D-31).
 */
import type { Employee, ManagerRef, Person } from '../../generated/client/types.gen.ts';
import type { EmployeeRow } from '../data/store.ts';
import type { Seen } from '../data/ways.ts';
import { type Expansions, type PersonFields, personFields } from './expansions.ts';

/** The part of the caller that decides the redaction. */
interface Viewer {
  readonly hidden: ReadonlySet<string>;
}

/**
 * The rows as employees. The redaction depends on the owner and on the requested objects, never on the content of a
 * row, so it is computed once for all rows.
 */
export function employeeViews(
  { hidden }: Viewer,
  rows: readonly Seen<EmployeeRow>[],
  expansions: Expansions,
): Employee[] {
  const redacted = redactedFields(hidden, expansions);
  const showWorkEmail = !hidden.has('employees.work_email');
  return rows.map((row) => {
    const view: Employee = {
      id: row._id,
      status: row.status as Employee['status'],
      organization_id: row.organization_id,
      department_id: row.department_id,
      job_title_id: row.job_title_id,
      manager_id: row.manager_id,
      location_id: row.location_id,
      employee_number: row.employee_number,
      start_date: row.start_date,
      end_date: row.status === 'EMPLOYEE_STATUS_TERMINATED' ? row.end_date : '',
      create_time: row.create_time.toISOString(),
      update_time: row.update_time.toISOString(),
      redacted_fields: redacted,
    };
    if (showWorkEmail) view.work_email = row.work_email;
    expand(view, row, expansions, hidden);
    return view;
  });
}

function expand(view: Employee, row: Seen<EmployeeRow>, expansions: Expansions, hidden: ReadonlySet<string>): void {
  const department = expansions.departments?.get(row.department_id);
  if (department !== undefined) view.department = { id: row.department_id, title: department.title };
  const jobTitle = expansions.jobTitles?.get(row.job_title_id);
  if (jobTitle !== undefined) view.job_title = { id: row.job_title_id, title: jobTitle.title };
  const manager = expansions.managers?.get(row.manager_id);
  if (manager !== undefined) view.manager = managerView(row.manager_id, manager, hidden);
  const person = expansions.persons?.get(row.person_id);
  if (person !== undefined) view.person = personView(person, hidden);
}

function managerView(id: string, person: PersonFields, hidden: ReadonlySet<string>): ManagerRef {
  return hidden.has('persons.full_name') ? { id } : { id, full_name: fullName(person) };
}

function personView(row: PersonFields, hidden: ReadonlySet<string>): Person {
  const view: Person = {};
  for (const field of personFields) if (!hidden.has(`persons.${field}`)) view[field] = row[field];
  if (!hidden.has('persons.full_name')) view.full_name = fullName(row);
  return view;
}

/** Family name, given name, patronymic: the usual order of such lists in Kazakhstan. */
export function fullName(person: Pick<PersonFields, 'first_name' | 'last_name' | 'middle_name'>): string {
  return [person.last_name, person.first_name, person.middle_name].filter((part) => part !== '').join(' ');
}

/** The hidden keys of the requested objects, sorted. */
function redactedFields(hidden: ReadonlySet<string>, { persons, managers }: Expansions): string[] {
  const listed = (key: string) =>
    key.startsWith('employees.') ||
    (persons !== undefined && key.startsWith('persons.')) ||
    (managers !== undefined && key === 'persons.full_name');
  return [...hidden].filter(listed).sort();
}
