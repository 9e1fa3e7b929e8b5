/** Which person is inside an employee's record of LEDGER, and what becomes of that person (D-29). */
import type { EmployeeRow } from '../../data/collections/employees.ts';
import type { PersonRow } from '../../data/collections/persons.ts';
import { changedPerson, newPerson } from '../../employees/write/person-rows.ts';
import { type BindingName, linkOf, type NameOf } from '../bindings.ts';
import { type MappedRecord, mergedDetails } from '../columns.ts';
import { type BatchDraft, skip } from './draft.ts';
import type { FoundEmployee } from './employee-of-record.ts';
import type { Note } from './notes.ts';
import { compare, isCertain, isSamePerson, mayJoin } from './who-is-who.ts';

/** The person of an employee after its record is applied. */
export interface PersonPlan {
  readonly row: PersonRow;
  readonly isChanged: boolean;
  /** The names that refer to this person from now on. */
  readonly names: readonly BindingName[];
  /** An IIN by which the person is not known any more. */
  readonly formerIin?: string;
  readonly notes: readonly Note[];
}

type EmbeddedRecord = MappedRecord & { readonly person: MappedRecord };

/** A person's row after a record is applied, or null if nothing changes. */
export function nextPerson(draft: BatchDraft, before: PersonRow, { fields, details }: MappedRecord): PersonRow | null {
  const extra = { details: mergedDetails(before.details, details), loaded: true as const };
  return changedPerson(before, fields, draft.moment.now, extra);
}

/** The row of a person that a record creates. @param name by which it is known */
export function createdPerson(draft: BatchDraft, record: MappedRecord, name: NameOf<'PERSON'>): PersonRow {
  const extra = { id: draft.newId(name), details: mergedDetails('', record.details), loaded: true as const };
  return newPerson(draft.batch.tenantId, record.fields, draft.moment.now, extra);
}

/** @throws SkipRecord if the person is not known, and the batch does not create what is missing */
export function embeddedPerson(draft: BatchDraft, record: EmbeddedRecord, employee: FoundEmployee): PersonPlan {
  const own = employee.row && draft.row('PERSON', employee.row.person_id);
  if (record.person.externalId !== '') return personById(draft, record.person, own);
  if (employee.row === undefined || own === undefined) return newEmployeesPerson(draft, record);
  return knownEmployeesPerson(draft, record.person, employee.row, own, employee.by);
}

/** The name of an IIN; undefined where there is none. */
const nameOfIin = (draft: BatchDraft, { fields: { iin } }: MappedRecord) =>
  iin ? draft.own('PERSON', iin) : undefined;

const withoutIin = ({ fields: { iin: _, ...fields }, ...person }: MappedRecord): MappedRecord => ({
  ...person,
  fields,
});

/**
 * The person of an external id that the sender gave: exactly the one that it refers to. A new one takes over the
 * employee's person where that is known by the same IIN.
 */
function personById(draft: BatchDraft, person: MappedRecord, own: PersonRow | undefined): PersonPlan {
  const [name, nameByIin] = [draft.own('PERSON', person.externalId), nameOfIin(draft, person)];
  const ofIin = nameByIin && draft.named(nameByIin);
  const before = draft.named(name) ?? (ofIin?._id === own?._id ? own : undefined);
  if (before === undefined) return created(draft, person, name);
  const isOfAnother = ofIin !== undefined && ofIin._id !== before._id && person.fields.iin !== before.iin;
  const plan = changed(draft, isOfAnother ? withoutIin(person) : person, before);
  return { ...plan, names: [...plan.names, name], notes: isOfAnother ? [...plan.notes, 'iin_of_another'] : plan.notes };
}

/** A new employee's person: the one that its IIN may join, or a new one. */
function newEmployeesPerson(draft: BatchDraft, { person, externalId }: EmbeddedRecord): PersonPlan {
  const nameByIin = nameOfIin(draft, person);
  const ofEmployee = linkOf(draft.batch.source, 'PERSON', externalId);
  if (nameByIin === undefined) {
    // The person of an employee who was deleted.
    const earlier = draft.named(ofEmployee);
    const isAgain = earlier !== undefined && isSamePerson(compare(person.fields, earlier));
    return isAgain ? changed(draft, person, earlier) : created(draft, person, ofEmployee);
  }
  const ofIin = draft.named(nameByIin);
  if (ofIin === undefined) return created(draft, person, nameByIin);
  const comparison = compare(person.fields, ofIin);
  if (!mayJoin(comparison)) return { ...created(draft, person, ofEmployee), notes: ['iin_of_another'] };
  return joined(draft, person, ofIin, 'joined');
}

/** A known employee's person: its own, unless the IIN of the record is that of another person, who may be joined. */
function knownEmployeesPerson(
  draft: BatchDraft,
  person: MappedRecord,
  employee: EmployeeRow,
  own: PersonRow,
  foundBy: FoundEmployee['by'],
): PersonPlan {
  const nameByIin = nameOfIin(draft, person);
  const ofIin = nameByIin && draft.named(nameByIin);
  const without = (note: Note): PersonPlan => {
    const plan = changed(draft, withoutIin(person), own, foundBy);
    return { ...plan, notes: [...plan.notes, note] };
  };
  if (nameByIin === undefined || person.fields.iin === own.iin) return changed(draft, person, own, foundBy);
  if (ofIin === undefined) {
    const isAgreed = draft.agreesOnIin(own._id, employee._id, nameByIin.externalId);
    return isAgreed ? changed(draft, person, own, foundBy) : without('iin_kept');
  }
  if (ofIin._id === own._id) return changed(draft, person, own, foundBy);
  const mayMove = foundBy === 'natural_id' && mayJoin(compare(person.fields, ofIin));
  return mayMove ? joined(draft, person, ofIin, 'moved') : without('iin_of_another');
}

function created(draft: BatchDraft, person: MappedRecord, name: NameOf<'PERSON'>): PersonPlan {
  if (!draft.batch.createMissing) skip('The person in it is not known, and the batch does not create what is missing.');
  const row = createdPerson(draft, person, name);
  return { row, isChanged: true, names: [name, ...freeIin(draft, person)], notes: [] };
}

/** The name of the IIN, if it refers to nobody yet. */
function freeIin(draft: BatchDraft, person: MappedRecord): BindingName[] {
  const name = nameOfIin(draft, person);
  return name !== undefined && draft.named(name) === undefined ? [name] : [];
}

function joined(draft: BatchDraft, person: MappedRecord, before: PersonRow, note: 'joined' | 'moved'): PersonPlan {
  const isSaid = compare(person.fields, before).name !== 'same';
  return { ...changed(draft, person, before), notes: isSaid ? [note] : [] };
}

const WHO = ['iin', 'birth_date', 'last_name', 'first_name'] as const;

function changed(
  draft: BatchDraft,
  person: MappedRecord,
  before: PersonRow,
  foundBy: FoundEmployee['by'] = 'external_id',
): PersonPlan {
  const comparison = compare(person.fields, before);
  const row = nextPerson(draft, before, person);
  const isCorrected = row !== null && WHO.some((field) => row[field] !== before[field]);
  const { iin } = person.fields;
  const isAnother = foundBy === 'external_id' && comparison.name === 'other' && comparison.birthDate === 'other';
  const note: Note = isAnother ? 'renamed' : 'corrected';
  return {
    row: row ?? before,
    isChanged: row !== null,
    names: freeIin(draft, person),
    ...(iin && before.iin !== '' && before.iin !== iin && { formerIin: before.iin }),
    notes: isCorrected && !isCertain(comparison) ? [note] : [],
  };
}
