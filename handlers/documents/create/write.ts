/**
 * Writing a document, so that a process may die anywhere. The order, and what a death after each step leaves:
 *
 * 1. the claim on the key: nothing is there yet. The next attempt under the key takes it over, with the same id;
 * 2. the upload is linked to that id, or the rendered PDF is stored with a note that nothing refers to it: the next
 *    attempt finds the link its own, or stores its own PDF under a new file id. If none comes, the sweeper frees the
 *    upload, and removes the bytes;
 * 3. the row is inserted, whole: from here on the document exists. Who comes after, a taker-over or one that was only
 *    paused, finds the id taken, and answers with the document that is there;
 * 4. the note is removed, 5. the claim is done: both only tidy up. The sweeper sees that the document has the bytes; the
 *    next attempt under the key sees the document before it checks anything else.
 *
 * Without a key there are steps 2 to 4, and nobody repeats them.
 */
import { randomUUID } from 'node:crypto';
import type { Caller } from '../../access/caller.ts';
import type { DocumentRow, StoredDocumentFile } from '../../data/store.ts';
import { now } from '../../process/clock.ts';
import { claimed, storeObject } from '../../storage/objects.ts';
import { documentKey, type Storage } from '../../storage/storage.ts';
import { linkUpload } from '../../storage/uploads.ts';
import type { FilledDocument } from '../pdf/layout.ts';
import { renderDocument } from '../pdf/render.ts';
import { searchFields } from '../search.ts';
import type { Draft } from './creation.ts';
import { filenameOf } from './filename.ts';

interface Means {
  readonly caller: Caller;
  readonly storage: Storage;
}

const PDF = 'application/pdf';

/**
 * Creates the document under the id.
 * @returns the row; nothing when another attempt has created it
 * @throws ApiError of {@link linkUpload} when the upload was taken meanwhile, UNAVAILABLE; no document is there then
 */
export async function writeDocument(means: Means, draft: Draft, id: string): Promise<DocumentRow | undefined> {
  const { caller } = means;
  const { source, ...fields } = draft;
  const filename = filenameOf(draft.title, '.pdf');
  const isUpload = 'file_id' in source;
  const file = isUpload
    ? { ...(await linkUpload(caller, source.file_id, id)), filename }
    : await rendered(means, source.filled, id, filename);
  const at = now();
  const row: DocumentRow = {
    _id: id,
    // Among the first fields, as a search reads it of many documents and nothing else of them.
    ...searchFields(draft.title, draft.number),
    tenant_id: caller.tenant.id,
    listed: true,
    rev: 1,
    ...fields,
    status: 'DOCUMENT_STATUS_DRAFT',
    files: [file],
    route: null,
    template: isUpload ? null : source.template,
    actors: [draft.initiator_employee_id],
    visible_to: [draft.initiator_employee_id],
    pending_events: [],
    outbox_at: null,
    create_time: at,
    update_time: at,
    completed_at: null,
    deleted_at: null,
  };
  if (!(await caller.inTenant('documents').insert(row))) return undefined;
  if (!isUpload) await claimed(caller, file.object.key);
  return row;
}

async function rendered(
  means: Means,
  filled: FilledDocument,
  documentId: string,
  filename: string,
): Promise<StoredDocumentFile> {
  const tenantId = means.caller.tenant.id;
  const bytes = await renderDocument({ ...filled, id: documentId }, tenantId);
  const file_id = randomUUID();
  const key = documentKey(tenantId, documentId, file_id);
  const object = await storeObject(means, key, PDF, bytes);
  return { file_id, file_type: 'FILE_TYPE_PDF', filename, content_type: PDF, object };
}
