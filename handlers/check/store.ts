/** Checks of the store: its version and its indexes. */

import type { IndexKeys } from '../data/collection.ts';
import { collectionNames, declarationOf, type Store } from '../data/store.ts';
import { JOBS_COLLECTION, schedulerIndexes } from '../jobs/scheduler.ts';
import { newerStoreProblem, STORE_FORM } from '../prepare-store.ts';
import { programVersion } from '../runtime/version.ts';
import type { CheckContext, DeploymentCheck } from './check.ts';
import { doubtful, fine, type Judgement, skipped, wrong } from './finding.ts';

const EMPTY = 'the store is empty: the first process that starts makes it';

async function isEmpty({ db }: Store): Promise<boolean> {
  const names = new Set((await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name));
  return !collectionNames.some((name) => names.has(name));
}

async function version({ database, config }: CheckContext): Promise<Judgement> {
  const { store } = await database.opened();
  const row = await store.store_versions.findOne({ _id: 'store' });
  const { version: release } = programVersion(config);
  if (row === null)
    return (await isEmpty(store))
      ? skipped(EMPTY)
      : doubtful('has no version yet: an earlier release made it', 'The next start notes one; have a backup.');
  const problem = newerStoreProblem(row);
  if (problem !== undefined)
    return wrong(problem.replace(/^MONGODB_URI: /, ''), 'Run the newer release, or restore the backup.');
  if (row.version > STORE_FORM.version) {
    return fine(
      `release ${row.release} made it version ${row.version}; this one (${release}, ${STORE_FORM.version}) is safe on it`,
    );
  }
  if (row.version < STORE_FORM.version) {
    return doubtful(
      `is version ${row.version}; the first process of this release raises it to ${STORE_FORM.version}`,
      'Have a backup.',
    );
  }
  return fine(`is version ${row.version}, that of this program`);
}

async function indexes({ database }: CheckContext): Promise<Judgement> {
  const { store } = await database.opened();
  if (await isEmpty(store)) return skipped(EMPTY);
  const declared = [
    ...collectionNames.map((name) => [name, declarationOf(name).indexes] as const),
    [JOBS_COLLECTION, schedulerIndexes] as const,
  ];
  const missing = await Promise.all(
    declared.map(async ([name, wanted]) => {
      const there = await keysOf(store, name);
      return wanted
        .map(({ key }) => JSON.stringify(key))
        .filter((key) => !there.has(key))
        .map((key) => `${name} ${key}`);
    }),
  ).then((lists) => lists.flat());
  const all = declared.reduce((sum, [, { length }]) => sum + length, 0);
  if (missing.length === 0) return fine(`all ${all} are there`);
  const shown = missing.slice(0, 3).join(', ') + (missing.length > 3 ? ` and ${missing.length - 3} more` : '');
  return wrong(
    `${missing.length} of ${all} are missing: ${shown}`,
    'Restart a process of this release, which makes them.',
  );
}

async function keysOf(store: Store, name: string): Promise<ReadonlySet<string>> {
  const there = await store.db.listCollections({ name }, { nameOnly: true }).toArray();
  const found = there.length === 0 ? [] : await store.db.collection(name).listIndexes().toArray();
  return new Set(found.map(({ key }: { key: IndexKeys }) => JSON.stringify(key)));
}

export const storeChecks: readonly DeploymentCheck[] = [
  { name: 'store.version', about: 'this program may run on what the store has become', run: version },
  { name: 'store.indexes', about: 'every index that the service needs is there', run: indexes },
];
