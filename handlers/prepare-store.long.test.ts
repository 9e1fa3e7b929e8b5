/** A database of an earlier version, whose indexes are others; and one of a later version. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startAlone } from '../scripts/kit/run-program.ts';
import { Database } from '../scripts/world/database.ts';
import { UnsupportedEngine } from './data/engine.ts';
import { declarationOf, type Store } from './data/store.ts';
import { prepareStore, STORE_FORM } from './prepare-store.ts';

const database = new Database();
let store: Store;

beforeAll(async () => {
  store = await database.open();
});

afterAll(async () => {
  await store.close();
  await database.remove();
});

test('an index with other options is named, and keeps a process from starting only where it must be unique', async () => {
  await prepareStore(store);
  const namesOf = async () => (await store.deliveries.indexes()).map(({ name = '' }) => name);
  const [, first = '', ...others] = await namesOf();
  const { key = {} } = (await store.deliveries.indexes()).find(({ name }) => name === first) ?? {};
  for (const name of [first, ...others]) await store.deliveries.dropIndex(name);
  await store.deliveries.createIndex(key, { name: 'ours' });
  await store.erasures.dropIndex('ended_at_1');
  await store.erasures.createIndex({ ended_at: 1 }, { expireAfterSeconds: 1 });
  const differing = [`deliveries ${JSON.stringify(key)}`, 'erasures {"ended_at":1}'];
  expect((await prepareStore(store)).toSorted()).toEqual(differing);
  // What does not differ was made all the same.
  expect((await namesOf()).toSorted()).toEqual(['_id_', 'ours', ...others].toSorted());
  await store.deliveries.dropIndex('ours');
  await store.erasures.dropIndex('ended_at_1');
  await store.api_keys.dropIndex('key_hash_1');
  await store.api_keys.createIndex({ key_hash: 1 });
  await expect(prepareStore(store)).rejects.toThrow(
    new UnsupportedEngine('MONGODB_URI: the index api_keys {"key_hash":1} must be unique, and is not'),
  );
  await store.api_keys.dropIndex('key_hash_1');
  expect(await prepareStore(store)).toEqual([]);
});

test('indexes that were replaced are dropped, by several processes at once, and no others', async () => {
  const [keys = {}] = declarationOf('ingest_outcomes').retiredIndexes ?? [];
  await store.ingest_outcomes.createIndex(keys);
  await store.ingest_outcomes.createIndex({ reason: 1 });
  await Promise.all([prepareStore(store), prepareStore(store)]);
  const left = (await store.ingest_outcomes.listIndexes().toArray()).map(({ key }) => JSON.stringify(key));
  expect(left).not.toContain(JSON.stringify(keys));
  expect(left).toContain(JSON.stringify({ reason: 1 }));
});

const noted = () => store.store_versions.findOne({ _id: 'store' });

test('several programs that start at once leave the version of the newest; an older one that is safe leaves it as it is', async () => {
  const release = expect.stringMatching(/^\d+\.\d+\.\d+$/);
  await prepareStore(store);
  expect(await noted()).toMatchObject({ version: STORE_FORM.version, oldest_safe: STORE_FORM.oldestSafe, release });
  const newer = [1, 3, 2].map((more) => ({ version: STORE_FORM.version + more, oldestSafe: STORE_FORM.version }));
  await Promise.all(newer.map((form) => prepareStore(store, form)));
  await prepareStore(store);
  expect(await noted()).toMatchObject({ version: STORE_FORM.version + 3, oldest_safe: STORE_FORM.version });
});

test('a program is refused, in words, on a store that a newer one has changed beyond it', async () => {
  await prepareStore(store, { version: STORE_FORM.version + 4, oldestSafe: STORE_FORM.version + 1 });
  const before = await noted();
  await expect(prepareStore(store)).rejects.toThrow(
    /^MONGODB_URI: release [\d.]+ has brought this database to store version 5, which only programs of store version 2 or newer understand; this program has 1\. /,
  );
  expect(await noted()).toEqual(before);
  const env = { ...database.env, STORAGE_DIR: join(database.folder, 'files'), PORT: '0' };
  const running = startAlone('handlers/main.ts', [], env);
  expect([await running.ended, running.stderr]).toEqual([
    1,
    expect.stringMatching(
      /^The server cannot start: MONGODB_URI: release .* Run a newer release, or restore the backup/,
    ),
  ]);
  // What is safe for none but the newest is never taken back by one in between.
  await prepareStore(store, { version: STORE_FORM.version + 5, oldestSafe: STORE_FORM.version });
  await expect(prepareStore(store)).rejects.toThrow(UnsupportedEngine);
});
