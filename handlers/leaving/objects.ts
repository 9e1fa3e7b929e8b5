/** The bytes of what leaves: every version under every key that a tenant, an upload or a document may have. */
import { type FileRow, fileLife } from '../data/collections/files.ts';
import { emptiedFields } from '../data/field-life.ts';
import { ofTenant } from '../data/of-tenant.ts';
import type { Store } from '../data/store.ts';
import { nowMs } from '../runtime/clock.ts';
import { type Storage, uploadKey } from '../storage/storage.ts';
import { UPLOADABLE_FOR_MS } from '../storage/uploads.ts';

/** What leaving needs of the storage. */
export type ObjectStorage = Pick<Storage, 'remove' | 'read'>;

/** How many objects are removed at a time. */
const ABREAST = 16;

/** The storage keys of everything that the tenant has stored, or may have. */
async function* objectKeys(store: Store, tenantId: string): AsyncGenerator<string> {
  const id = { projection: { _id: 1 } };
  for await (const { _id } of ofTenant(store.files, tenantId).find({}, id)) yield uploadKey(tenantId, _id);
  for await (const { files } of ofTenant(store.documents, tenantId).find({}, { projection: { files: 1 } })) {
    // The file of an upload is among those of the uploads.
    for (const { object } of files) if (!object.key.startsWith(uploadKey(tenantId, ''))) yield object.key;
  }
  for await (const { _id } of ofTenant(store.unclaimed_objects, tenantId).find({}, id)) yield _id;
}

/** Whether the tenant has stored anything, or may have. */
export async function hasObjects(store: Store, tenantId: string): Promise<boolean> {
  const { done } = await objectKeys(store, tenantId).next();
  return done !== true;
}

/** Removes every version of all files of the tenant. @returns how many keys there were */
export async function removeObjects(store: Store, storage: ObjectStorage, tenantId: string): Promise<number> {
  let removed = 0;
  let together: Promise<void>[] = [];
  for await (const key of objectKeys(store, tenantId)) {
    together.push(storage.remove(key));
    removed++;
    if (together.length < ABREAST) continue;
    await Promise.all(together);
    together = [];
  }
  await Promise.all(together);
  return removed;
}

/** Until when bytes may still arrive by the form of a reservation, which nothing can take back. */
const arrivesUntil = ({ create_time }: Pick<FileRow, 'create_time'>) =>
  new Date(create_time.getTime() + UPLOADABLE_FOR_MS);

/** Uploads of a tenant whose forms can still be used. */
export const uploadableOf = (store: Store, tenantId: string): Promise<FileRow[]> =>
  ofTenant(store.files, tenantId)
    .find({ create_time: { $gt: new Date(nowMs() - UPLOADABLE_FOR_MS) } })
    .toArray();

/**
 * What remains of the row of an upload that leaves while its form can still be used: the sweeper removes what arrives by
 * then, and the row.
 */
export function emptiedUpload(row: FileRow): FileRow {
  return { ...row, ...emptiedFields(fileLife), sweep_at: arrivesUntil(row) };
}

/** Removes an upload: every version of its bytes, and its row, or what is personal in it. */
export async function removeUpload(store: Store, storage: ObjectStorage, row: FileRow): Promise<void> {
  const { _id, tenant_id } = row;
  const files = ofTenant(store.files, tenant_id);
  if (arrivesUntil(row).getTime() > nowMs()) await files.updateOne({ _id }, { $set: emptiedUpload(row) });
  await storage.remove(uploadKey(tenant_id, _id));
  if (arrivesUntil(row).getTime() <= nowMs()) await files.deleteOne({ _id });
}
