/** Plans a record of an employee, with the person that LEDGER sends in it (D-29). */
import type { EmployeeRow, PersonRow } from '../../data/store.ts';
import { changedEmployee, newEmployee } from '../../employees/write/employee-rows.ts';
import type { Mapped } from '../columns.ts';
import { type Draft, type Result, skip } from './draft.ts';
import { namesOf } from './known.ts';
import { createdPerson, mergedDetails, nextPerson, UNKNOWN } from './plan-others.ts';

const REFERENCES = [
  { name: 'organization', field: 'organization_id', skips: 'The organisation that it refers to is not known.' },
  { name: 'department', field: 'department_id', skips: 'The department that it refers to is not known.' },
  { name: 'job_title', field: 'job_title_id', skips: 'The job title that it refers to is not known.' },
] as const;

const NO_PERSON = 'An employee is created only with a known person.';

/** The fields of the row given by a record's references, and the fields whose reference is unknown (LEDGER only). */
function referencesOf(draft: Draft, record: Mapped): { fields: Record<string, string>; unresolved: string[] } {
  const fields: Record<string, string> = {};
  const unresolved: string[] = [];
  for (const { name, field, skips } of REFERENCES) {
    const externalId = record.references[name];
    if (externalId === undefined) continue;
    const names = externalId === '' ? [] : namesOf(draft.batch.source, name, externalId);
    const id = externalId === '' ? '' : names.map((each) => draft.named(each)?._id).find((found) => found);
    if (id !== undefined) fields[field] = id;
    else if (draft.batch.source === 'LEDGER' && name !== 'department') unresolved.push(field);
    else skip(skips);
  }
  return { fields, unresolved };
}

/** A person after a record is applied. */
interface PersonPlan {
  readonly row: PersonRow;
  readonly isChanged: boolean;
  /** Whether the external id refers to this person from now on. */
  readonly binds: boolean;
}

/** The person that a record refers to; undefined if it names none, so that the employee keeps its person. */
function referredPerson(draft: Draft, record: Mapped, employee: EmployeeRow | undefined): PersonPlan | undefined {
  const externalId = record.references.person;
  if (externalId === undefined) return undefined;
  if (externalId === '') {
    return skip(employee === undefined ? NO_PERSON : 'An employee cannot be left without a person.');
  }
  const row = draft.named({ ...draft.own('PERSON', externalId), kind: 'PERSON' });
  if (row === undefined) return skip('The person that it refers to is not known.');
  return { row, isChanged: false, binds: false };
}

/**
 * The person inside an employee's record. With an external id, it is exactly the person that this refers to. With an
 * IIN, it is the person that the IIN refers to; if there is none yet, it is the employee's person, provided that this
 * has no other IIN. With neither, it is the employee's person.
 */
function embeddedPerson(
  draft: Draft,
  person: NonNullable<Mapped['person']>,
  employee: EmployeeRow | undefined,
): PersonPlan {
  const own = employee === undefined ? undefined : draft.row('PERSON', employee.person_id);
  const named = draft.named({ ...draft.own('PERSON', person.externalId), kind: 'PERSON' });
  const mayTake = own?.iin === '' || own?.iin === person.fields.iin;
  const before = {
    external_id: named,
    iin: named ?? (mayTake ? own : undefined),
    employee: own ?? named,
  }[person.idFrom];
  if (before !== undefined) {
    const after = nextPerson(draft, before, person);
    return { row: after ?? before, isChanged: after !== null, binds: person.idFrom !== 'employee' };
  }
  if (!draft.batch.createMissing) skip('The person in it is not known, and the batch does not create what is missing.');
  return { row: createdPerson(draft, person), isChanged: true, binds: true };
}

export function planEmployee(draft: Draft, record: Mapped): Result {
  const name = { ...draft.own('EMPLOYEE', record.externalId), kind: 'EMPLOYEE' as const };
  const before = draft.named(name);
  if (before === undefined && !draft.batch.createMissing) skip(UNKNOWN);
  const { fields: references, unresolved } = referencesOf(draft, record);
  const person =
    record.person === undefined ? referredPerson(draft, record, before) : embeddedPerson(draft, record.person, before);
  const fields = { ...record.fields, ...references };
  const after =
    before === undefined ? created(draft, record, person, fields) : next(draft, record, before, person, fields);
  // From here on nothing of the record can be refused.
  if (person?.isChanged) draft.put('PERSON', person.row);
  if (person?.binds) draft.bind(draft.own('PERSON', record.person?.externalId ?? ''), person.row._id);
  if (after !== null) draft.put('EMPLOYEE', after);
  if (before === undefined && after !== null) draft.bind(name, after._id);
  const isChanged = after !== null || person?.isChanged === true;
  const outcome = before === undefined ? 'created' : isChanged ? 'updated' : 'unchanged';
  return { outcome, objectId: (after ?? before)?._id ?? '', unresolved };
}

type Fields = Readonly<Record<string, string>>;

function created(draft: Draft, record: Mapped, person: PersonPlan | undefined, fields: Fields): EmployeeRow {
  if (person === undefined) return skip(NO_PERSON);
  const id = draft.newId(draft.own('EMPLOYEE', record.externalId));
  const extra = { id, details: mergedDetails('', record.details), loaded: true as const };
  return newEmployee(draft.batch.tenantId, person.row, fields, draft.moment, extra);
}

function next(
  draft: Draft,
  record: Mapped,
  before: EmployeeRow,
  person: PersonPlan | undefined,
  fields: Fields,
): EmployeeRow | null {
  const details = mergedDetails(before.details, record.details);
  const extra = { details, loaded: true as const, ...(person && { person: person.row }) };
  return changedEmployee(before, fields, draft.moment, extra);
}
