/**
 * Writes a document in such a way that a process may die at any point. When its key is claimed, nothing exists; the next
 * attempt under the key takes the claim over, with the same id. Then the upload is linked to that id, or the printed PDF
 * is stored with a note that nothing refers to it: the next attempt finds its own link, or stores a PDF of its own;
 * without one, the sweeper frees the upload or removes the bytes. From the insert of the complete row on, the document
 * exists: any later attempt, also one that was only paused, finds the id taken and answers with it. Removing the note
 * and finishing the claim only clean up. Without a key nothing is claimed, and nothing repeated.
 */
import type { Caller } from '../../access/caller.ts';
import type { DocumentRow, StoredDocumentFile } from '../../data/collections/documents.ts';
import { now } from '../../runtime/clock.ts';
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
    ...searchFields(draft),
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
