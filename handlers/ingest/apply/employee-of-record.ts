/** Which employee a record is about (D-29). Every path asks here, and here who is who is asked of `who-is-who.ts`. */
import type { EmployeeRow } from '../../data/collections/employees.ts';
import { type BindingName, bindingId, isCalled, isMadeOf, linkOf, namesOfNatural } from '../bindings.ts';
import { idsIn } from '../ledger.ts';
import type { MappedRecord } from '../record-columns.ts';
import { type BatchDraft, isTerminated, skip } from './planned-rows.ts';
import {
  compare,
  differing,
  isSamePerson,
  type PersonComparison,
  surety,
  type Witnesses,
  witnessDigest,
  witnessesOf,
} from './who-is-who.ts';

/** The employee of a record, undefined for a new one, and by what it was found. */
export interface FoundEmployee {
  readonly row: EmployeeRow | undefined;
  readonly by: 'external_id' | 'natural_id';
}

const NOBODY: FoundEmployee = { row: undefined, by: 'natural_id' };

/** The employees who have or had the natural id of a record. */
interface Holders {
  /** All, the present one first. */
  readonly all: readonly EmployeeRow[];
  /** The one whose number it is now, and whose own row says so. */
  readonly present: EmployeeRow | undefined;
}

/** @throws SkipRecord if its natural id is that of another person, or of several employees */
export function employeeOf(draft: BatchDraft, record: MappedRecord): FoundEmployee {
  const named = draft.named(draft.own('EMPLOYEE', record.externalId));
  // KEDO follows its external ids, and so does LEDGER where it sends them.
  const isById = record.naturals === undefined || (record.isGiven && named && !isNaturalOf(named, record.externalId));
  if (isById) return { row: named, by: 'external_id' };
  const holders = holdersOf(draft, record);
  const { all, present } = holders;
  const decided = decisionsOf(draft, record);
  const possible = record.isGiven ? [named ?? [], all.filter((each) => isFree(draft, record, each))].flat() : all;
  const row = possible.find((each) => isTheSame(draft, record, each, decided));
  if (row !== undefined) return { row, by: 'natural_id' };
  // A new `external_id` creates an object (the brief, rules of the ingest).
  if (record.isGiven) return NOBODY;
  if (present === undefined) return byOtherForm(draft, record, holders);
  const isLeft = isTerminated(present) || decided.get(present.person_id) === 'SUCCESSOR';
  return isLeft ? byOtherForm(draft, record, holders) : skipAnother(draft, record, present);
}

/** Whether a text by which an employee is known may be its natural id, and not an `external_id` that was sent. */
function isNaturalOf({ details, employee_number }: EmployeeRow, text: string): boolean {
  return employee_number !== '' && idsIn('EMPLOYEE', details).externalId !== text && isMadeOf(text, employee_number);
}

/** The names of the natural id of a record. */
const namesOf = (draft: BatchDraft, { naturals = [] }: MappedRecord) =>
  naturals.flatMap((natural) => namesOfNatural(draft.batch.source, 'EMPLOYEE', natural));

/** The latest holder of each name comes first, and before all the one whose number it is now. */
function holdersOf(draft: BatchDraft, record: MappedRecord): Holders {
  const { naturals = [] } = record;
  const lists = naturals.flatMap((natural) =>
    // Beside the employee's own name a link was bound later.
    namesOfNatural(draft.batch.source, 'EMPLOYEE', natural)
      .toReversed()
      .map((name) => draft.allNamed(name)),
  );
  const rows = [...lists.flatMap(([first]) => first ?? []), ...lists.flatMap(([, ...others]) => others)];
  const present = rows.find((row) => naturals.some((natural) => isCalled(row, 'EMPLOYEE', natural, undefined)));
  return { all: [...new Set([...(present ? [present] : []), ...rows])], present };
}

/** Whether a new `external_id` may take over an employee: not one that another record of the batch means by its own. */
function isFree(draft: BatchDraft, { naturals = [] }: MappedRecord, row: EmployeeRow): boolean {
  const { given } = draft.batch.facts;
  return naturals.some((natural) => isCalled(row, 'EMPLOYEE', natural, given));
}

/** Another employee who holds the natural id and stays: then nobody else gets it. */
export function stayingHolder(draft: BatchDraft, record: MappedRecord, employeeId: string): EmployeeRow | undefined {
  const { present } = holdersOf(draft, record);
  return present === undefined || present._id === employeeId || isTerminated(present) ? undefined : present;
}

/** Notes that an employee has a natural id, which stays that of its present holder. */
export function addHolder(draft: BatchDraft, name: BindingName, employeeId: string, presentId: string): void {
  draft.bind(name, employeeId);
  draft.bind(name, presentId);
}

