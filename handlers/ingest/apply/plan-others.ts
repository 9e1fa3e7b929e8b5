/** Plans a record of a person, an organisation, a job title or a department (D-29). */
import type { TitledRow } from '../../data/collection.ts';
import type { DepartmentRow } from '../../data/collections/departments.ts';
import type { PersonRow } from '../../data/collections/persons.ts';
import { changedPerson, newPerson } from '../../employees/write/person-rows.ts';
import { changeTime } from '../../employees/write/rows.ts';
import type { MappedRecord, ReferenceName } from '../columns.ts';
import { idsIn } from '../ledger.ts';
import { mergedDetails } from './details.ts';
import { type BatchDraft, type DraftResult, skip } from './draft.ts';
import { linkOf } from './identity.ts';
import type { Placement } from './structure.ts';

export const UNKNOWN = 'Its external id is not known, and the batch does not create what is missing.';

/** What references refer to, in words. */
export const NOUNS: Readonly<Record<ReferenceName, string>> = {
  person: 'a person',
  organization: 'an organisation',
  department: 'a department',
  parent: 'a department',
  job_title: 'a job title',
};

/** @param name of the field, as it was sent */
export const unknownReference = (name: string, noun: string): string => `${name} refers to ${noun} that is not known.`;

/** A person's row after a record is applied, or null if nothing changes. */
export function nextPerson(draft: BatchDraft, before: PersonRow, { fields, details }: MappedRecord): PersonRow | null {
  const extra = { details: mergedDetails(before.details, details), loaded: true as const };
  return changedPerson(before, fields, draft.moment.now, extra);
}

/** The row of a person that a record creates. */
export function createdPerson(draft: BatchDraft, record: MappedRecord): PersonRow {
  const id = draft.newId(draft.own('PERSON', record.externalId));
  const extra = { id, details: mergedDetails('', record.details), loaded: true as const };
  return newPerson(draft.batch.tenantId, record.fields, draft.moment.now, extra);
}

export function planPerson(draft: BatchDraft, record: MappedRecord): DraftResult {
  const name = { ...draft.own('PERSON', record.externalId), kind: 'PERSON' as const };
  const before = draft.named(name);
  if (before === undefined && !draft.batch.createMissing) skip(UNKNOWN);
  const after = before === undefined ? createdPerson(draft, record) : nextPerson(draft, before, record);
  if (after === null) return { outcome: 'unchanged', objectId: before?._id ?? '' };
  draft.put('PERSON', after);
  draft.bind(name, after._id);
  return { outcome: before === undefined ? 'created' : 'updated', objectId: after._id };
}

/** The row with the given fields, or null if it has them all already. */
function changed<Row extends TitledRow>(row: Row, fields: Partial<Row>, now: Date): Row | null {
  const differs = Object.entries(fields).some(([field, value]) => (row[field as keyof Row] ?? '') !== value);
  return differs ? { ...row, ...fields, update_time: changeTime(row.update_time, now) } : null;
}

function newTitled(draft: BatchDraft, id: string, record: MappedRecord): TitledRow {
  const { now } = draft.moment;
  const details = mergedDetails('', record.details);
  const row = { _id: id, tenant_id: draft.batch.tenantId, title: record.fields.title ?? '' };
  return { ...row, create_time: now, update_time: now, details };
}

function titleAndDetails(before: TitledRow, record: MappedRecord): { title: string; details: string } {
  return { title: record.fields.title ?? before.title, details: mergedDetails(before.details, record.details) };
}

/** Plans a record of an object with a title and no place in a tree. */
export function planTitled(draft: BatchDraft, kind: 'ORGANIZATION' | 'JOB_TITLE', record: MappedRecord): DraftResult {
  const name = { ...draft.own(kind, record.externalId), kind };
  const before = draft.named(name);
  if (before === undefined) {
    if (!draft.batch.createMissing) skip(UNKNOWN);
    const row = newTitled(draft, draft.newId(name), record);
    draft.put(kind, row);
    draft.bind(name, row._id);
    return { outcome: 'created', objectId: row._id };
  }
  const after = changed(before, titleAndDetails(before, record), draft.moment.now);
  if (after !== null) draft.put(kind, after);
  return { outcome: after === null ? 'unchanged' : 'updated', objectId: before._id };
}

/** @param placement its place in the tree, decided for the whole batch */
export function planDepartment(draft: BatchDraft, record: MappedRecord, placement: Placement | undefined): DraftResult {
  const name = { ...draft.own('DEPARTMENT', record.externalId), kind: 'DEPARTMENT' as const };
  const before = draft.identified({ ...record, kind: 'DEPARTMENT' });
  if (before === undefined && !draft.batch.createMissing) skip(UNKNOWN);
  if (placement === undefined) return skip('Its place among the departments is not known.');
  if ('skipped' in placement) return skip(placement.skipped);
  const { parentId: parent_id, ancestorIds: ancestor_ids, organizationId } = placement;
  const unresolved = placement.unresolved.map((reference) => draft.sent({ reference }));
  if (before === undefined) {
    const titled = newTitled(draft, draft.newId(name), record);
    const row: DepartmentRow = { ...titled, organization_id: organizationId ?? '', parent_id, ancestor_ids };
    draft.put('DEPARTMENT', row);
    draft.bind(name, row._id);
    bindNatural(draft, record, undefined, row);
    return { outcome: 'created', objectId: row._id, unresolved };
  }
  const fields = {
    ...titleAndDetails(before, record),
    organization_id: organizationId ?? before.organization_id,
    parent_id,
  };
  const after = changed<DepartmentRow>(before, fields, draft.moment.now);
  if (after !== null) draft.put('DEPARTMENT', parent_id === before.parent_id ? after : { ...after, ancestor_ids });
  const isBound = bindNatural(draft, record, before, after ?? before);
  return { outcome: after === null && !isBound ? 'unchanged' : 'updated', objectId: before._id, unresolved };
}

/** What tells by which ids an object is known. */
type IdentifyingFields = Pick<TitledRow, '_id' | 'details'>;

/**
 * Makes an object known by its `external_id`, if the record has one, and by its natural id beside it. Of several objects
 * with one natural id, it leads to the one that got it last.
 * @param after the object as the record leaves it
 * @returns whether one of them is new
 */
export function bindNatural(
  draft: BatchDraft,
  record: MappedRecord,
  before: IdentifyingFields | undefined,
  after: IdentifyingFields,
): boolean {
  if (!record.isGiven) return false;
  const isNew = draft.bind(draft.own(record.kind, record.externalId), after._id);
  const { natural = '' } = idsIn(record.kind, after.details);
  const hasChanged = natural !== '' && natural !== idsIn(record.kind, before?.details).natural;
  return hasChanged ? draft.bind(linkOf(draft.batch.source, record.kind, natural), after._id) || isNew : isNew;
}
