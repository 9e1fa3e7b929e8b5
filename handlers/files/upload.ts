/** What may be uploaded and when (D-23), and whether stored bytes are that. */

import { buffer } from 'node:stream/consumers';
import { ApiError, fail, failField, type Violation } from '../answers/errors.ts';
import type { FileRow, StoredObject } from '../data/collections/files.ts';
import { untilWritten } from '../data/writes.ts';
import { repeatedIdViolations } from '../http/body-fields.ts';
import type { CheckedRequest } from '../http/handler.ts';
import { MeasuredBytes } from '../storage/byte-streams.ts';
import type { ObjectVersion, Storage } from '../storage/storage.ts';
import { RESERVED_FOR_MS } from '../storage/uploads.ts';

/** 50 MB: the largest upload. The policy of the form allows this size for any reservation. */
export const MAX_UPLOAD_BYTES = 52_428_800;

/** How long the form is valid, in milliseconds. */
export const FORM_LIFETIME_MS = 15 * 60 * 1000;

/** What a PDF begins with; nothing else in the file is checked. */
const PDF_START = Buffer.from('%PDF-', 'latin1');

/** Scanners and mail programs write bytes before the PDF. Readers find it if it begins at this byte or before. */
const LAST_PDF_START = 1_019;

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

/** How often an object is read if it is replaced while being read. */
const TRIES = 3;

/**
 * The latest version under the key, with its digest. Size, first bytes and digest all belong to this one version, so it
 * can be pinned even if something else is uploaded meanwhile.
 * @param reserved the largest number of bytes that it may have
 * @throws ApiError FILE_NOT_UPLOADED, FILE_SIZE_MISMATCH, INVALID_ARGUMENT when no PDF begins near its start,
 *   UNAVAILABLE when storage fails or the object keeps changing
 */
export function acceptedObject(storage: Storage, key: string, reserved: number): Promise<StoredObject> {
  return untilWritten(TRIES, async () => {
    const found = await storage.latest(key);
    if (found === undefined || found.size_bytes === 0) return fail('FILE_NOT_UPLOADED');
    if (found.size_bytes > reserved) return fail('FILE_SIZE_MISMATCH');
    try {
      if (!(await beginsAsPdf(storage, found))) {
        return failField('file_id', `names no PDF: %PDF- begins at none of its bytes 0 to ${LAST_PDF_START}`);
      }
      const read = new MeasuredBytes();
      for await (const part of await storage.read(found)) read.add(part);
      const { sha256, size_bytes } = read.total();
      // Otherwise fewer or more bytes were read than the version has: the transfer broke, so read again.
      if (size_bytes === found.size_bytes) return { key, version: found.version, size_bytes, sha256 };
    } catch (error) {
      if (error instanceof ApiError) throw error;
      // If the version is still the latest, the failed read is a real fault; otherwise it was replaced or removed.
      if ((await storage.latest(key))?.version === found.version) throw error;
    }
    return undefined;
  });
}

async function beginsAsPdf(storage: Storage, object: ObjectVersion): Promise<boolean> {
  const head = { start: 0, end: LAST_PDF_START + PDF_START.length - 1 };
  return holdsPdfStart(await buffer(await storage.read(object, head)));
}
