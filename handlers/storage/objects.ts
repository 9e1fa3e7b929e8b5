/**
 * Files that the service makes itself: a rendered PDF, a signature, a signing sheet. Their bytes are written before the
 * document's row refers to them. To find bytes that a crash leaves behind, a note is written before the bytes and
 * removed after the row. For notes that remain, the sweeper removes the bytes, unless a document refers to them
 * (`handlers/files/sweep-files.ts`).
 */
import type { Caller } from '../access/caller.ts';
import type { StoredObject } from '../data/collections/files.ts';
import { now } from '../process/clock.ts';
import type { Storage } from './storage.ts';

/**
 * Stores bytes that no row refers to yet. After it, write the row that refers to them (by an insert under the
 * document's id or a change over the document's `rev`), then call {@link claimed}. If the row is not written, the
 * sweeper removes the bytes.
 * @param key from `documentKey`; use a new file id for each attempt, to keep attempts apart
 * @throws ApiError UNAVAILABLE when storage fails
 */
export async function storeObject(
  { caller, storage }: { readonly caller: Caller; readonly storage: Storage },
  key: string,
  contentType: string,
  bytes: AsyncIterable<Uint8Array> | Uint8Array,
): Promise<StoredObject> {
  await note(caller, key);
  const object = await storage.write(key, contentType, bytes);
  // If this process was paused for long while writing, the sweeper may have removed its note before the bytes were
  // there.
  await note(caller, key);
  return object;
}

/**
 * Says that a row refers to the object now. Never fails: the row is written and the request has succeeded, and a note
 * that stays is removed by the sweeper, which finds that the document has the object.
 */
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
