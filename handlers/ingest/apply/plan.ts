/**
 * Plans records without the store: from their content and the known rows it computes new rows, bindings and outcomes
 * (D-29). A record is applied completely or not at all, and a record that cannot be applied does not affect others.
 */

import type { RowChange } from '../../data/bulk.ts';
import type { TitledRow } from '../../data/collection.ts';
import type { DepartmentRow } from '../../data/collections/departments.ts';
import type { EmployeeRow } from '../../data/collections/employees.ts';
import type { IngestKind } from '../../data/collections/external_bindings.ts';
import type { IngestOutcomeRow, PersonQuestion } from '../../data/collections/ingest_outcomes.ts';
import { changeTime } from '../../data/writes.ts';
import { changedEmployee, newEmployee } from '../../employees/write/employee-rows.ts';
import { ChangeRefused, type WriteMoment } from '../../employees/write/fields.ts';
import { type BindingName, identifyDepartment, linkOf, type NameOf } from '../bindings.ts';
import { idsIn } from '../ledger.ts';
import { type MappedRecord, mergedDetails, type ReferenceName, type SkippedRecord } from '../record-columns.ts';
import { createdPerson, embeddedPerson, nextPerson, type PersonPlan } from './embedded-person.ts';
import { addHolder, bindNatural, employeeOf, stayingHolder } from './employee-of-record.ts';
import { type KnownObjects, namesOf, type RowsOf } from './known.ts';
import type { Note } from './notes.ts';
import { type Batch, BatchDraft, type BindingChange, type DraftResult, SkipRecord, skip } from './planned-rows.ts';

/** A record of a batch, with its place there. */
export interface RecordAt {
  readonly index: number;
  readonly externalId: string;
  readonly mapped: MappedRecord | SkippedRecord;
}

export type RecordOutcome = Pick<
  IngestOutcomeRow,
  'index' | 'external_id' | 'outcome' | 'reason' | 'unresolved' | 'object_id' | 'question'
> & { readonly notes: readonly Note[] };

/** What to write for the records, and the outcome of each. */
export interface Plan {
  readonly bindings: readonly BindingChange[];
  readonly changes: { readonly [Kind in IngestKind]: readonly RowChange<RowsOf[Kind]>[] };
  readonly outcomes: readonly RecordOutcome[];
}

const UNKNOWN = 'Its external id is not known, and the batch does not create what is missing.';
const NO_PERSON = 'An employee is created only with a known person.';

/** What references refer to, in words. */
const NOUNS: Readonly<Record<ReferenceName, string>> = {
  person: 'a person',
  organization: 'an organisation',
  department: 'a department',
  parent: 'a department',
  job_title: 'a job title',
};

export function skipped({ index, externalId }: RecordAt, reason: string, question?: PersonQuestion): RecordOutcome {
  const ids = { index, external_id: externalId, object_id: '' };
  return { ...ids, outcome: 'skipped', reason, unresolved: [], notes: [], ...(question && { question }) };
}

export function planRecords(
  batch: Batch,
  moment: WriteMoment,
  known: KnownObjects,
  records: readonly RecordAt[],
): Plan {
  const draft = new BatchDraft(batch, moment, known);
  const outcomes = records.map((record): RecordOutcome => {
    const { index, externalId, mapped } = record;
    if ('skipped' in mapped) return skipped(record, mapped.skipped);
    try {
      const { outcome, objectId, unresolved = [], notes = [] } = planRecord(draft, index, mapped);
      const ids = { external_id: externalId, object_id: objectId };
      return { index, ...ids, outcome, reason: '', unresolved: [...unresolved], notes };
    } catch (error) {
      return skipped(record, reasonOf(error, draft), error instanceof SkipRecord ? error.question : undefined);
    }
  });
  return { bindings: draft.bindingChanges(), changes: draft.rowChanges(), outcomes };
}

function planRecord(draft: BatchDraft, index: number, record: MappedRecord): DraftResult {
  switch (record.kind) {
    case 'EMPLOYEE':
      return planEmployee(draft, record);
    case 'PERSON':
      return planAlone(draft, record.kind, record, (name, before) =>
        before === undefined ? createdPerson(draft, record, name) : nextPerson(draft, before, record),
      );
    case 'DEPARTMENT':
      return planDepartment(draft, index, record);
    case 'ORGANIZATION':
    case 'JOB_TITLE':
      return planAlone(draft, record.kind, record, (name, before) => titledAfter(draft, name, before, record));
  }
}

function reasonOf(error: unknown, draft: BatchDraft): string {
  if (error instanceof SkipRecord) return error.message;
  // The fields were checked one by one before, so only the two dates together can be refused.
  if (error instanceof ChangeRefused) {
    const [first, last] = ['start_date', 'end_date'].map((field) => draft.sent('field', field));
    return last ? `${last} must not be before ${first}.` : `${first} must not be after the last day.`;
  }
  return 'It cannot be applied.';
}

