/**
 * Versioned objects in a folder that several processes share: `objects/<2 hex>/<sha256 of the key>/<version>`, so that
 * no key refers to anything outside; `incoming/` holds incomplete files, `identity` tells the folder from others. A version's number gives its place among the
 * versions of its key; its random part makes it unguessable.
 */
import { hash, randomBytes, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { link, mkdir, open, readdir, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { machineMs } from '../runtime/clock.ts';
import { MeasuredBytes } from './byte-streams.ts';
import type { Inventory, ListedVersion, ObjectVersion } from './storage.ts';

/** The digest of a key. */
const PLACE = /^[0-9a-f]{64}$/;
const VERSION = /^\d{8}-[0-9a-f]{32}$/;
/** If nothing is written to a file for this long, its writer is dead: uploads may neither pause nor last this long. */
const LEFT_OVER_MS = 2 * 60 * 60 * 1000;
/** How often a commit is tried if another process removes the key's folder, with its last version, meanwhile. */
const COMMIT_TRIES = 10;

/** Bytes that are stored durably, but under no key yet. */
export interface FileDraft {
  readonly size_bytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
  /** Makes them the latest version under the key. @returns the version */
  commit(key: string): Promise<string>;
  discard(): Promise<void>;
}

/** The folder. All errors are those of the file system. */
export interface Folder {
  draft(bytes: AsyncIterable<Uint8Array>): Promise<FileDraft>;
  latest(key: string): Promise<{ readonly version: string; readonly size_bytes: number } | undefined>;
  /** The size of a version; undefined when there is none. */
  size(object: ObjectVersion): Promise<number | undefined>;
  read(object: ObjectVersion, range?: { readonly start: number; readonly end: number }): AsyncIterable<Uint8Array>;
  remove(key: string, keep?: string): Promise<void>;
  /** Removes what dead writers have left. */
  clean(): Promise<void>;
}

const isCode = (...codes: string[]) => {
  return (error: NodeJS.ErrnoException): undefined => {
    if (!codes.includes(error.code ?? '')) throw error;
  };
};

/** Makes a rename or a new entry durable by syncing its folder. */
async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Opens the folder; creates what is missing, accessible only to the owner. */
export async function openFolder(root: string): Promise<Folder> {
  const incoming = join(root, 'incoming');
  const objects = join(root, 'objects');
  await mkdir(incoming, { recursive: true, mode: 0o700 });
  await mkdir(objects, { recursive: true, mode: 0o700 });
  const branches = Array.from({ length: 256 }, (_, byte) => join(objects, byte.toString(16).padStart(2, '0')));
  await Promise.all(branches.map((branch) => mkdir(branch, { mode: 0o700 }).catch(isCode('EEXIST'))));
  await identify(root);
  await syncFolder(objects);
  await syncFolder(root);

  return {
    draft: (bytes) => draft(incoming, objects, bytes),
    async latest(key) {
      const folder = folderOf(objects, key);
      // Another process may remove the version between the two calls.
      for (const version of (await versionsIn(folder)).reverse()) {
        const size_bytes = await sizeOf(folder, version);
        if (size_bytes !== undefined) return { version, size_bytes };
      }
      return undefined;
    },
    size: ({ key, version }) => sizeOf(folderOf(objects, key), version),
    read({ key, version }, range) {
      return bytesOf(join(folderOf(objects, key), VERSION.test(version) ? version : 'none'), range);
    },
    async remove(key, keep) {
      const folder = folderOf(objects, key);
      for (const version of await versionsIn(folder)) {
        if (version !== keep) await rm(join(folder, version), { force: true });
      }
      await rmdir(folder).catch(isCode('ENOENT', 'ENOTEMPTY', 'EEXIST'));
    },
    clean: () => clean(incoming),
  };
}

/** A random text in the folder, which tells it from every other one wherever it is mounted. */
const IDENTITY = 'identity';

/** What tells the folder from every other one; undefined if no process has opened it yet. */
export async function folderIdentity(root: string): Promise<string | undefined> {
  return readFile(join(root, IDENTITY), 'utf8').catch(isCode('ENOENT'));
}

/** Writes the identity, unless another process has: a link never replaces a file, and is there as a whole. */
async function identify(root: string): Promise<void> {
  if ((await folderIdentity(root)) !== undefined) return;
  const temporary = join(root, `${IDENTITY}.${randomUUID()}`);
  await writeFile(temporary, randomUUID(), { mode: 0o600, flush: true });
  await link(temporary, join(root, IDENTITY)).catch(isCode('EEXIST'));
  await rm(temporary, { force: true });
}

/** Where the versions of a key are: a folder of their own, in one of the branches. */
function folderOf(objects: string, key: string): string {
  const name = hash('sha256', key, 'hex');
  return join(objects, name.slice(0, 2), name);
}

/** The versions in a key's folder, oldest first. */
async function versionsIn(folder: string): Promise<string[]> {
  const names = (await readdir(folder).catch(isCode('ENOENT'))) ?? [];
  return names.filter((name) => VERSION.test(name)).sort();
}

/** All versions in the folder; a place is the digest of a key. */
export function folderInventory(root: string): Inventory {
  const objects = join(root, 'objects');
  const folder = (place: string) => join(objects, place.slice(0, 2), place);
  return {
    placeOf: (key) => basename(folderOf(objects, key)),
    versions: () => listed(objects),
    async removeVersion({ place, version }) {
      if (!PLACE.test(place) || !VERSION.test(version)) throw new Error('not a version of this folder');
      await rm(join(folder(place), version), { force: true });
      await rmdir(folder(place)).catch(isCode('ENOENT', 'ENOTEMPTY', 'EEXIST'));
    },
  };
}

async function* listed(objects: string): AsyncIterable<ListedVersion> {
  for (const branch of (await readdir(objects)).toSorted()) {
    const places = await readdir(join(objects, branch));
    for (const place of places.filter((name) => PLACE.test(name)).toSorted()) {
      for (const version of await versionsIn(join(objects, branch, place))) {
        const size_bytes = await sizeOf(join(objects, branch, place), version);
        if (size_bytes !== undefined) yield { place, version, size_bytes };
      }
    }
  }
}

async function sizeOf(folder: string, version: string): Promise<number | undefined> {
  if (!VERSION.test(version)) return undefined;
  return (await stat(join(folder, version)).catch(isCode('ENOENT')))?.size;
}

async function draft(incoming: string, objects: string, bytes: AsyncIterable<Uint8Array>): Promise<FileDraft> {
  const temporary = join(incoming, randomUUID());
  const measured = new MeasuredBytes();
  const discard = () => rm(temporary, { force: true });
  const handle = await open(temporary, 'wx', 0o600);
  try {
    await handle.writeFile(measured.passing(bytes));
    await handle.sync();
  } catch (error) {
    await discard();
    throw error;
  } finally {
    await handle.close();
  }
  return { ...measured.total(), commit: (key) => commit(temporary, folderOf(objects, key)), discard };
}

async function commit(temporary: string, folder: string): Promise<string> {
  for (let tries = 1; ; tries++) {
    await mkdir(folder, { mode: 0o700 }).catch(isCode('EEXIST'));
    const number = Number((await versionsIn(folder)).at(-1)?.slice(0, 8) ?? 0) + 1;
    const version = `${String(number).padStart(8, '0')}-${randomBytes(16).toString('hex')}`;
    try {
      await rename(temporary, join(folder, version));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || tries === COMMIT_TRIES) throw error;
      continue;
    }
    // If the folder is missing again, another process has removed the version, which counts as stored.
    await syncFolder(folder).catch(isCode('ENOENT'));
    await syncFolder(dirname(folder));
    return version;
  }
}

async function clean(incoming: string): Promise<void> {
  for (const name of await readdir(incoming)) {
    const path = join(incoming, name);
    const entry = await stat(path).catch(isCode('ENOENT'));
    // The file's time is the machine's.
    if (entry !== undefined && machineMs() - entry.mtimeMs > LEFT_OVER_MS) await rm(path, { force: true });
  }
}

/** Opens the file only when reading begins, so that no file stays open if nobody ever reads it. */
async function* bytesOf(
  path: string,
  range?: { readonly start: number; readonly end: number },
): AsyncIterable<Uint8Array> {
  yield* createReadStream(path, range);
}
