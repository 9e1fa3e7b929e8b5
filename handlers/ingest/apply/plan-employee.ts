/** Plans a record of an employee, with the person that LEDGER sends in it (D-29). */
import type { EmployeeRow } from '../../data/collections/employees.ts';
import { changedEmployee, newEmployee } from '../../employees/write/employee-rows.ts';
import type { MappedRecord } from '../columns.ts';
import { mergedDetails } from './details.ts';
import { type BatchDraft, type DraftResult, skip } from './draft.ts';
import { embeddedPerson, type PersonPlan } from './embedded-person.ts';
import { namesOf } from './known.ts';
import { bindNatural, NOUNS, UNKNOWN, unknownReference } from './plan-others.ts';

const REFERENCES = [
  { name: 'organization', field: 'organization_id' },
  { name: 'department', field: 'department_id' },
  { name: 'job_title', field: 'job_title_id' },
] as const;

const NO_PERSON = 'An employee is created only with a known person.';

/** What the outcome says where an IIN joined a record to a person. */
export const JOINED = {
  'same name': 'ФизЛицо.ИИН joined it to a known person.',
  'other name': 'ФизЛицо.ИИН joined it to a known person, who had another name.',
} as const;

/** The fields of the row given by a record's references, and the sent names of those that are unknown. */
interface References {
  readonly fields: Record<string, string>;
  readonly unresolved: string[];
}

/**
 * Finds what a record refers to. A reference that is unknown leaves a known employee as it is there. It skips a new one,
 * but for those to objects that LEDGER cannot load.
 */
function referencesOf(draft: BatchDraft, record: MappedRecord, before: EmployeeRow | undefined): References {
  const fields: Record<string, string> = {};
  const unresolved: string[] = [];
  for (const { name, field } of REFERENCES) {
    const externalId = record.references[name];
    if (externalId === undefined) continue;
    const names = externalId === '' ? [] : namesOf(draft.batch.source, name, externalId);
    const id = externalId === '' ? '' : names.map((each) => draft.named(each)?._id).find((found) => found);
    if (id !== undefined) fields[field] = id;
    else if (before !== undefined || (draft.batch.source === 'LEDGER' && name !== 'department')) {
      unresolved.push(draft.sent({ reference: name }));
    } else skip(unknownReference(draft.sent({ reference: name }), NOUNS[name]));
  }
  return { fields, unresolved };
}

/** The person that a record refers to; undefined if the employee keeps its person. */
function referredPerson(
  draft: BatchDraft,
  record: MappedRecord,
  employee: EmployeeRow | undefined,
  unresolved: string[],
): PersonPlan | undefined {
  const externalId = record.references.person;
  if (externalId === undefined) return undefined;
  const sent = draft.sent({ reference: 'person' });
  if (externalId === '')
    return skip(employee === undefined ? NO_PERSON : `${sent} is empty, and each employee has one.`);
  const row = draft.named({ ...draft.own('PERSON', externalId), kind: 'PERSON' });
  if (row !== undefined) return { row, isChanged: false, binds: false };
  if (employee === undefined) return skip(unknownReference(sent, NOUNS.person));
  unresolved.push(sent);
  return undefined;
}

export function planEmployee(draft: BatchDraft, record: MappedRecord): DraftResult {
  const name = { ...draft.own('EMPLOYEE', record.externalId), kind: 'EMPLOYEE' as const };
  const before = draft.identified({ ...record, kind: 'EMPLOYEE' });
  if (before === undefined && !draft.batch.createMissing) skip(UNKNOWN);
  const { fields: references, unresolved } = referencesOf(draft, record, before);
  const person =
    record.person === undefined
      ? referredPerson(draft, record, before, unresolved)
      : embeddedPerson(draft, record.person, record.externalId, before);
  const fields = { ...record.fields, ...references };
  const after =
    before === undefined ? created(draft, record, person, fields) : next(draft, record, before, person, fields);
  // From here on nothing of the record can be refused.
  if (person !== undefined) putPerson(draft, record, person);
  if (after !== null) draft.put('EMPLOYEE', after);
  if (before === undefined && after !== null) draft.bind(name, after._id);
  const row = after ?? before;
  const isBound = row !== undefined && bindNatural(draft, record, before, row);
  const isChanged = after !== null || person?.isChanged === true || isBound;
  const outcome = before === undefined ? 'created' : isChanged ? 'updated' : 'unchanged';
  const note = person?.joined === undefined ? '' : JOINED[person.joined];
  return { outcome, objectId: row?._id ?? '', unresolved, note };
}

function putPerson(draft: BatchDraft, record: MappedRecord, { row, isChanged, binds, formerIin }: PersonPlan): void {
  if (isChanged) draft.put('PERSON', row);
  if (binds) draft.bind(draft.own('PERSON', record.person?.externalId ?? ''), row._id);
  if (formerIin !== undefined) draft.unbind(draft.own('PERSON', formerIin), row._id);
}

type PlannedFields = Readonly<Record<string, string>>;

function created(
  draft: BatchDraft,
  record: MappedRecord,
  person: PersonPlan | undefined,
  fields: PlannedFields,
): EmployeeRow {
  if (person === undefined) return skip(NO_PERSON);
  const id = draft.newId(draft.own('EMPLOYEE', record.externalId));
  const extra = { id, details: mergedDetails('', record.details), loaded: true as const };
  return newEmployee(draft.batch.tenantId, person.row, fields, draft.moment, extra);
}

function next(
  draft: BatchDraft,
  record: MappedRecord,
  before: EmployeeRow,
  person: PersonPlan | undefined,
  fields: PlannedFields,
): EmployeeRow | null {
  const details = mergedDetails(before.details, record.details);
  const extra = { details, loaded: true as const, ...(person && { person: person.row }) };
  return changedEmployee(before, fields, draft.moment, extra);
}
