/**
 * Files that the service makes itself. Their bytes are written before the document's row refers to them. To find bytes
 * that a crash leaves behind, a note is written before the bytes and removed after the row; the sweeper looks at notes
 * that remain (`handlers/files/sweep-files.ts`).
 */
import { randomUUID } from 'node:crypto';
import type { Caller } from '../access/caller.ts';
import type { StoredDocumentFile } from '../data/collections/documents.ts';
import { now } from '../runtime/clock.ts';
import { documentKey, type Storage } from './storage.ts';

/**
 * Stores a file that no row refers to yet. Write that row next (an insert under the document's id, or a change over its
 * `rev`), then call {@link claimed}; otherwise the sweeper removes the bytes.
 * @throws ApiError UNAVAILABLE when storage fails
 */
export async function storeFile(
  { caller, storage }: { readonly caller: Caller; readonly storage: Storage },
  documentId: string,
  file: Omit<StoredDocumentFile, 'file_id' | 'object'>,
  bytes: AsyncIterable<Uint8Array> | Uint8Array,
): Promise<StoredDocumentFile> {
  const file_id = randomUUID();
  const key = documentKey(caller.tenant.id, documentId, file_id);
  await note(caller, key);
  const object = await storage.write(key, file.content_type, bytes);
  // If this process was paused for long while writing, the sweeper may have removed its note before the bytes were
  // there.
  await note(caller, key);
  return { file_id, ...file, object };
}

/** Says that a row refers to the object now. Never fails: a note that stays is removed by the sweeper. */
export async function claimed(caller: Caller, key: string): Promise<void> {
  await caller
    .inTenant('unclaimed_objects')
    .remove({ _id: key })
    .catch(() => false);
}

/** Notes the key with the present time, also in a note that an earlier attempt left. */
async function note(caller: Caller, key: string): Promise<void> {
  const notes = caller.inTenant('unclaimed_objects');
  const create_time = now();
  const isNew = await notes.insert({ _id: key, tenant_id: caller.tenant.id, create_time });
  if (!isNew) await notes.change({ _id: key }, { $set: { create_time } });
}