/** What people have decided about such a record, by id of the known person. */
function decisionsOf(draft: BatchDraft, record: MappedRecord): ReadonlyMap<string, 'SAME' | 'SUCCESSOR'> {
  const decisions = namesOf(draft, record).flatMap((name) => draft.decisions(name));
  if (decisions.length === 0) return new Map();
  const digest = witnessDigest(witnessesOf(record));
  return new Map(decisions.filter((each) => each.record === digest).map(({ person_id, is }) => [person_id, is]));
}

/** Whether a record is about the person of an employee. */
function isTheSame(
  draft: BatchDraft,
  record: MappedRecord,
  { person_id }: EmployeeRow,
  decided?: ReturnType<typeof decisionsOf>,
): boolean {
  const known: Witnesses = draft.row('PERSON', person_id) ?? {};
  const comparison = compare(witnessesOf(record), known);
  // The external id of a person that the sender gave says who it is.
  const isById = decided?.get(person_id) === 'SAME' || personById(draft, record)?._id === person_id;
  return isById || (isSamePerson(comparison) && !hasSurerRival(draft, record, known, comparison));
}

/** The known person of the external id that the sender gave the one in a record. */
const personById = (draft: BatchDraft, { person }: MappedRecord) =>
  person?.externalId ? draft.named(draft.own('PERSON', person.externalId)) : undefined;

/** Whether another record of the batch with the natural id, of another person, is surer to be about the known one. */
function hasSurerRival(draft: BatchDraft, record: MappedRecord, known: Witnesses, own: PersonComparison): boolean {
  const rivals = (record.naturals ?? []).flatMap((natural) => draft.batch.facts.rivals.get(natural) ?? []);
  return rivals.some((rival) => {
    const theirs = compare(rival, known);
    const isSurer = isSamePerson(theirs) && surety(theirs) > surety(own);
    return isSurer && !isSamePerson(compare(rival, witnessesOf(record)));
  });
}

/** Says that the natural id is that of another employee, and lets people decide. */
function skipAnother(draft: BatchDraft, record: MappedRecord, { _id, person_id }: EmployeeRow): never {
  const witnesses = witnessesOf(record);
  const known: Witnesses = draft.row('PERSON', person_id) ?? {};
  const fields = differing(witnesses, known).map((field) => draft.sent('field', field));
  const why =
    fields.length === 0
      ? 'another record of the batch is'
      : `${listed(fields)} ${fields.length === 1 ? 'differs' : 'differ'}`;
  const sentence = `${draft.sent('field', 'employee_number')} is that of another person: ${why}.`;
  const name = namesOf(draft, record).find((each) => draft.allNamed(each).some((row) => row._id === _id));
  return skip(
    sentence,
    name && {
      binding_id: bindingId(draft.batch.tenantId, name),
      employee_id: _id,
      person_id,
      record: witnessDigest(witnesses),
    },
  );
}

const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

/**
 * The employee who is known by the number alone where the record has an organisation too, or the other way round: if it is
 * the only one, the record the only one of its number, and both the same person.
 */
function byOtherForm(draft: BatchDraft, record: MappedRecord, { all, present }: Holders): FoundEmployee {
  const { number = '', natural = '' } = record;
  if (natural === '') return NOBODY;
  const isAlone = natural === number;
  const hasOrganization = ({ _id }: EmployeeRow) => draft.externalIds(_id)?.some((id) => id.endsWith(`/${number}`));
  const known = draft.employees().filter((row) => row.employee_number === number && hasOrganization(row) === isAlone);
  // Those who have this form too were compared already.
  const rows = known.filter(({ _id }) => all.every((holder) => holder._id !== _id));
  const isOnlyRecord = (draft.batch.facts.numbers.get(number) ?? 1) === 1;
  const [row] = rows;
  if (row !== undefined && rows.length === 1 && isOnlyRecord && isTheSame(draft, record, row)) {
    return { row, by: 'natural_id' };
  }
  if (isAlone && present === undefined && (rows.length > 0 || !isOnlyRecord)) {
    return skip(`${draft.sent('field', 'employee_number')} alone is ambiguous: add the organisation.`);
  }
  return NOBODY;
}

/** Makes an employee known by the natural id of a record that has no other id. @returns whether that is new */
export function bindNatural(draft: BatchDraft, record: MappedRecord, employeeId: string): boolean {
  if (namesOf(draft, record).some((name) => draft.allNamed(name).some(({ _id }) => _id === employeeId))) return false;
  const own = draft.own('EMPLOYEE', record.externalId);
  const isUnbound = draft.named(own) === undefined;
  return draft.bind(isUnbound ? own : linkOf(draft.batch.source, 'EMPLOYEE', record.externalId), employeeId);
}
