/**
 * Refuses a store that only a newer program understands, and adds the indexes that a store of an earlier version lacks. Rows
 * are what release 1.7.0 and later ones write.
 */
import type { StoreVersionRow } from './data/collections/store_versions.ts';
import { UnsupportedEngine } from './data/engine.ts';
import { collectionNames, createIndexes, declarationOf, type Store } from './data/store.ts';
import { unlessThere } from './data/writes.ts';
import { now } from './runtime/clock.ts';
import { programVersion } from './runtime/version.ts';

/** The form of rows and indexes that a program writes, and which programs may run beside it or after it. */
interface StoreForm {
  /** Raised by one with each change of rows that an older program does not write. */
  readonly version: number;
  /** The oldest version whose programs neither misread nor spoil such rows; kept where a change is only an addition. */
  readonly oldestSafe: number;
}

/** Those of this program. */
export const STORE_FORM: StoreForm = { version: 1, oldestSafe: 1 };

/** MongoDB's code for a missing index. */
const INDEX_NOT_FOUND = 27;

/**
 * Prepares the store for this version. After a crash in between, the next start does the rest, and any number of
 * processes may do it at once.
 * @returns the indexes that somebody has made otherwise than this program would
 */
export async function prepareStore(store: Store, form = STORE_FORM): Promise<string[]> {
  await refuseNewerStore(store, form);
  const differing = await createIndexes(store);
  await dropRetiredIndexes(store);
  await noteForm(store, form);
  return differing;
}

/**
 * Keeps a program from a store that a newer one has changed, unless that one has said that it is safe.
 * @throws UnsupportedEngine in words for the operator
 */
export async function refuseNewerStore(store: Store, form = STORE_FORM): Promise<void> {
  const problem = newerStoreProblem(await store.store_versions.findOne({ _id: 'store' }), form);
  if (problem !== undefined) throw new UnsupportedEngine(problem);
}

/** Why a program must not run on a store with this row, as a sentence; undefined if it may. */
export function newerStoreProblem(row: StoreVersionRow | null, { version } = STORE_FORM): string | undefined {
  if (row === null || version >= row.oldest_safe) return undefined;
  return (
    `MONGODB_URI: release ${row.release} has brought this database to store version ${row.version}, which only programs ` +
    `of store version ${row.oldest_safe} or newer understand; this program has ${version}. Run a newer release, or ` +
    'restore the backup from before the upgrade'
  );
}

/** Raises the version of the store, never lowers it: an older program that is safe leaves it as it is. */
async function noteForm(store: Store, form: StoreForm): Promise<void> {
  const row = await store.store_versions.findOne({ _id: 'store' });
  if (row !== null && row.version >= form.version) return;
  const { version: release } = programVersion({});
  const oldest_safe = Math.max(form.oldestSafe, row?.oldest_safe ?? 0);
  const noted = { version: form.version, oldest_safe, release, update_time: now() };
  const over = { _id: 'store', version: row?.version ?? form.version } as const;
  await unlessThere(() => store.store_versions.updateOne(over, { $set: noted }, { upsert: row === null }));
  // Another program may have raised it meanwhile, to less or to more.
  await noteForm(store, form);
}

/** Runs after the replacing indexes exist, so each query always has its index. Indexes of others are not touched. */
async function dropRetiredIndexes(store: Store): Promise<void> {
  for (const name of collectionNames) {
    const { retiredIndexes: retired } = declarationOf(name);
    if (retired === undefined) continue;
    const collection = store.db.collection(name);
    const unused = new Set(retired.map((keys) => JSON.stringify(keys)));
    for (const index of await collection.listIndexes().toArray()) {
      if (unused.has(JSON.stringify(index.key))) await collection.dropIndex(index.name).catch(ifGone);
    }
  }
}

/** Another process may have dropped it. */
function ifGone(error: { code?: unknown }): void {
  if (error.code !== INDEX_NOT_FOUND) throw error;
}
