/** Where a deployment keeps files, for tools that remove or copy them. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { hasObjects, type ObjectStorage } from '../../../handlers/leaving/objects.ts';
import { readConfig } from '../../../handlers/runtime/config.ts';
import type { Environment } from '../../../handlers/runtime/environment.ts';
import { openFolder } from '../../../handlers/storage/folder.ts';
import { refuse } from '../../kit/command-line.ts';
import { filesFolder } from '../start/server.ts';
import type { CommandContext } from './command.ts';

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
    const folder = await openFolder(dir);
    return { remove: folder.remove, read: async (object, range) => folder.read(object, range) };
  }
  if (!env.S3_BUCKET) return undefined;
  const read = readConfig({ ...env, MONGODB_URI: 'mongodb://unused', MONGODB_URI_FILE: '' });
  if ('problems' in read) throw new Error(read.problems.join('\n'));
  const { s3Storage } = await import('../../../handlers/storage/s3.ts');
  return s3Storage(read.config);
}

/**
 * Where the files of some tenants are; needed only if there are any.
 * @param or what else helps @throws Failure where nothing says it, or it is wrong
 */
export async function storageFor(
  { store, env, dataDir }: Pick<CommandContext, 'store' | 'env' | 'dataDir'>,
  tenantIds: readonly string[],
  or = '',
): Promise<ObjectStorage | undefined> {
  const storage = await objectStorageOf(env, filesFolder(dataDir)).catch((error: Error) => refuse(error.message));
  const holds = await Promise.all(tenantIds.map((id) => hasObjects(store, id)));
  if (storage !== undefined || !holds.includes(true)) return storage;
  return refuse(
    `There are files, and nothing says where. Set STORAGE_DIR, or S3_BUCKET and its variables, as for the server${or}.`,
  );
}
