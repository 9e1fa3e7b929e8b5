/** The rows behind employees: those of a page, and the objects that `expand` asks for, in at most four queries. */
import type { Inputs } from '../../generated/handlers.ts';
import type { Caller } from '../access/caller.ts';
import type { DepartmentRow } from '../data/collections/departments.ts';
import type { EmployeeRow } from '../data/collections/employees.ts';
import type { PersonRow } from '../data/collections/persons.ts';
import { Layout, type LayoutField, type RawRow } from '../data/raw-row.ts';

export type Expansion = NonNullable<Inputs['getEmployee']['query']['expand']>[number];

const fieldsOf =
  <Row>() =>
  <Field extends keyof Row & string>(...fields: Field[]) =>
    new Layout(fields);

/** What an answer shows of an employee's row, and whom it names. */
export const employeeLayout = fieldsOf<EmployeeRow>()(
  'person_id',
  'status',
  'organization_id',
  'department_id',
  'job_title_id',
  'manager_id',
  'location_id',
  'employee_number',
  'start_date',
  'end_date',
  'work_email',
  'create_time',
  'update_time',
);
/** What an answer shows of a person; the full name is made of the three name parts. */
export const personLayout = fieldsOf<PersonRow>()(
  'first_name',
  'last_name',
  'middle_name',
  'birth_date',
  'iin',
  'personal_email',
  'phone',
);
export const titledLayout = fieldsOf<DepartmentRow>()('title');
export const managerLayout = fieldsOf<EmployeeRow>()('person_id');

type ExpandedRow<Of> = RawRow<LayoutField<Of>>;
export type RawEmployee = ExpandedRow<typeof employeeLayout>;
export type RawPerson = ExpandedRow<typeof personLayout>;
export type RawTitled = ExpandedRow<typeof titledLayout>;

/** A manager with its person. */
export interface ManagerRows {
  readonly manager: ExpandedRow<typeof managerLayout>;
  readonly person: RawPerson;
}

interface RelatedRow {
  readonly person: RawPerson;
  readonly department: RawTitled;
  readonly job_title: RawTitled;
  readonly manager: ManagerRows;
}

/** Related rows by id; a map is absent if its expansion was not requested. */
export type Expansions = { readonly [Name in Expansion]?: ReadonlyMap<string, RelatedRow[Name]> };

/** Reads what the page's rows need; persons of the rows and of their managers come in one query. */
export async function expansionsOf(
  caller: Caller,
  rows: readonly RawEmployee[],
  expand: readonly Expansion[] | undefined,
): Promise<Expansions> {
  if (expand === undefined || expand.length === 0 || rows.length === 0) return noneOf(expand);
  const asked = new Set(expand);
  const ids = (field: 'department_id' | 'job_title_id' | 'manager_id' | 'person_id') =>
    rows.map((row) => row.text(field));
  const [department, job_title, managers] = await Promise.all([
    asked.has('department') ? caller.inTenant('departments').byId(ids('department_id'), titledLayout) : undefined,
    asked.has('job_title') ? caller.inTenant('job_titles').byId(ids('job_title_id'), titledLayout) : undefined,
    asked.has('manager') ? caller.inTenant('employees').byId(ids('manager_id'), managerLayout) : undefined,
  ]);
  const personIds = asked.has('person') ? ids('person_id') : [];
  for (const manager of managers?.values() ?? []) personIds.push(manager.text('person_id'));
  const persons = await caller.inTenant('persons').byId(personIds, personLayout);
  return {
    ...(asked.has('person') ? { person: persons } : {}),
    ...(department === undefined ? {} : { department }),
    ...(job_title === undefined ? {} : { job_title }),
    ...(managers === undefined ? {} : { manager: withPersons(managers, persons) }),
  };
}

function noneOf(expand: readonly Expansion[] | undefined): Expansions {
  const none = new Map<string, never>();
  return {
    ...(expand?.includes('person') ? { person: none } : {}),
    ...(expand?.includes('manager') ? { manager: none } : {}),
  };
}

function withPersons(
  managers: ReadonlyMap<string, ManagerRows['manager']>,
  persons: ReadonlyMap<string, RawPerson>,
): Map<string, ManagerRows> {
  const found = new Map<string, ManagerRows>();
  for (const [id, manager] of managers) {
    const person = persons.get(manager.text('person_id'));
    if (person !== undefined) found.set(id, { manager, person });
  }
  return found;
}
