/** The objects that `expand` asks for, in at most four queries for a whole page. */
import type { Caller } from '../access/caller.ts';
import type { DepartmentRow, EmployeeRow, PersonRow, TitledRow } from '../data/store.ts';
import type { Seen } from '../data/ways.ts';

export type Expansion = 'person' | 'department' | 'job_title' | 'manager';

/** The fields of a person that an answer shows, besides the full name, which is made of the three name parts. */
export const personFields = [
  'first_name',
  'last_name',
  'middle_name',
  'birth_date',
  'iin',
  'personal_email',
  'phone',
] as const satisfies readonly (keyof PersonRow)[];

export type PersonFields = Pick<PersonRow, (typeof personFields)[number]>;

/** Related rows by id; a map is absent if its expansion was not requested. */
export interface Expansions {
  readonly persons?: ReadonlyMap<string, PersonFields>;
  readonly departments?: ReadonlyMap<string, Pick<DepartmentRow, 'title'>>;
  readonly jobTitles?: ReadonlyMap<string, Pick<TitledRow, 'title'>>;
  /** The persons of the page's managers, by the manager's employee id. */
  readonly managers?: ReadonlyMap<string, PersonFields>;
}

/** Reads what the page's rows need; persons of the rows and of their managers come in one query. */
export async function expansionsOf(
  caller: Caller,
  rows: readonly Seen<EmployeeRow>[],
  expand: readonly Expansion[] | undefined,
): Promise<Expansions> {
  if (expand === undefined || expand.length === 0 || rows.length === 0) return noneOf(expand);
  const asked = new Set(expand);
  const ids = (field: 'department_id' | 'job_title_id' | 'manager_id' | 'person_id') => rows.map((row) => row[field]);
  const [departments, jobTitles, managers] = await Promise.all([
    asked.has('department') ? caller.inTenant('departments').byId(ids('department_id'), ['title']) : undefined,
    asked.has('job_title') ? caller.inTenant('job_titles').byId(ids('job_title_id'), ['title']) : undefined,
    asked.has('manager') ? caller.inTenant('employees').byId(ids('manager_id'), ['person_id']) : undefined,
  ]);
  const personIds = asked.has('person') ? ids('person_id') : [];
  for (const manager of managers?.values() ?? []) personIds.push(manager.person_id);
  const persons = await caller.inTenant('persons').byId(personIds, personFields);
  return {
    ...(asked.has('person') ? { persons } : {}),
    ...(departments === undefined ? {} : { departments }),
    ...(jobTitles === undefined ? {} : { jobTitles }),
    ...(managers === undefined ? {} : { managers: personsOf(managers, persons) }),
  };
}

function noneOf(expand: readonly Expansion[] | undefined): Expansions {
  const none = new Map<string, never>();
  return {
    ...(expand?.includes('person') ? { persons: none } : {}),
    ...(expand?.includes('manager') ? { managers: none } : {}),
  };
}

function personsOf(
  managers: ReadonlyMap<string, Pick<EmployeeRow, 'person_id'>>,
  persons: ReadonlyMap<string, PersonFields>,
): Map<string, PersonFields> {
  const found = new Map<string, PersonFields>();
  for (const [id, { person_id }] of managers) {
    const person = persons.get(person_id);
    if (person !== undefined) found.set(id, person);
  }
  return found;
}
