/** Checks the stored bytes of an upload, without ever holding all of them in memory or parsing them (D-23). */
import { createHash } from 'node:crypto';
import { ApiError, fail, failField } from '../answers/errors.ts';
import type { StoredObject } from '../data/collections/files.ts';
import { untilWritten } from '../data/writes.ts';
import type { ObjectVersion, Storage } from '../storage/storage.ts';
import { holdsPdfStart, LAST_PDF_START, PDF_START } from './upload.ts';

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
        return failField('file_id', `%PDF- begins at none of its bytes 0 to ${LAST_PDF_START}`);
      }
      const { sha256, bytes } = await digest(await storage.read(found));
      // Otherwise fewer or more bytes were read than the version has: the transfer broke, so read again.
      if (bytes === found.size_bytes) return { key, version: found.version, size_bytes: bytes, sha256 };
    } catch (error) {
      if (error instanceof ApiError) throw error;
      // If the version is still the latest, the failed read is a real fault; otherwise it was replaced or removed.
      if ((await storage.latest(key))?.version === found.version) throw error;
    }
    return undefined;
  });
}

async function beginsAsPdf(storage: Storage, object: ObjectVersion): Promise<boolean> {
  const parts: Uint8Array[] = [];
  for await (const part of await storage.read(object, { start: 0, end: LAST_PDF_START + PDF_START.length - 1 }))
    parts.push(part);
  return holdsPdfStart(Buffer.concat(parts));
}

/** SHA-256 of a stream, lower-case hex, and its length. */
async function digest(stream: AsyncIterable<Uint8Array>): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const part of stream) {
    hash.update(part);
    bytes += part.length;
  }
  return { sha256: hash.digest('hex'), bytes };
}
