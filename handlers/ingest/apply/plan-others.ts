/** Plans a record of a person, an organisation, a job title or a department (D-29). */
import type { DepartmentRow, PersonRow, TitledRow } from '../../data/store.ts';
import { changedPerson, newPerson } from '../../employees/write/person-rows.ts';
import { changeTime } from '../../employees/write/rows.ts';
import type { Mapped } from '../columns.ts';
import { type Draft, type Result, skip } from './draft.ts';
import { linkOf } from './known.ts';
import type { Placement } from './structure.ts';

export const UNKNOWN = 'Its external id is not known, and the batch does not create what is missing.';

/**
 * The details (stored, never shown) after a record is applied; `''` clears.
 * @param text the JSON text in the row
 */
export function mergedDetails(text: string | undefined, given: Readonly<Record<string, string>>): string {
  const merged = new Map(Object.entries(text ? (JSON.parse(text) as Record<string, string>) : {}));
  for (const [name, value] of Object.entries(given)) {
    if (value === '') merged.delete(name);
    else merged.set(name, value);
  }
  return merged.size === 0 ? '' : JSON.stringify(Object.fromEntries(merged));
}

/** A person's row after a record is applied, or null if nothing changes. */
export function nextPerson(draft: Draft, before: PersonRow, { fields, details }: Mapped): PersonRow | null {
  const extra = { details: mergedDetails(before.details, details), loaded: true as const };
  return changedPerson(before, fields, draft.moment.now, extra);
}

/** The row of a person that a record creates. */
export function createdPerson(draft: Draft, record: Mapped): PersonRow {
  const id = draft.newId(draft.own('PERSON', record.externalId));
  const extra = { id, details: mergedDetails('', record.details), loaded: true as const };
  return newPerson(draft.batch.tenantId, record.fields, draft.moment.now, extra);
}

export function planPerson(draft: Draft, record: Mapped): Result {
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

function newTitled(draft: Draft, id: string, record: Mapped): TitledRow {
  const { now } = draft.moment;
  const details = mergedDetails('', record.details);
  const row = { _id: id, tenant_id: draft.batch.tenantId, title: record.fields.title ?? '' };
  return { ...row, create_time: now, update_time: now, details };
}

function titleAndDetails(before: TitledRow, record: Mapped): { title: string; details: string } {
  return { title: record.fields.title ?? before.title, details: mergedDetails(before.details, record.details) };
}

/** Plans a record of an object with a title and no place in a tree. */
export function planTitled(draft: Draft, kind: 'ORGANIZATION' | 'JOB_TITLE', record: Mapped): Result {
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
export function planDepartment(draft: Draft, record: Mapped, placement: Placement | undefined): Result {
  const name = { ...draft.own('DEPARTMENT', record.externalId), kind: 'DEPARTMENT' as const };
  const before = draft.named(name);
  if (before === undefined && !draft.batch.createMissing) skip(UNKNOWN);
  if (placement === undefined) return skip('Its place among the departments is not known.');
  if ('skipped' in placement) return skip(placement.skipped);
  const { parentId: parent_id, ancestorIds: ancestor_ids, organizationId } = placement;
  if (before === undefined) {
    const titled = newTitled(draft, draft.newId(name), record);
    const row: DepartmentRow = { ...titled, organization_id: organizationId ?? '', parent_id, ancestor_ids };
    draft.put('DEPARTMENT', row);
    draft.bind(name, row._id);
    bindLink(draft, record, row._id);
    return { outcome: 'created', objectId: row._id };
  }
  const fields = {
    ...titleAndDetails(before, record),
    organization_id: organizationId ?? before.organization_id,
    parent_id,
  };
  const after = changed<DepartmentRow>(before, fields, draft.moment.now);
  if (after !== null) draft.put('DEPARTMENT', parent_id === before.parent_id ? after : { ...after, ancestor_ids });
  const isLinked = bindLink(draft, record, before._id);
  return { outcome: after === null && !isLinked ? 'unchanged' : 'updated', objectId: before._id };
}

/** Makes references find a department by its `Ссылка` too. @returns whether that is new */
function bindLink(draft: Draft, { link }: Mapped, id: string): boolean {
  return link !== undefined && draft.bind(linkOf(draft.batch.source, link), id);
}
