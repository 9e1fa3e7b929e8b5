/** A database of an earlier version, whose rows lack later fields and whose indexes are missing; and one of a later version. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startAlone } from '../scripts/kit/run-program.ts';
import { Database } from '../scripts/world/database.ts';
import { employeeRow, TestTenant } from '../scripts/world/tenant.ts';
import type { EmployeeRow } from './data/collections/employees.ts';
import { UnsupportedEngine } from './data/engine.ts';
import { declarationOf, type Store } from './data/store.ts';
import { advanceStatuses } from './employees/write/advance-statuses.ts';
import { prepareStore, STORE_FORM } from './prepare-store.ts';

const database = new Database();
let store: Store;
let tenant: TestTenant;

beforeAll(async () => {
  store = await database.open();
  tenant = await TestTenant.create(store);
});

afterAll(async () => {
  await store.close();
  await database.remove();
});

const LONG_AGO = new Date('2020-01-01T00:00:00.000Z');

/** An employee as an earlier version stored it. */
async function early(fields: Partial<EmployeeRow>): Promise<string> {
  const times = { create_time: LONG_AGO, update_time: LONG_AGO };
  const { status_due_on: _, ...row } = employeeRow({ tenant_id: tenant.id, ...times, ...fields });
  await store.employees.insertOne(row as EmployeeRow);
  return row._id;
}

const rowOf = (id: string) => store.employees.findOne({ _id: id });
const pass = () => advanceStatuses(store, new AbortController().signal);

test('statuses of employees that an earlier version stored follow their dates too', async () => {
  const ended = await early({ end_date: '2020-02-29' });
  const begun = await early({ status: 'EMPLOYEE_STATUS_ACCEPTED', start_date: '2020-03-01', end_date: '2999-12-31' });
  const later = await early({ status: 'EMPLOYEE_STATUS_LEAVE', end_date: '2999-12-31' });
  const silent = [
    await early({}),
    await early({ status: 'CREATED', listed: false, end_date: '2020-02-29' }),
    await early({ deleted_at: LONG_AGO, listed: false, end_date: '2020-02-29' }),
  ];
  await Promise.all([prepareStore(store), prepareStore(store)]);
  expect((await rowOf(ended))?.status_due_on).toBe('2020-03-01');
  expect((await rowOf(later))?.status_due_on).toBe('3000-01-01');
  await pass();
  const statuses = await Promise.all([ended, begun, later].map(async (id) => (await rowOf(id))?.status));
  expect(statuses).toEqual(['EMPLOYEE_STATUS_TERMINATED', 'EMPLOYEE_STATUS_ACTIVE', 'EMPLOYEE_STATUS_LEAVE']);
  expect((await rowOf(begun))?.pending_events).toMatchObject([{ type: 'employee.changed' }]);
  for (const id of silent) expect((await rowOf(id))?.update_time).toEqual(LONG_AGO);
});

test('a later start changes no row', async () => {
  const row = await early({ end_date: '2020-02-29' });
  await prepareStore(store);
  expect((await rowOf(row))?.status_due_on).toBeUndefined();
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
  const [keys = {}] = declarationOf('employees').retiredIndexes ?? [];
  await store.employees.createIndex(keys);
  await store.employees.createIndex({ work_email: 1 });
  await Promise.all([prepareStore(store), prepareStore(store)]);
  const left = (await store.employees.listIndexes().toArray()).map(({ key }) => JSON.stringify(key));
  expect(left).not.toContain(JSON.stringify(keys));
  expect(left).toContain(JSON.stringify({ work_email: 1 }));
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
