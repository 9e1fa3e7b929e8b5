/** The row of an upload, for tests. */
import { randomUUID } from 'node:crypto';
import type { FileRow } from '../../handlers/data/collections/files.ts';
import { now } from '../../handlers/runtime/clock.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** A reservation made now, as reserveFile leaves it. @param changes fields that the test needs */
export function reservationRow(changes: Partial<FileRow> & Pick<FileRow, 'tenant_id'>): FileRow {
  const at = now();
  return {
    _id: randomUUID(),
    owner_id: randomUUID(),
    filename: 'a.pdf',
    content_type: 'application/pdf',
    reserved_bytes: 100,
    status: 'FILE_UPLOAD_STATUS_RESERVED',
    object: null,
    confirmed_at: null,
    document_id: '',
    linked_at: null,
    sweep_at: new Date(at.getTime() + DAY_MS),
    create_time: at,
    update_time: at,
    ...changes,
  };
}