function skipUnknown(draft: BatchDraft, reference: ReferenceName): never {
  skip(`${draft.sent('reference', reference)} refers to ${NOUNS[reference]} that is not known.`);
}

/**
 * Plans a record whose object is known by its external id alone, and stands in no tree.
 * @param afterOf the row after the record, or null if nothing changes
 */
function planAlone<Kind extends IngestKind>(
  draft: BatchDraft,
  kind: Kind,
  { externalId }: MappedRecord,
  afterOf: (name: NameOf<Kind>, before: RowsOf[Kind] | undefined) => RowsOf[Kind] | null,
): DraftResult {
  const name = draft.own(kind, externalId);
  const before = draft.named(name);
  if (before === undefined && !draft.batch.createMissing) skip(UNKNOWN);
  const after = afterOf(name, before);
  if (after === null) return { outcome: 'unchanged', objectId: before?._id ?? '' };
  draft.put(kind, after);
  draft.bind(name, after._id);
  return { outcome: before === undefined ? 'created' : 'updated', objectId: after._id };
}

/** The row of an object with a title after a record, or null if nothing changes. @param more its other fields */
function titledAfter(
  draft: BatchDraft,
  name: BindingName,
  before: TitledRow | undefined,
  record: MappedRecord,
  more: object = {},
): TitledRow | null {
  const { now } = draft.moment;
  const title = record.fields.title ?? before?.title ?? '';
  const fields = { title, details: mergedDetails(before?.details, record.details), ...more };
  if (before === undefined) {
    const ids = { _id: draft.newId(name), tenant_id: draft.batch.tenantId };
    return { ...ids, ...fields, create_time: now, update_time: now };
  }
  const differs = Object.entries(fields).some(([field, value]) => (before[field as keyof TitledRow] ?? '') !== value);
  return differs ? { ...before, ...fields, update_time: changeTime(before.update_time, now) } : null;
}

function planDepartment(draft: BatchDraft, index: number, record: MappedRecord): DraftResult {
  const name = draft.own('DEPARTMENT', record.externalId);
  const look = (each: NameOf<'DEPARTMENT'>) => draft.named(each);
  const before = identifyDepartment(draft.batch.source, record, look, draft.batch.facts.given);
  if (before === undefined && !draft.batch.createMissing) skip(UNKNOWN);
  const placement = draft.batch.placements?.get(index);
  if (placement === undefined) return skip('Its place among the departments is not known.');
  if ('skipped' in placement) return skip(placement.skipped);
  if ('unknown' in placement) return skipUnknown(draft, placement.unknown);
  const { parentId: parent_id, ancestorIds: ancestor_ids, organizationId } = placement;
  const organization_id = organizationId ?? before?.organization_id ?? '';
  const isMoved = parent_id !== before?.parent_id;
  const place = { organization_id, parent_id, ...(isMoved && { ancestor_ids }) };
  const after = titledAfter(draft, name, before, record, place) as DepartmentRow | null;
  if (after !== null) draft.put('DEPARTMENT', after);
  if (before === undefined && after !== null) draft.bind(name, after._id);
  const row = after ?? before;
  const isBound = row !== undefined && bindGiven(draft, record, before, row);
  const outcome = before === undefined ? 'created' : after !== null || isBound ? 'updated' : 'unchanged';
  const unresolved = placement.unresolved.map((reference) => draft.sent('reference', reference));
  return { outcome, objectId: row?._id ?? '', unresolved };
}

/** What tells by which ids an object is known. */
type IdentifyingFields = Pick<TitledRow, '_id' | 'details'>;

/**
 * Makes an object known by its `external_id`, if the record has one, and by its natural id beside it. Of several objects
 * with one natural id, the one that got it last comes first, unless it is that of an employee who stays.
 * @param after the object as the record leaves it
 * @returns whether the `external_id` is new; where a natural id is, the row says so
 */
function bindGiven(
  draft: BatchDraft,
  record: MappedRecord,
  before: IdentifyingFields | undefined,
  after: IdentifyingFields,
): boolean {
  if (!record.isGiven) return false;
  const isNew = draft.bind(draft.own(record.kind, record.externalId), after._id);
  const { natural = '' } = idsIn(record.kind, after.details);
  if (natural === '' || natural === idsIn(record.kind, before?.details).natural) return isNew;
  const name = linkOf(draft.batch.source, record.kind, natural);
  const held = { ...record, naturals: [natural] };
  const holder = record.kind === 'EMPLOYEE' ? stayingHolder(draft, held, after._id) : undefined;
  addHolder(draft, name, after._id, (holder ?? after)._id);
  return isNew;
}

const REFERENCES = [
  { name: 'organization', field: 'organization_id' },
  { name: 'department', field: 'department_id' },
  { name: 'job_title', field: 'job_title_id' },
] as const;

