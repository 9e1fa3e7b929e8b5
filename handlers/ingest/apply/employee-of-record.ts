/** Which employee a record is about (D-29). Every path asks here, and here who is who is asked of `who-is-who.ts`. */
import type { EmployeeRow } from '../../data/collections/employees.ts';
import { bindingId, isCalled, linkOf, namesOfNatural } from '../bindings.ts';
import type { MappedRecord } from '../columns.ts';
import { type BatchDraft, isTerminated, skip } from './draft.ts';
import { type Comparison, compare, isSamePerson, surety, type Witnesses, witnessDigest } from './who-is-who.ts';

/** The employee of a record, undefined for a new one, and by what it was found. */
export interface FoundEmployee {
  readonly row: EmployeeRow | undefined;
  readonly by: 'external_id' | 'natural_id';
}

const NOBODY: FoundEmployee = { row: undefined, by: 'natural_id' };

/** An employee who has or had the natural id of a record. */
interface Holder {
  readonly row: EmployeeRow;
  /** Whether the number is the employee's now, and its own row says so. At most one holder is. */
  readonly isPresent: boolean;
}

/** The witnesses in a record. */
export const witnessesOf = ({ person }: MappedRecord): Witnesses => person?.fields ?? {};

/** @throws SkipRecord if its natural id is that of another person, or of several employees */
export function employeeOf(draft: BatchDraft, record: MappedRecord): FoundEmployee {
  const named = draft.named(draft.own('EMPLOYEE', record.externalId));
  // KEDO follows its external ids, and so does LEDGER where it sends them.
  const isById = record.naturals === undefined || (record.isGiven && named !== undefined);
  if (isById) return { row: named, by: 'external_id' };
  const holders = holdersOf(draft, record);
  const decided = decisionsOf(draft, record);
  const judged = holders.map((holder) => ({ ...holder, ...judge(draft, record, holder.row, decided) }));
  const same = judged.find((each) => each.isSame && (!record.isGiven || isFree(draft, record, each)));
  if (same !== undefined) return { row: same.row, by: 'natural_id' };
  // A new `external_id` creates an object (the brief, rules of the ingest).
  if (record.isGiven) return NOBODY;
  const staying = judged.find(({ row, isPresent, isLeft }) => isPresent && !isTerminated(row) && !isLeft);
  if (staying !== undefined) return skipAnother(draft, record, staying.row, staying.comparison);
  return judged.some(({ isPresent }) => isPresent) ? NOBODY : byOtherForm(draft, record);
}

/** The present holder comes first, then those whose rows still say the natural id. */
function holdersOf(draft: BatchDraft, { naturals = [] }: MappedRecord): Holder[] {
  const lists = naturals.flatMap((natural) =>
    namesOfNatural(draft.batch.source, 'EMPLOYEE', natural)
      .toReversed()
      .map((name) => draft.allNamed(name)),
  );
  const all = [...lists.flatMap(([first]) => first ?? []), ...lists.flatMap(([, ...others]) => others)];
  const called = all.filter((row) => naturals.some((natural) => isCalled(row, 'EMPLOYEE', natural, undefined)));
  const ids = new Set([...called, ...all].map(({ _id }) => _id));
  return [...ids].flatMap((id) => {
    const row = draft.row('EMPLOYEE', id);
    return row === undefined ? [] : [{ row, isPresent: id === called[0]?._id }];
  });
}

/** Whether a new `external_id` may take over an employee: not one that another record of the batch means by its own. */
function isFree(draft: BatchDraft, { naturals = [] }: MappedRecord, { row }: Holder): boolean {
  const { given } = draft.batch.facts;
  return naturals.some((natural) => isCalled(row, 'EMPLOYEE', natural, given));
}

/** Another employee who holds the natural id and stays: then nobody else gets it. */
export function stayingHolder(draft: BatchDraft, record: MappedRecord, employeeId: string): EmployeeRow | undefined {
  const present = holdersOf(draft, record).find(({ isPresent }) => isPresent)?.row;
  return present === undefined || present._id === employeeId || isTerminated(present) ? undefined : present;
}

/** What people have decided about such a record, by id of the known person. */
function decisionsOf(draft: BatchDraft, record: MappedRecord): ReadonlyMap<string, 'SAME' | 'SUCCESSOR'> {
  const names = (record.naturals ?? []).flatMap((natural) => namesOfNatural(draft.batch.source, 'EMPLOYEE', natural));
  const decisions = names.flatMap((name) => draft.decisions(name));
  if (decisions.length === 0) return new Map();
  const digest = witnessDigest(witnessesOf(record));
  return new Map(decisions.filter((each) => each.record === digest).map(({ person_id, is }) => [person_id, is]));
}

