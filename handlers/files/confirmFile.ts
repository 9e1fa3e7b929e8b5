import type { Caller } from '../access/caller.ts';
import { fail } from '../answers/errors.ts';
import type { FileRow, StoredObject } from '../data/collections/files.ts';
import type { VisibleRow } from '../data/reads.ts';
import { readInTurn } from '../fairness/work-in-turn.ts';
import type { Handler } from '../http/handler.ts';
import { now, nowMs } from '../runtime/clock.ts';
import { uploadKey } from '../storage/storage.ts';
import { UPLOADABLE_FOR_MS } from '../storage/uploads.ts';
import { acceptedObject, confirmableSince, isConfirmable } from './upload.ts';
import { fileView } from './view.ts';

/** Checks that the bytes are stored and pins them; a second call changes nothing (D-23). */
export const confirmFile: Handler<'confirmFile'> = async ({ caller, path, storage }) => {
  const row = await caller.files.get(path.file_id);
  if (row.status === 'FILE_UPLOAD_STATUS_UPLOADED') return { file: fileView(row) };
  if (!isConfirmable(row, nowMs())) return fail('FILE_NOT_UPLOADED');
  const { id: tenantId } = caller.tenant;
  const object = await readInTurn(tenantId, () =>
    acceptedObject(storage, uploadKey(tenantId, row._id), row.reserved_bytes),
  );
  const confirmed = await confirm(caller, row, object);
  if (confirmed !== undefined) return { file: fileView(confirmed) };
  // Another confirmation was faster, and its pinned version counts; or the reservation expired meanwhile.
  const after = await caller.files.get(row._id);
  return after.status === 'FILE_UPLOAD_STATUS_UPLOADED' ? { file: fileView(after) } : fail('FILE_NOT_UPLOADED');
};

/**
 * The only write that changes RESERVED to UPLOADED. Of several confirmations, the object of the first one stays. The
 * sweeper changes RESERVED to EXPIRED by a write with the same condition, and removes bytes only after that, so a
 * confirmed upload loses nothing.
 */
function confirm(caller: Caller, { _id, create_time }: VisibleRow<FileRow>, object: StoredObject) {
  const at = now();
  // Later uploads through the form are removed once the form can no longer be used.
  const sweep_at = new Date(Math.max(at.getTime(), create_time.getTime() + UPLOADABLE_FOR_MS));
  return caller.inTenant('files').change(
    { _id, status: 'FILE_UPLOAD_STATUS_RESERVED', create_time: { $gt: confirmableSince(at.getTime()) } },
    {
      $set: { status: 'FILE_UPLOAD_STATUS_UPLOADED', object, confirmed_at: at, update_time: at, sweep_at },
    },
  );
}
