/** What may be uploaded and when (D-23), as pure functions. */
import type { Violation } from '../answers/errors.ts';
import type { FileRow } from '../data/collections/files.ts';
import { repeatedIdViolations } from '../http/body-fields.ts';
import type { CheckedRequest } from '../http/handler.ts';
import { RESERVED_FOR_MS } from '../storage/uploads.ts';

/** 50 MB: the largest upload. The policy of the form allows this size for any reservation. */
export const MAX_UPLOAD_BYTES = 52_428_800;

/** How long the form is valid, in milliseconds. */
export const FORM_LIFETIME_MS = 15 * 60 * 1000;

/** What a PDF begins with; nothing else in the file is checked. */
export const PDF_START = Buffer.from('%PDF-', 'latin1');

/** Scanners and mail programs write bytes before the PDF. Readers find it if it begins at this byte or before. */
export const LAST_PDF_START = 1_019;

/** Whether a PDF begins within the first bytes of a file, as far as they are given. */
export function holdsPdfStart(head: Buffer): boolean {
  const at = head.indexOf(PDF_START);
  return at >= 0 && at <= LAST_PDF_START;
}

/**
 * Reports a size above the limit.
 * @param body its size, if given, has passed the contract's schema: a whole number of 1 or more, or its digits
 */
export function reservationViolations({ body }: Pick<CheckedRequest<'reserveFile'>, 'body'>): Violation[] {
  const isFit = body.size_bytes === undefined || Number(body.size_bytes) <= MAX_UPLOAD_BYTES;
  return isFit ? [] : [{ field: 'size_bytes', description: `must be at most ${MAX_UPLOAD_BYTES}` }];
}

/** Reports a `file_id` in the body that differs from the path's. */
export function confirmationViolations(asked: Pick<CheckedRequest<'confirmFile'>, 'path' | 'body'>): Violation[] {
  return repeatedIdViolations('file_id', asked, 'must be the file_id of the path');
}

/** A reservation must be newer than this to be confirmed: it expires by the clock, even before the sweeper runs. */
export function confirmableSince(nowMs: number): Date {
  return new Date(nowMs - RESERVED_FOR_MS);
}

/** Whether the upload can be confirmed at all. */
export function isConfirmable(row: Pick<FileRow, 'status' | 'create_time'>, nowMs: number): boolean {
  return row.status === 'FILE_UPLOAD_STATUS_RESERVED' && row.create_time > confirmableSince(nowMs);
}