/** How a record and an employee's person compare, and what follows. `isLeft`: people have decided that it is a successor. */
function judge(draft: BatchDraft, record: MappedRecord, row: EmployeeRow, decided: ReturnType<typeof decisionsOf>) {
  const known: Witnesses = draft.row('PERSON', row.person_id) ?? {};
  const comparison = compare(witnessesOf(record), known);
  const decision = decided.get(row.person_id);
  // The external id of a person that the sender gave says who it is.
  const isById = decision === 'SAME' || personById(draft, record)?._id === row.person_id;
  const isSame = isById || (isSamePerson(comparison) && !hasSurerRival(draft, record, known, comparison));
  return { comparison, isSame, isLeft: decision === 'SUCCESSOR' };
}

/** The known person of the external id that the sender gave the one in a record. */
const personById = (draft: BatchDraft, { person }: MappedRecord) =>
  person?.externalId ? draft.named(draft.own('PERSON', person.externalId)) : undefined;

/** Whether another record of the batch with the natural id, of another person, is surer to be about the known one. */
function hasSurerRival(draft: BatchDraft, record: MappedRecord, known: Witnesses, own: Comparison): boolean {
  const rivals = (record.naturals ?? []).flatMap((natural) => draft.batch.facts.rivals.get(natural) ?? []);
  return rivals.some((rival) => {
    const theirs = compare(rival, known);
    const isAnother = !isSamePerson(compare(rival, witnessesOf(record)));
    return isAnother && isSamePerson(theirs) && surety(theirs) > surety(own);
  });
}

/** The name of the natural id by which the employee has it. */
function skipAnother(draft: BatchDraft, record: MappedRecord, row: EmployeeRow, comparison: Comparison): never {
  const names = (record.naturals ?? []).flatMap((natural) => namesOfNatural(draft.batch.source, 'EMPLOYEE', natural));
  const name = names.find((each) => draft.allNamed(each).some(({ _id }) => _id === row._id));
  const fields = comparison.differing.map((field) => draft.sent('field', field));
  const differ = fields.length === 1 ? 'differs' : 'differ';
  const sentence = `${draft.sent('field', 'employee_number')} is that of another person: ${listed(fields)} ${differ}.`;
  if (name === undefined) return skip(sentence);
  return skip(sentence, {
    binding_id: bindingId(draft.batch.tenantId, name),
    employee_id: row._id,
    person_id: row.person_id,
    record: witnessDigest(witnessesOf(record)),
  });
}

const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

/**
 * The employee who is known by the number alone where the record has an organisation too, or the other way round: if it is
 * the only one, the record the only one of its number, and both the same person.
 */
function byOtherForm(draft: BatchDraft, record: MappedRecord): FoundEmployee {
  const { number = '', natural = '' } = record;
  if (natural === '') return NOBODY;
  const isAlone = natural === number;
  const rows = draft.ofOtherForm(natural).filter((row) => isAlone || isCalled(row, 'EMPLOYEE', number, undefined));
  const isOnlyRecord = (draft.batch.facts.numbers.get(number) ?? 1) === 1;
  const [row, ...more] = rows;
  const isFound = row !== undefined && more.length === 0 && isOnlyRecord && judge(draft, record, row, new Map()).isSame;
  if (isFound) return { row, by: 'natural_id' };
  if (isAlone && (rows.length > 0 || !isOnlyRecord)) {
    return skip(`${draft.sent('field', 'employee_number')} alone is ambiguous: add the organisation.`);
  }
  return NOBODY;
}

/** Makes an employee known by the natural id of a record that has no other id. @returns whether that is new */
export function bindNatural(draft: BatchDraft, record: MappedRecord, employeeId: string): boolean {
  const { naturals = [] } = record;
  const names = naturals.flatMap((natural) => namesOfNatural(draft.batch.source, 'EMPLOYEE', natural));
  if (names.some((name) => draft.allNamed(name).some(({ _id }) => _id === employeeId))) return false;
  const own = draft.own('EMPLOYEE', record.externalId);
  const isUnbound = draft.named(own) === undefined;
  return draft.bind(isUnbound ? own : linkOf(draft.batch.source, 'EMPLOYEE', record.externalId), employeeId);
}
