/**
 * Files that the service makes itself: a rendered PDF, a signature, a signing sheet. Their bytes are written before the
 * document's row refers to them, so what a crash leaves must be found: a note is written before the bytes and removed
 * after the row. The sweeper removes the bytes of notes that nobody removed, unless a document refers to them
 * (`handlers/files/sweep-files.ts`).
 */
import type { Caller } from '../access/caller.ts';
import type { StoredObject } from '../data/store.ts';
import { now } from '../process/clock.ts';
import type { Storage } from './storage.ts';

/**
 * Stores bytes that no row refers to yet. Next comes the write of the row that refers to them, which has to be an
 * insert under the document's id or a change over the document's `rev`, and then {@link claimed}. If the row is not
 * written, the bytes are left to the sweeper.
 * @param key from `documentKey`; a new file id for each attempt keeps attempts apart
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
  // A process that was stopped for long while it wrote may have lost its note to the sweeper before the bytes came.
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

/** Notes the key as of now; a note of an earlier attempt under the same key counts from now on. */
async function note(caller: Caller, key: string): Promise<void> {
  const notes = caller.inTenant('unclaimed_objects');
  const create_time = now();
  const isNew = await notes.insert({ _id: key, tenant_id: caller.tenant.id, create_time });
  if (!isNew) await notes.change({ _id: key }, { $set: { create_time } });
}
