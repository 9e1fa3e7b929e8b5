/**
 * Decides whether a document has an object, in a way that stays true. A process may be paused for any time between
 * storing bytes (or linking an upload) and writing the document's row, so a missing row may still appear later.
 */
import type { DocumentRow } from '../data/collections/documents.ts';
import type { StoredObject } from '../data/collections/files.ts';
import { ofTenant } from '../data/of-tenant.ts';
import type { Store } from '../data/store.ts';
import { unlessThere, untilWritten } from '../data/writes.ts';
import { now } from '../process/clock.ts';

/** How often it is checked again after the document appeared between two reads; a document never disappears. */
const TRIES = 5;

/**
 * The document's object with this key; or undefined, and then no write under way can add it to the document any more.
 * An object is added either by inserting the document under its id, or by a write over the `rev` that was read before
 * the bytes were stored. So a document without the object gets a new `rev`, which makes such a write fail and be
 * computed again. If there is no document, a row that no operation shows takes its id, which makes such an insert fail.
 * Call this only when no retry under an Idempotency-Key can need the id any more.
 */
export async function settledObject(
  store: Store,
  tenantId: string,
  documentId: string,
  key: string,
): Promise<StoredObject | undefined> {
  const documents = ofTenant(store.documents, tenantId);
  const document = { _id: documentId };
  const attempt = async (): Promise<{ object: StoredObject | undefined } | undefined> => {
    const without = await documents.updateOne({ ...document, 'files.object.key': { $ne: key } }, { $inc: { rev: 1 } });
    if (without.matchedCount === 1) return { object: undefined };
    const row = await documents.findOne(document, { projection: { files: 1 } });
    const found = row?.files.find(({ object }) => object.key === key);
    if (found !== undefined) return found;
    const isIdTaken = row === null && (await unlessThere(() => documents.insertOne(never(tenantId, documentId))));
    return isIdTaken ? { object: undefined } : undefined;
  };
  const { object } = await untilWritten(TRIES, attempt, () => {
    throw new Error('the document kept changing');
  });
  return object;
}

/** The row of a document that was never made and never can be. */
function never(tenantId: string, documentId: string): DocumentRow {
  const at = now();
  return {
    _id: documentId,
    tenant_id: tenantId,
    listed: false,
    rev: 1,
    title: '',
    type_id: '',
    number: '',
    date: '',
    organization_id: '',
    department_id: '',
    initiator_employee_id: '',
    subject_employee_ids: [],
    status: 'DOCUMENT_STATUS_DRAFT',
    files: [],
    route: null,
    template: null,
    actors: [],
    visible_to: [],
    search_text: '',
    search_keys: [],
    pending_events: [],
    outbox_at: null,
    create_time: at,
    update_time: at,
    completed_at: null,
    deleted_at: at,
  };
}
