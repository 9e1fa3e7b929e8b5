import { describe, expect, test } from '@jest/globals';
import { Database, OwnDatabase, readEngines } from './database.ts';
import { Deployment } from './deployment.ts';

describe('the engine of a test', () => {
  test.each([{}, { TEST_MONGODB: '' }, { TEST_MONGODB: 'embedded', MONGOD: '/m', TEST_MONGODB_SHARED: 'mongodb://x' }])(
    'is the embedded database, which tests do not share, for %j',
    (env) => {
      expect(readEngines(env)).toEqual({ own: { name: 'embedded' } });
    },
  );

  test('is a real MongoDB on request, and a running one is shared', () => {
    const own = { name: 'standalone', program: '/m' };
    const env = { TEST_MONGODB: 'standalone', MONGOD: '/m' };
    expect(readEngines(env)).toEqual({ own });
    const shared = 'mongodb://127.0.0.1:1/';
    expect(readEngines({ ...env, TEST_MONGODB_SHARED: shared })).toEqual({ own, shared });
    expect(() => readEngines({ TEST_MONGODB: 'mongod' })).toThrow('MONGOD');
  });

  test('is a deployment that is named, which no test may stop', () => {
    const shared = 'mongodb+srv://db.example.com/';
    const env = { TEST_MONGODB: shared };
    expect(readEngines(env)).toEqual({ shared, own: { name: 'embedded' } });
    expect(readEngines({ ...env, MONGOD: '/m' })).toEqual({ shared, own: { name: 'mongod', program: '/m' } });
  });

  test('is refused when its name is unknown', () => {
    expect(() => readEngines({ TEST_MONGODB: 'mysql' })).toThrow('not mysql');
  });
});

test('rows of one test are invisible to others, and are removed with the test', async () => {
  const [one, other] = [new Database(), new Database()];
  const [store, others] = [await one.open(), await other.open()];
  await store.deployment_secrets.insertOne({ _id: 'storage', value: 'mine', create_time: new Date(0) });
  expect(await others.deployment_secrets.countDocuments()).toBe(0);
  await store.close();
  await one.remove();
  await others.close();
  await other.remove();
});

test('a database that is killed keeps its address and its data', async () => {
  const database = new OwnDatabase();
  const store = await database.open(10_000);
  const { uri } = database;
  await store.deployment_secrets.insertOne({ _id: 'storage', value: 'mine', create_time: new Date(0) });
  await database.kill();
  expect(await database.start()).toBe(uri);
  expect(await store.deployment_secrets.countDocuments()).toBe(1);
  await store.close();
  await database.remove();
});

test('a process has one place, whoever asks for it at once', async () => {
  await using deployment = await Deployment.open(new Database());
  const [one, other] = await Promise.all([deployment.placeOf('api-1'), deployment.placeOf('api-1')]);
  expect(other).toEqual(one);
});
