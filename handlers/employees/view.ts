/**
 * Employee rows as the contract shows them: with expansions, and without hidden fields, which are named (D-2, D-31).
 */
import type { DepartmentRef, Employee, JobTitleRef, ManagerRef, Person } from '../../generated/client/types.gen.ts';
import type { Inputs } from '../../generated/contract.ts';
import type { Caller } from '../access/caller.ts';
import { absent, constant, type JsonBytes, type JsonMember, objectOf, type Write } from '../answers/json-bytes.ts';
import type { DepartmentRow } from '../data/collections/departments.ts';
import { type EmployeeRow, employeeLife } from '../data/collections/employees.ts';
import { personLife } from '../data/collections/persons.ts';
import { fieldsMet } from '../data/field-life.ts';
import { Layout, type LayoutField, type RawRow } from '../data/raw-row.ts';

type Expansion = NonNullable<Inputs['getEmployee']['query']['expand']>[number];

/** What an answer shows of an employee's row, and whom it names. */
export const employeeLayout = new Layout([
  'person_id',
  ...fieldsMet(employeeLife, 'shown', 'filtered', 'hideable', 'of_others'),
]);
/** What an answer shows of a person; the full name is made of the three name parts. */
export const personLayout = new Layout(fieldsMet(personLife, 'hideable'));
const titledLayout = new Layout<'title' & keyof DepartmentRow>(['title']);
const managerLayout = new Layout<'person_id' & keyof EmployeeRow>(['person_id']);

type ExpandedRow<Of> = RawRow<LayoutField<Of>>;
type RawEmployee = ExpandedRow<typeof employeeLayout>;
type RawPerson = ExpandedRow<typeof personLayout>;
type RawTitled = ExpandedRow<typeof titledLayout>;

interface ManagerRows {
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
type Expansions = { readonly [Name in Expansion]?: ReadonlyMap<string, RelatedRow[Name]> };

/** Reads what the page's rows need; persons of the rows and of their managers come in one query. */
export async function expansionsOf(
  caller: Caller,
  rows: readonly RawEmployee[],
  expand: readonly Expansion[] | undefined,
): Promise<Expansions> {
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
    person: asked.has('person') ? persons : undefined,
    department,
    job_title,
    manager: managers && withPersons(managers, persons),
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

/** Makes what writes rows as employees. The redaction depends on the owner and the request, never on a row. */
export function employeeWriter({ hidden }: Pick<Caller, 'hidden'>, expansions: Expansions): Write<RawEmployee> {
  const row = employeeLayout;
  const text = (field: Parameters<typeof row.text>[0]) => (hidden.has(`employees.${field}`) ? absent : row.text(field));
  return objectOf<Employee, RawEmployee>({
    id: text('_id'),
    status: text('status'),
    organization_id: text('organization_id'),
    department_id: text('department_id'),
    job_title_id: text('job_title_id'),
    manager_id: text('manager_id'),
    location_id: text('location_id'),
    employee_number: text('employee_number'),
    start_date: row.day('start_date'),
    end_date: endDate,
    work_email: text('work_email'),
    create_time: row.instant('create_time'),
    update_time: row.instant('update_time'),
    department: related(expansions.department, 'department_id', () => titled),
    job_title: related(expansions.job_title, 'job_title_id', () => titled),
    manager: related(expansions.manager, 'manager_id', () => managerWriter(hidden)),
    person: related(expansions.person, 'person_id', () => personWriter(hidden)),
    redacted_fields: constant(redactedFields(hidden, expansions)),
  });
}

const SPACE = new TextEncoder().encode(' ');
const storedEndDate = employeeLayout.day('end_date');
const noEndDate = constant('');

/** Shown only while TERMINATED (D-29). */
const endDate: JsonMember<RawEmployee> = (row, out, name) =>
  (row.text('status') === 'EMPLOYEE_STATUS_TERMINATED' ? storedEndDate : noEndDate)(row, out, name);

/** The object whose id the row has; absent if it was not requested or does not exist. @param writer makes what writes it */
function related<Source>(
  sources: ReadonlyMap<string, Source> | undefined,
  field: 'department_id' | 'job_title_id' | 'manager_id' | 'person_id',
  writer: () => Write<Source>,
): JsonMember<RawEmployee> {
  if (sources === undefined) return absent;
  const write = writer();
  return (row, out, name) => {
    const source = sources.get(row.text(field));
    if (source === undefined) return;
    out.member(name);
    write(source, out);
  };
}

const titled = objectOf<DepartmentRef | JobTitleRef, RawTitled>({
  id: titledLayout.text('_id'),
  title: titledLayout.text('title'),
});

function managerWriter(hidden: ReadonlySet<string>): Write<ManagerRows> {
  const id = managerLayout.text('_id');
  return objectOf<ManagerRef, ManagerRows>({
    id: ({ manager }, out, name) => id(manager, out, name),
    full_name: hidden.has('persons.full_name') ? absent : ({ person }, out, name) => fullName(person, out, name),
  });
}

function personWriter(hidden: ReadonlySet<string>): Write<RawPerson> {
  const unlessHidden = (field: keyof Person, member: JsonMember<RawPerson>) =>
    hidden.has(`persons.${field}`) ? absent : member;
  const text = (field: Exclude<keyof Person, 'full_name'>) => unlessHidden(field, personLayout.text(field));
  return objectOf<Person, RawPerson>({
    first_name: text('first_name'),
    last_name: text('last_name'),
    middle_name: text('middle_name'),
    full_name: unlessHidden('full_name', fullName),
    birth_date: unlessHidden('birth_date', personLayout.day('birth_date')),
    iin: text('iin'),
    personal_email: text('personal_email'),
    phone: text('phone'),
  });
}

const nameParts = ['last_name', 'first_name', 'middle_name'] as const;

/** Family name, given name, patronymic, without empty parts: the usual order of such lists in Kazakhstan. */
function fullName(person: RawPerson, out: JsonBytes, name: Uint8Array): void {
  out.member(name);
  out.quote();
  let isFirst = true;
  for (const part of nameParts) {
    if (person.isEmpty(part)) continue;
    if (!isFirst) out.json(SPACE);
    person.copyText(part, out);
    isFirst = false;
  }
  out.quote();
}

/** The hidden keys of the requested objects, sorted. */
function redactedFields(hidden: ReadonlySet<string>, { person, manager }: Expansions): string[] {
  const listed = (key: string) =>
    key.startsWith('employees.') ||
    (person !== undefined && key.startsWith('persons.')) ||
    (manager !== undefined && key === 'persons.full_name');
  return [...hidden].filter(listed).sort();
}
