/** Takes test tenants away with all that they hold, also what their files are in the storage. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { CollectionName, Store } from '../../../handlers/data/store.ts';
import { readConfig } from '../../../handlers/process/config.ts';
import type { Environment } from '../../../handlers/process/environment.ts';
import { openFolder } from '../../../handlers/storage/folder.ts';
import { type Storage, uploadKey } from '../../../handlers/storage/storage.ts';
import { removeTenant } from '../seed/write.ts';

/** How many objects are removed at a time. */
const ABREAST = 16;

export type ObjectStorage = Pick<Storage, 'remove'>;

/**
 * Where the deployment keeps files, by the variables of the server.
 * @param filesDir the folder that `npm start` uses
 * @returns undefined if the variables name no storage, and there is no such folder @throws Error in words for a person
 */
export async function objectStorageOf(env: Environment, filesDir: string): Promise<ObjectStorage | undefined> {
  const dir = env.STORAGE_DIR || (!env.S3_BUCKET && existsSync(filesDir) ? filesDir : undefined);
  if (dir !== undefined) {
    // Not created: with a wrong path, everything would seem to be removed.
    if (!existsSync(path.join(dir, 'objects'))) throw new Error(`STORAGE_DIR (${dir}) is no folder of the service.`);
    return openFolder(dir);
  }
  if (!env.S3_BUCKET) return undefined;
  const read = readConfig({ ...env, MONGODB_URI: 'mongodb://unused', MONGODB_URI_FILE: '' });
  if ('problems' in read) throw new Error(read.problems.join('\n'));
  const { s3Storage } = await import('../../../handlers/storage/s3.ts');
  return s3Storage(read.config);
}

/** The storage keys of everything that the tenant has stored, or may have. */
async function* objectKeys(store: Store, tenantId: string): AsyncGenerator<string> {
  const ofTenant = { tenant_id: tenantId };
  for await (const { _id } of store.files.find(ofTenant, { projection: { _id: 1 } })) yield uploadKey(tenantId, _id);
  for await (const { files } of store.documents.find(ofTenant, { projection: { files: 1 } })) {
    // The file of an upload is among those of the uploads.
    for (const { object } of files) if (!object.key.startsWith(uploadKey(tenantId, ''))) yield object.key;
  }
  for await (const { _id } of store.unclaimed_objects.find(ofTenant, { projection: { _id: 1 } })) yield _id;
}

export async function hasObjects(store: Store, tenantId: string): Promise<boolean> {
  const { done } = await objectKeys(store, tenantId).next();
  return done !== true;
}

/** Removes the bytes of all files of the tenant. @returns how many objects were removed */
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

export type RemovedCounts = Readonly<Partial<Record<CollectionName | 'objects', number>>>;

/**
 * Removes a tenant: first its own row, so that no key works any more, then the bytes of its files, whose rows say where
 * they are, then all other rows. It may be repeated after an interruption.
 */
export async function removeWholeTenant(
  store: Store,
  storage: ObjectStorage | undefined,
  tenantId: string,
): Promise<RemovedCounts> {
  await store.tenants.deleteOne({ _id: tenantId });
  const objects = storage ? await removeObjects(store, storage, tenantId) : 0;
  return { ...(await removeTenant(store, tenantId)), objects };
}
