/**
 * Uploads as documents take them (D-17, D-23). An upload becomes the PDF of at most one document: the link is one
 * conditional write on its row, made before the document is inserted. After a crash between the two, the creation's
 * retry has the same document id and finds the link its own; the sweeper frees the upload once no such retry can come
 * any more ({@link ABANDONED_AFTER_MS}).
 */

import type { Caller } from '../access/caller.ts';
import { fail } from '../answers/errors.ts';
import type { StoredDocumentFile } from '../data/collections/documents.ts';
import { type FileRow, files } from '../data/collections/files.ts';
import { unclaimedObjects } from '../data/collections/unclaimed_objects.ts';
import type { VisibleRow } from '../data/reads.ts';
import { keptMs } from '../data/retention.ts';
import { untilWritten } from '../data/writes.ts';
import { now } from '../runtime/clock.ts';

/**
 * After so many milliseconds nothing completes a link, or a note of an unclaimed object, any more: the 24 hours of an
 * Idempotency-Key, and an hour for the last request under it.
 */
export const ABANDONED_AFTER_MS = keptMs(unclaimedObjects);

/** How long after its reservation an upload may be confirmed (D-1, D-23), in milliseconds. */
export const RESERVED_FOR_MS = 24 * 60 * 60 * 1000;

/**
 * How long after its confirmation an upload waits for a document (D-23), and how long an expired reservation is
 * answered as one, in milliseconds.
 */
export const KEPT_FOR_MS = keptMs(files);

/** How long after its reservation no further bytes can arrive, in milliseconds: the form's time, and a slow upload. */
export const UPLOADABLE_FOR_MS = 60 * 60 * 1000;

/** How often an upload that changes under our hands is looked at again. */
const TRIES = 3;

/**
 * The upload as the file of a document that is to be created from it; nothing is written.
 * @param documentId of the document: an upload that is linked to it already counts as free
 * @throws ApiError FILE_NOT_FOUND, FILE_INVALID_STATUS_TRANSITION (not confirmed, or expired), FILE_ALREADY_LINKED
 */
export async function linkableUpload(caller: Caller, fileId: string, documentId: string): Promise<StoredDocumentFile> {
  const row = await caller.files.get(fileId);
  const { status } = row;
  if (status !== 'FILE_UPLOAD_STATUS_UPLOADED') fail('FILE_INVALID_STATUS_TRANSITION', { metadata: { status } });
  if (row.document_id !== '' && row.document_id !== documentId) fail('FILE_ALREADY_LINKED');
  return documentFile(row);
}

/**
 * Takes the upload for the document. A repeat changes nothing but the time of the link. Then the document is inserted
 * with the file as it is returned: the sweeper knows a document's upload by the key of its object.
 * @throws ApiError as {@link linkableUpload}; nothing is changed then
 */
export async function linkUpload(caller: Caller, fileId: string, documentId: string): Promise<StoredDocumentFile> {
  const rows = caller.inTenant('files');
  return untilWritten(TRIES, async () => {
    const at = now();
    const row = await rows.change(
      {
        _id: fileId,
        owner_id: caller.owner.id,
        status: 'FILE_UPLOAD_STATUS_UPLOADED',
        document_id: { $in: ['', documentId] },
      },
      {
        $set: {
          document_id: documentId,
          linked_at: at,
          sweep_at: new Date(at.getTime() + ABANDONED_AFTER_MS),
          update_time: at,
        },
      },
    );
    if (row !== undefined) return documentFile(row);
    // Says why. If it finds the upload free, that has just changed.
    await linkableUpload(caller, fileId, documentId);
    return undefined;
  });
}

function documentFile({ _id, filename, content_type, object }: VisibleRow<FileRow>): StoredDocumentFile {
  if (object === null) throw new Error('a confirmed upload without its object');
  return { file_id: _id, file_type: 'FILE_TYPE_PDF', filename, content_type, object };
}
