/**
 * What documents hold of a person. What was sent is evidence: its PDFs, signatures and ids stay, and the texts beside them
 * lose what is the person's. What was never sent goes with its bytes, if it is about nobody else.
 */
import { type DocumentRow, documentLife, type StoredRoute } from '../data/collections/documents.ts';
import { emptiedFields, type FieldLiving } from '../data/field-life.ts';
import { ofTenant, tenantRows } from '../data/of-tenant.ts';
import type { Store } from '../data/store.ts';
import { untilWritten } from '../data/writes.ts';
import { searchFields } from '../documents/search.ts';
import { changeDocument } from '../documents/workflow/change.ts';
import { anybody } from '../documents/workflow/people.ts';
import { type ObjectStorage, removeUpload } from './objects.ts';
import type { PersonValues } from './person-values.ts';

/** An attempt fails only when somebody else has changed the document. */
const ATTEMPTS = 20;

/** Whether the document was never sent, also if it is deleted. */
const isUnsent = ({ status }: Pick<DocumentRow, 'status'>): boolean => status === 'DOCUMENT_STATUS_DRAFT';

/** Whom it is about: its subjects, or its initiator if it has none. */
const aboutWhom = ({ subject_employee_ids: subjects, initiator_employee_id }: DocumentRow) =>
  subjects.length === 0 ? [initiator_employee_id] : subjects;

/** Whether it is about somebody else than one of the employments. */
export const isAboutOthers = (row: DocumentRow, employeeIds: readonly string[]): boolean =>
  aboutWhom(row).some((id) => !employeeIds.includes(id));

/** Whether it is about one of the employments. */
const isAbout = (row: DocumentRow, employeeIds: readonly string[]): boolean =>
  aboutWhom(row).some((id) => employeeIds.includes(id));

/** Whether one of the employments is its initiator or its subject. */
function names(row: DocumentRow, employeeIds: readonly string[]): boolean {
  return [row.initiator_employee_id, ...row.subject_employee_ids].some((id) => employeeIds.includes(id));
}

/** What keeps a person from being erased: ids of documents. */
export interface OpenWork {
  /** Documents in which an employment has an active slot. */
  readonly active_slots: readonly string[];
  /** Documents of an employment as their initiator that circulate, or were sent back to it. */
  readonly open_documents: readonly string[];
  /** Drafts that name an employment, but also others: whoever may decides what becomes of them. */
  readonly drafts_about_others: readonly string[];
}

const OPEN = ['DOCUMENT_STATUS_ON_APPROVAL', 'DOCUMENT_STATUS_ON_SIGN', 'DOCUMENT_STATUS_CHANGE_REQUESTED'] as const;

/** What of an employment is open. */
export async function openWorkOf(store: Store, tenantId: string, employeeIds: readonly string[]): Promise<OpenWork> {
  const documents = ofTenant(store.documents, tenantId);
  const open = await documents
    .find({ listed: true, actors: { $in: [...employeeIds] }, status: { $in: [...OPEN] } })
    .toArray();
  const active = open.filter(({ route }) =>
    (route?.steps ?? []).some(({ participants }) =>
      participants.some(
        ({ employee_id, status }) => status === 'PARTICIPANT_STATUS_ACTIVE' && employeeIds.includes(employee_id),
      ),
    ),
  );
  const own = open.filter(({ initiator_employee_id }) => employeeIds.includes(initiator_employee_id));
  const drafts: string[] = [];
  const unsent = { listed: true, status: 'DOCUMENT_STATUS_DRAFT' as const };
  for await (const row of documents.find({ ...unsent, $or: naming(employeeIds) })) {
    if (names(row, employeeIds) && isAboutOthers(row, employeeIds)) drafts.push(row._id);
  }
  const idsOf = (rows: readonly DocumentRow[]) => rows.map(({ _id }) => _id);
  return { active_slots: idsOf(active), open_documents: idsOf(own), drafts_about_others: drafts };
}

/** The branches of a filter for documents that name one of the employments, as what ever. */
function naming(employeeIds: readonly string[]) {
  const ids = { $in: [...employeeIds] };
  return [
    { initiator_employee_id: ids },
    { subject_employee_ids: ids },
    { actors: ids },
    { 'route.steps.participants.employee_id': ids },
  ];
}

/** The documents that name one of the employments, of the whole tenant, deleted ones included. */
export const documentsNaming = (store: Store, tenantId: string, employeeIds: readonly string[]) =>
  ofTenant(store.documents, tenantId).find({ $or: naming(employeeIds) });

