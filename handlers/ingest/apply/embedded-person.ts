/** Which person is inside an employee's record of LEDGER, and what becomes of that person (D-29). */
import type { PersonRow } from '../../data/collections/persons.ts';
import { changedPerson, newPerson } from '../../employees/write/person-rows.ts';
import { type BindingName, linkOf, type NameOf } from '../bindings.ts';
import { type MappedRecord, mergedDetails } from '../record-columns.ts';
import type { FoundEmployee } from './employee-of-record.ts';
import type { Note } from './notes.ts';
import { type BatchDraft, skip } from './planned-rows.ts';
import { compare, isCertain, isSamePerson, mayJoin, type PersonComparison, WITNESSES } from './who-is-who.ts';

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
export function embeddedPerson(
  draft: BatchDraft,
  record: EmbeddedRecord,
  { row: employee, by }: FoundEmployee,
): PersonPlan {
  const { person } = record;
  const own = employee && draft.row('PERSON', employee.person_id);
  const isAgreed = (iin: string) => employee !== undefined && draft.agreesOnIin(employee.person_id, employee._id, iin);
  if (person.externalId === '') {
    return own ? known(draft, person, own, { isAgreed, by }) : newEmployeesPerson(draft, record);
  }
  // It is exactly the person that the external id refers to. A new one takes over the employee's person where that is
  // known by the same IIN, or has the same name.
  const name = draft.own('PERSON', person.externalId);
  const named = draft.named(name);
  // Instead of making a person, it takes over a namesake: without `create_missing` nothing is made.
  const isNamesake = own && draft.batch.createMissing && isSameByName(compare(person.fields, own));
  const isOwn = isNamesake || (own && nameOfIin(draft, person).bearer === own);
  const row = named ?? (isOwn ? own : undefined);
  if (row === undefined) return created(draft, person, name);
  const plan = known(draft, person, row, { by: 'external_id', ...(named === undefined && { isAgreed }) });
  return { ...plan, names: [...plan.names, name] };
}

const isSameByName = (comparison: PersonComparison) => comparison.name === 'same' && mayJoin(comparison);

/** The name of an IIN, and the person whom it names. */
function nameOfIin(draft: BatchDraft, { fields: { iin } }: MappedRecord) {
  const name = iin ? draft.own('PERSON', iin) : undefined;
  return { name, bearer: name && draft.named(name) };
}

/** A new employee's person: the one that its IIN may join, or a new one. */
function newEmployeesPerson(draft: BatchDraft, { person, externalId }: EmbeddedRecord): PersonPlan {
  const { name, bearer } = nameOfIin(draft, person);
  if (bearer && mayJoin(compare(person.fields, bearer))) return joined(draft, person, bearer, 'joined');
  const ofEmployee = linkOf(draft.batch.source, 'PERSON', externalId);
  // The person of an employee who was deleted.
  const earlier = name === undefined ? draft.named(ofEmployee) : undefined;
  const isAgain = earlier !== undefined && isSamePerson(compare(person.fields, earlier));
  return isAgain ? changed(draft, person, earlier) : created(draft, person, ofEmployee);
}

/**
 * A known person: the one whom the record means, but for its IIN, or the one whom that names, if it may move there.
 * @param isAgreed whether the person may get an IIN that names nobody; by default it may
 */
function known(
  draft: BatchDraft,
  person: MappedRecord,
  own: PersonRow,
  { isAgreed = () => true, by }: { isAgreed?: (iin: string) => boolean; by: FoundEmployee['by'] },
): PersonPlan {
  const { name, bearer } = nameOfIin(draft, person);
  const without = (note: Note): PersonPlan => {
    const { iin: _, ...fields } = person.fields;
    const plan = changed(draft, { ...person, fields }, own, by);
    return { ...plan, notes: [...plan.notes, note] };
  };
  if (name === undefined || name.externalId === own.iin || bearer?._id === own._id) {
    return changed(draft, person, own, by);
  }
  if (bearer === undefined) return isAgreed(name.externalId) ? changed(draft, person, own, by) : without('iin_kept');
  const mayMove = by === 'natural_id' && mayJoin(compare(person.fields, bearer));
  return mayMove ? joined(draft, person, bearer, 'moved') : without('iin_of_another');
}

/**
 * A new person. Its id never comes from its IIN, which one batch may take from one person and give to another.
 * @param name by which it is known; that of its employee only where its IIN names it not
 */
function created(draft: BatchDraft, person: MappedRecord, name: NameOf<'PERSON'>): PersonPlan {
  if (!draft.batch.createMissing) skip('The person in it is not known, and the batch does not create what is missing.');
  const row = createdPerson(draft, person, name);
  const byIin = freeIin(draft, person);
  const notes: Note[] = nameOfIin(draft, person).bearer ? ['iin_of_another'] : [];
  return { row, isChanged: true, names: name.isLink && byIin.length > 0 ? byIin : [name, ...byIin], notes };
}

/** The name of the IIN, if it refers to nobody yet. */
function freeIin(draft: BatchDraft, person: MappedRecord): BindingName[] {
  const { name, bearer } = nameOfIin(draft, person);
  return name !== undefined && bearer === undefined ? [name] : [];
}

function joined(draft: BatchDraft, person: MappedRecord, before: PersonRow, note: 'joined' | 'moved'): PersonPlan {
  const isSaid = compare(person.fields, before).name !== 'same';
  return { ...changed(draft, person, before), notes: isSaid ? [note] : [] };
}

function changed(
  draft: BatchDraft,
  person: MappedRecord,
  before: PersonRow,
  by: FoundEmployee['by'] = 'external_id',
): PersonPlan {
  const comparison = compare(person.fields, before);
  const row = nextPerson(draft, before, person);
  const isCorrected = row !== null && WITNESSES.some((field) => row[field] !== before[field]);
  const { iin } = person.fields;
  const isAnother = by === 'external_id' && comparison.name === 'other' && comparison.birthDate === 'other';
  const note: Note = isAnother ? 'renamed' : 'corrected';
  return {
    row: row ?? before,
    isChanged: row !== null,
    names: freeIin(draft, person),
    ...(iin && before.iin !== '' && before.iin !== iin && { formerIin: before.iin }),
    notes: isCorrected && !isCertain(comparison) ? [note] : [],
  };
}
