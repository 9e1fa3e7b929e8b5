/**
 * Writes a document in such a way that a process may die at any point. The steps, and what happens after a crash behind
 * each of them:
 *
 * 1. The key is claimed. Nothing exists yet; the next attempt under the key takes the claim over, with the same id. 2.
 * The upload is linked to that id, or the rendered PDF is stored, with a note that nothing refers to it. The next
 * attempt finds the link to its own id, or stores its own PDF under a new file id. Without another attempt, the sweeper
 * frees the upload, or removes the bytes. 3. The complete row is inserted: from here on the document exists. Any later
 * attempt, also one that was only paused, finds the id taken and answers with the existing document. 4. The note is
 * removed, and 5. the claim is marked as done. Both only clean up: the sweeper sees that the document has the bytes,
 * and the next attempt under the key sees the document before it checks anything else.
 *
 * Without a key there are only steps 2 to 4, and they are not repeated.
 */
import type { Caller } from '../../access/caller.ts';
import type { DocumentRow, StoredDocumentFile } from '../../data/collections/documents.ts';
import { now } from '../../process/clock.ts';
import { claimed, storeFile } from '../../storage/objects.ts';
import type { Storage } from '../../storage/storage.ts';
import { linkUpload } from '../../storage/uploads.ts';
import { printed } from '../pdf/printer.ts';
import { searchFields } from '../search.ts';
import type { NewDocument } from './creation.ts';
import { filenameOf } from './filename.ts';

/**
 * Creates the document under the id.
 * @returns the row; undefined if another attempt has created it
 * @throws ApiError of {@link linkUpload} if the upload was taken meanwhile, or UNAVAILABLE; then no document exists
 */
export async function writeDocument(
  { caller, storage }: { readonly caller: Caller; readonly storage: Storage },
  draft: NewDocument,
  id: string,
): Promise<DocumentRow | undefined> {
  const { source, ...fields } = draft;
  const filename = filenameOf(draft.title, '.pdf');
  const isUpload = 'file_id' in source;
  const file: StoredDocumentFile = isUpload
    ? { ...(await linkUpload(caller, source.file_id, id)), filename }
    : await storeFile(
        { caller, storage },
        id,
        { file_type: 'FILE_TYPE_PDF', filename, content_type: 'application/pdf' },
        await printed({ kind: 'document', input: { ...source.filled, id } }, caller.tenant.id),
      );
  const at = now();
  const row: DocumentRow = {
    _id: id,
    // Near the beginning of the row, because a search reads these fields, and no others, of many documents.
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