/** The drafts that are only about the person: they go. Deleted ones about others too, which nobody sees any more. */
export async function draftsToRemove(
  store: Store,
  tenantId: string,
  employeeIds: readonly string[],
): Promise<DocumentRow[]> {
  const rows = await documentsNaming(store, tenantId, employeeIds).toArray();
  return rows.filter(
    (row) => isUnsent(row) && names(row, employeeIds) && (!row.listed || !isAboutOthers(row, employeeIds)),
  );
}

/**
 * Removes a draft: deletes it by the state machine, removes every version of its bytes, and empties its row. The row
 * stays until its events are relayed, and so that nothing else can take its id.
 */
export async function removeDraft(store: Store, storage: ObjectStorage | undefined, row: DocumentRow): Promise<void> {
  const { _id, tenant_id } = row;
  const rows = tenantRows(store, 'documents', tenant_id);
  const stored = async () => (await rows.first({ _id })) ?? row;
  if ((await stored()).listed) {
    // The erasure deletes it, whose employments are deleted already, and no employee.
    const reached = { rows, read: stored, people: async () => anybody, claimed: async () => {} };
    await changeDocument(reached, { kind: 'delete', by: row.initiator_employee_id });
  }
  const { files } = await stored();
  const uploads = ofTenant(store.files, tenant_id);
  for (const { file_id, object } of files) {
    await storage?.remove(object.key);
    await ofTenant(store.unclaimed_objects, tenant_id).deleteOne({ _id: object.key });
    const upload = await uploads.findOne({ _id: file_id });
    if (upload !== null && storage) await removeUpload(store, storage, upload);
  }
  await rows.change({ _id }, { $set: emptiedFields(documentLife), $inc: { rev: 1 } });
}

/** Takes something out of a text. */
type Redaction = (text: string) => string;

/** A route whose comments have lost what is taken from those of each employee. */
function redactedRoute(route: StoredRoute | null, redactionOf: (id: string) => Redaction): StoredRoute | null {
  if (route === null) return null;
  const steps = route.steps.map((step) => ({
    ...step,
    participants: step.participants.map((slot) =>
      slot.action === null
        ? slot
        : { ...slot, action: { ...slot.action, comment: redactionOf(slot.employee_id)(slot.action.comment) } },
    ),
  }));
  return { ...route, steps };
}

/** JSON text whose strings have lost what a function takes from texts. */
function redactedJson(json: string, redact: Redaction): string {
  const parsed: unknown = JSON.parse(json);
  return JSON.stringify(parsed, (_, value: unknown) => (typeof value === 'string' ? redact(value) : value));
}

/** The texts of a document without what is taken from them; undefined if that is nothing. */
function redactedDocument(
  row: DocumentRow,
  redact: Redaction,
  redactionOf: (employeeId: string) => Redaction,
): Partial<DocumentRow> | undefined {
  const changed: Pick<DocumentRow, FieldLiving<typeof documentLife, readonly [string, unknown, 'redacted']>> = {
    title: redact(row.title),
    number: redact(row.number),
    files: row.files.map((file) => ({ ...file, filename: redact(file.filename) })),
    route: redactedRoute(row.route, redactionOf),
    template: row.template && { ...row.template, values: redactedJson(row.template.values, redact) },
  };
  const isSame = Object.entries(changed).every(
    ([name, value]) => JSON.stringify(value) === JSON.stringify(row[name as keyof DocumentRow]),
  );
  return isSame ? undefined : { ...changed, ...searchFields(changed) };
}

/** Takes the person's values out of the texts of all documents of the tenant. @returns how many documents had some */
export async function redactDocuments(
  store: Store,
  tenantId: string,
  employeeIds: readonly string[],
  values: PersonValues,
): Promise<number> {
  const rows = tenantRows(store, 'documents', tenantId);
  const uploads = tenantRows(store, 'files', tenantId);
  const all = (text: string) => values.redacted(text);
  const own = (text: string) => values.withoutOwn(text);
  const changeOf = (row: DocumentRow) => {
    const texts = isAbout(row, employeeIds) ? all : own;
    // What somebody says in its own slot is its own.
    return redactedDocument(row, texts, (id) => (employeeIds.includes(id) ? all : texts));
  };
  let redacted = 0;
  // Documents of others may have texts with what is only this person's, such as its IIN, so all are looked at.
  for await (const found of ofTenant(store.documents, tenantId).find({})) {
    if (changeOf(found) === undefined) continue;
    redacted += await untilWritten(ATTEMPTS, async () => {
      const row = await rows.first({ _id: found._id });
      const change = row && changeOf(row);
      if (row === undefined || change === undefined) return 0;
      for (const { file_id, filename } of change.files ?? []) {
        await uploads.change({ _id: file_id }, { $set: { filename } });
      }
      const match = { _id: row._id, rev: row.rev };
      return (await rows.change(match, { $set: change, $inc: { rev: 1 } })) === undefined ? undefined : 1;
    });
  }
  return redacted;
}