type PlannedFields = Readonly<Record<string, string>>;

/**
 * The fields of the row given by a record's references. A reference that is unknown leaves a known employee as it is
 * there. It skips a new one, but for those to objects that LEDGER cannot load.
 * @param unresolved gets the sent names of those that are unknown
 */
function referencesOf(
  draft: BatchDraft,
  record: MappedRecord,
  before: EmployeeRow | undefined,
  unresolved: string[],
): PlannedFields {
  const fields: Record<string, string> = {};
  for (const { name, field } of REFERENCES) {
    const externalId = record.references[name];
    if (externalId === undefined) continue;
    const names = externalId === '' ? [] : namesOf(draft.batch.source, name, externalId);
    const id = externalId === '' ? '' : names.map((each) => draft.named(each)?._id).find((found) => found);
    if (id !== undefined) fields[field] = id;
    else if (before !== undefined || (draft.batch.source === 'LEDGER' && name !== 'department')) {
      unresolved.push(draft.sent('reference', name));
    } else skipUnknown(draft, name);
  }
  return fields;
}

/**
 * The person that a record refers to; undefined if the employee keeps its person. A known employee also keeps it where
 * the reference is empty, since each has one.
 */
function referredPerson(
  draft: BatchDraft,
  record: MappedRecord,
  employee: EmployeeRow | undefined,
  unresolved: string[],
): PersonPlan | undefined {
  const externalId = record.references.person;
  if (externalId === undefined) return undefined;
  const row = externalId === '' ? undefined : draft.named(draft.own('PERSON', externalId));
  if (row !== undefined) return { row, isChanged: false, names: [], notes: [] };
  if (employee === undefined) return externalId === '' ? skip(NO_PERSON) : skipUnknown(draft, 'person');
  unresolved.push(draft.sent('reference', 'person'));
  return undefined;
}

function planEmployee(draft: BatchDraft, record: MappedRecord): DraftResult {
  const name = draft.own('EMPLOYEE', record.externalId);
  const found = employeeOf(draft, record);
  const before = found.row;
  if (before === undefined && !draft.batch.createMissing) skip(UNKNOWN);
  const unresolved: string[] = [];
  const references = referencesOf(draft, record, before, unresolved);
  const { person: embedded } = record;
  const person =
    embedded === undefined
      ? referredPerson(draft, record, before, unresolved)
      : embeddedPerson(draft, { ...record, person: embedded }, found);
  const fields = { ...record.fields, ...references };
  const extra = { details: mergedDetails(before?.details, record.details), loaded: true as const };
  const { batch, moment } = draft;
  const after =
    before === undefined
      ? newEmployee(batch.tenantId, person?.row ?? skip(NO_PERSON), fields, moment, { ...extra, id: draft.newId(name) })
      : changedEmployee(before, fields, moment, { ...extra, person: person?.row });
  // From here on nothing of the record can be refused.
  if (person !== undefined) putPerson(draft, person);
  if (after !== null) draft.put('EMPLOYEE', after);
  const row = after ?? before;
  if (row !== undefined && embedded?.fields.iin) draft.noteIin(row._id, embedded.fields.iin);
  const isBound = row !== undefined && bindEmployee(draft, record, before, row);
  const isChanged = after !== null || person?.isChanged === true || isBound;
  const outcome = before === undefined ? 'created' : isChanged ? 'updated' : 'unchanged';
  return { outcome, objectId: row?._id ?? '', unresolved, notes: person?.notes ?? [] };
}

function putPerson(draft: BatchDraft, { row, isChanged, names, formerIin }: PersonPlan): void {
  if (isChanged) draft.put('PERSON', row);
  // First of all: an external id that the sender gave may be the same text.
  if (formerIin !== undefined) draft.unbind(draft.own('PERSON', formerIin), row._id);
  for (const name of names) draft.bind(name, row._id);
}

/** Makes an employee known by the ids of its record. @returns whether one of them is new */
function bindEmployee(
  draft: BatchDraft,
  record: MappedRecord,
  before: IdentifyingFields | undefined,
  after: IdentifyingFields,
): boolean {
  if (record.isGiven) {
    // Whoever has the text as a number alone keeps it.
    const earlier = draft.named(draft.own('EMPLOYEE', record.externalId));
    if (earlier !== undefined && earlier._id !== after._id) {
      const link = linkOf(draft.batch.source, 'EMPLOYEE', record.externalId);
      addHolder(draft, link, earlier._id, (draft.named(link) ?? earlier)._id);
    }
    return bindGiven(draft, record, before, after);
  }
  if (record.naturals !== undefined) return bindNatural(draft, record, after._id);
  return before === undefined && draft.bind(draft.own('EMPLOYEE', record.externalId), after._id);
}
