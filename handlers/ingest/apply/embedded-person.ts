/** Plans the person that LEDGER sends inside an employee's record (D-29). */
import type { EmployeeRow } from '../../data/collections/employees.ts';
import type { PersonRow } from '../../data/collections/persons.ts';
import { differences } from '../../employees/write/rows.ts';
import type { MappedRecord } from '../columns.ts';
import { type BatchDraft, skip } from './draft.ts';
import { createdPerson, nextPerson } from './plan-others.ts';

type EmbeddedPerson = NonNullable<MappedRecord['person']>;

/** A person after a record is applied. */
export interface PersonPlan {
  readonly row: PersonRow;
  readonly isChanged: boolean;
  /** Whether the external id refers to this person from now on. */
  readonly binds: boolean;
  /** An IIN by which the person is not known any more. */
  readonly formerIin?: string;
  /** Present if the IIN joined the record to a person who was not the employee's: whether their names differ. */
  readonly joined?: 'same name' | 'other name';
}

/**
 * The person inside an employee's record. With an external id, it is exactly the person that this refers to; a new one
 * takes over the employee's person where that is known by the same IIN. With an IIN, see {@link personByIin}. With neither, it is the employee's person.
 */
export function embeddedPerson(
  draft: BatchDraft,
  person: EmbeddedPerson,
  employeeId: string,
  employee: EmployeeRow | undefined,
): PersonPlan {
  const own = employee === undefined ? undefined : draft.row('PERSON', employee.person_id);
  const named = draft.named({ ...draft.own('PERSON', person.externalId), kind: 'PERSON' });
  const before = {
    external_id: () => named ?? takenOver(draft, person, own),
    iin: () => personByIin(draft, person, employee, own, named),
    employee: () => own ?? (isOfAnother(draft, employeeId, employee) ? undefined : named),
  }[person.idFrom]();
  if (before === undefined) {
    if (!draft.batch.createMissing) {
      skip('The person in it is not known, and the batch does not create what is missing.');
    }
    return { row: createdPerson(draft, person), isChanged: true, binds: true };
  }
  const after = nextPerson(draft, before, person);
  const isCorrected = person.fields.iin && before.iin !== '' && before.iin !== person.fields.iin;
  const isJoined = person.idFrom === 'iin' && before === named && before._id !== own?._id;
  return {
    row: after ?? before,
    isChanged: after !== null,
    binds: person.idFrom !== 'employee',
    ...(isCorrected && { formerIin: before.iin }),
    ...(isJoined && { joined: isRenamed(before, { ...own, ...person.fields }) ? 'other name' : 'same name' }),
  };
}

/**
 * The person that an IIN means: the one that it refers to, unless the dates of birth say that this is somebody else. If
 * it refers to nobody, it is the first or the corrected IIN of the employee's person, provided that no other employment
 * shares that person.
 */
function personByIin(
  draft: BatchDraft,
  person: EmbeddedPerson,
  employee: EmployeeRow | undefined,
  own: PersonRow | undefined,
  named: PersonRow | undefined,
): PersonRow | undefined {
  const iin = draft.sent({ field: 'iin' });
  if (named !== undefined) {
    const { birth_date = '' } = person.fields;
    const isStranger = birth_date !== '' && named.birth_date !== '' && birth_date !== named.birth_date;
    if (isStranger && named._id !== own?._id) {
      skip(`${iin} is that of a known person with another ${draft.sent({ field: 'birth_date' })}.`);
    }
    return named;
  }
  if (employee === undefined || own === undefined || own.iin === person.fields.iin) return own;
  if (draft.hasOtherEmployment(own._id, employee._id)) {
    skip(`${iin} would change a person who has another employment too.`);
  }
  return own;
}

/** The employee's person, if the IIN of the record refers to it. */
function takenOver(draft: BatchDraft, { fields }: EmbeddedPerson, own: PersonRow | undefined): PersonRow | undefined {
  const isKnown = draft.named({ ...draft.own('PERSON', fields.iin ?? ''), kind: 'PERSON' })?._id === own?._id;
  return isKnown ? own : undefined;
}

/** Whether the id of a new employee is still that of another one, so that a person known by it is a stranger. */
function isOfAnother(draft: BatchDraft, externalId: string, employee: EmployeeRow | undefined): boolean {
  return (
    employee === undefined && draft.named({ ...draft.own('EMPLOYEE', externalId), kind: 'EMPLOYEE' }) !== undefined
  );
}

function isRenamed(before: PersonRow, names: Partial<PersonRow>): boolean {
  const { first_name, last_name, middle_name } = { ...before, ...names };
  return differences(before, { first_name, last_name, middle_name }) !== null;
}
