/** Checks of the store: its version and its indexes. */
import { BSON, type CreateIndexesOptions } from 'mongodb';
import type { IndexKeys } from '../data/collection.ts';
import { collectionNames, declarationOf, type Store } from '../data/store.ts';
import { JOBS_COLLECTION, schedulerIndexes } from '../jobs/scheduler.ts';
import { newerStoreProblem, STORE_FORM } from '../prepare-store.ts';
import { programVersion } from '../runtime/version.ts';
import type { DeploymentCheck } from './check.ts';
import { doubtful, fine, skipped, wrong } from './finding.ts';

const EMPTY = 'the store is empty: the first process that starts makes it';

const collectionsIn = async ({ db }: Store): Promise<ReadonlySet<string>> =>
  new Set((await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name));

const isEmpty = (there: ReadonlySet<string>) => !collectionNames.some((name) => there.has(name));

type FoundIndex = IndexOptions & { readonly key: IndexKeys };
type IndexOptions = Pick<CreateIndexesOptions, 'unique' | 'expireAfterSeconds' | 'partialFilterExpression' | 'hidden'>;

const sameKey = (one: { readonly key: IndexKeys }, other: typeof one) =>
  JSON.stringify(one.key) === JSON.stringify(other.key);

/** What of an index decides which rows are there, or what it serves. */
const traitsOf = ({ unique = false, expireAfterSeconds, partialFilterExpression, hidden = false }: IndexOptions) =>
  BSON.EJSON.stringify([unique, expireAfterSeconds, partialFilterExpression, hidden]);

export const storeChecks: readonly DeploymentCheck[] = [
  {
    name: 'store.version',
    about: 'this program may run on what the store has become',
    async run({ database, config }) {
      const { store } = await database.opened();
      const row = await store.store_versions.findOne({ _id: 'store' });
      const { version: release } = programVersion(config);
      if (row === null)
        return isEmpty(await collectionsIn(store))
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
    },
  },
  {
    name: 'store.indexes',
    about: 'every index that the service needs is there',
    async run({ database }) {
      const { store } = await database.opened();
      const collections = await collectionsIn(store);
      if (isEmpty(collections)) return skipped(EMPTY);
      const declared = [
        ...collectionNames.map((name) => [name, declarationOf(name).indexes] as const),
        [JOBS_COLLECTION, schedulerIndexes] as const,
      ];
      const missing: string[] = [];
      const differing: string[] = [];
      for (const [name, wanted] of declared) {
        const indexes = collections.has(name) ? await store.db.collection(name).listIndexes().toArray() : [];
        const found = indexes as FoundIndex[];
        const named = ({ key }: FoundIndex) => `${name} ${JSON.stringify(key)}`;
        missing.push(...wanted.filter((one) => !found.some((other) => sameKey(other, one))).map(named));
        const isOther = (one: FoundIndex) => {
          const same = wanted.filter((other) => sameKey(one, other));
          if (same.length === 0) return one.expireAfterSeconds !== undefined;
          return !same.some(({ options = {} }) => traitsOf(options) === traitsOf(one));
        };
        differing.push(...found.filter(isOther).map(named));
      }
      const all = declared.reduce((sum, [, { length }]) => sum + length, 0);
      const shown = (some: readonly string[]) =>
        some.slice(0, 3).join(', ') + (some.length > 3 ? ` and ${some.length - 3} more` : '');
      if (missing.length > 0) {
        return wrong(
          `${missing.length} of ${all} are missing: ${shown(missing)}`,
          'Restart a process of this release, which makes them.',
        );
      }
      if (differing.length === 0) return fine(`all ${all} are there`);
      return wrong(
        `${differing.length} have other options than this release gives them, or remove rows: ${shown(differing)}`,
        'Drop them, and restart a process of this release.',
      );
    },
  },
];
