/**
 * Whether a document has an object, answered for good. A process may be paused for any time between storing bytes (or
 * linking an upload) and writing the document's row, so that the row is not there says nothing about the next moment.
 */
import { unlessThere } from '../data/insert.ts';
import type { DocumentRow, Store, StoredObject } from '../data/store.ts';
import { now } from '../process/clock.ts';

/** A document that appears between two looks at it is looked at again; it never disappears. */
const TRIES = 5;

/**
 * The object under the key as the document has it; or nothing, and then no write that is under way can give it to the
 * document any more. Whoever adds an object writes the document's row as an insert under its id, or over the `rev` that
 * was read before the bytes were stored. So a document without the object gets a new `rev`, which makes such a change
 * fail and be computed anew; and where there is no document, its id is taken by a row that no operation shows, which
 * makes such an insert fail. Call it only when no retry under an Idempotency-Key can want the id any more.
 */
export async function fencedObject(
  store: Store,
  tenantId: string,
  documentId: string,
  key: string,
): Promise<StoredObject | undefined> {
  const document = { _id: documentId, tenant_id: tenantId };
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const without = await store.documents.updateOne(
      { ...document, 'files.object.key': { $ne: key } },
      { $inc: { rev: 1 } },
    );
    if (without.matchedCount === 1) return undefined;
    const row = await store.documents.findOne(document, { projection: { files: 1 } });
    const found = row?.files.find(({ object }) => object.key === key);
    if (found !== undefined) return found.object;
    if (row === null && (await unlessThere(() => store.documents.insertOne(never(tenantId, documentId)))))
      return undefined;
  }
  throw new Error('a document that does not hold still');
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
