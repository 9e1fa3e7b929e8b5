/** Uploads as the contract shows them. */
import type { UploadedFile } from '../../generated/client/types.gen.ts';
import { shownTime } from '../answers/shown-times.ts';
import type { FileRow } from '../data/collections/files.ts';
import type { VisibleRow } from '../data/reads.ts';

/** An upload as every operation shows it; the size is the stored one as soon as that is known (D-23). */
export function fileView(row: VisibleRow<FileRow>): UploadedFile {
  return {
    id: row._id,
    filename: row.filename,
    content_type: row.content_type,
    size_bytes: String(row.object?.size_bytes ?? row.reserved_bytes),
    status: row.status,
    create_time: shownTime(row, 'create_time'),
  };
}
