import { describe, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { engineOf, lackOf } from './engine.ts';
import { collectionsOf, serviceOptions } from './store.ts';

/** A client whose database gives these answers to `hello` and `buildInfo`. */
function answering(hello: object, build: object): MongoClient {
  const command = async (asked: object) => ('hello' in asked ? hello : build);
  return { db: () => ({ command }) } as unknown as MongoClient;
}

describe('the kind of a database', () => {
  test.each([
    ['replica set', { setName: 'rs' }, { version: '6.0.0' }, true],
    ['sharded cluster', { msg: 'isdbgrid' }, { version: '8.0.3' }, true],
    ['standalone', {}, { version: '7.0.2', modules: [] }, false],
    ['embedded', {}, { version: '7.0.0', modules: ['embedded-db'] }, false],
  ])('%s', async (topology, hello, build, hasSnapshots) => {
    const engine = await engineOf(answering(hello, build));
    expect(engine).toEqual({ topology, version: build.version, hasSnapshots });
    expect(lackOf(engine) !== undefined).toBe(topology === 'standalone');
  });

  test.each(['5.0.29', '4.4.0', '3.6.23'])('version %s is refused', async (version) => {
    await expect(engineOf(answering({ setName: 'rs' }, { version }))).rejects.toThrow(
      `MongoDB ${version} is too old: the service needs MongoDB 6.0 or newer`,
    );
  });

  test('is asked for again after a failure, but not after an answer', async () => {
    let asked = 0;
    const command = async () => {
      asked += 1;
      if (asked <= 2) throw new Error('away');
      return { setName: 'rs', version: '6.0.5' };
    };
    const client = { db: () => ({ command }) } as unknown as MongoClient;
    await expect(engineOf(client)).rejects.toThrow('away');
    await engineOf(client);
    await engineOf(client);
    expect(asked).toBe(4);
  });
});

describe('the settings of the client cannot be weakened by', () => {
  test.each([
    'w=0',
    'w=1&journal=false',
    'journal=false&wtimeoutMS=1',
    'wtimeoutMS=86400000',
    'readPreference=secondaryPreferred',
    'readPreference=nearest&readPreferenceTags=dc:east',
    'readConcernLevel=available',
    'retryWrites=false&retryReads=false',
    'heartbeatFrequencyMS=60000&serverSelectionTimeoutMS=60000&connectTimeoutMS=60000&socketTimeoutMS=0',
  ])('%s', (query) => {
    const client = new MongoClient(`mongodb://127.0.0.1:1/?${query}`, serviceOptions(5_000));
    const { options } = client;
    expect(options.writeConcern).toMatchObject({ w: 'majority', journal: true, wtimeoutMS: 1_750 });
    expect(options.readPreference.mode).toBe('primary');
    expect(options.readConcern.level).toBe('local');
    expect([options.retryReads, options.retryWrites]).toEqual([true, true]);
    expect(options).toMatchObject({ heartbeatFrequencyMS: 500, serverSelectionTimeoutMS: 1_400 });
    expect(options).toMatchObject({ connectTimeoutMS: 1_400, socketTimeoutMS: 5_000 });
    // A database and a collection inherit both from the client.
    const { writeConcern, readPreference } = collectionsOf(client, 'test').employees;
    expect([writeConcern?.w, writeConcern?.journal, readPreference?.mode]).toEqual(['majority', true, 'primary']);
  });

  test.each([
    [1_000, 1_400, 3_500],
    [5_000, 1_400, 3_500],
    [60_000, 16_800, 42_000],
  ])(
    'with %i ms for an answer, a primary is waited for %i ms, and the writes of a request %i ms',
    (timeoutMs, reachMs, patienceMs) => {
      const client = new MongoClient('mongodb://127.0.0.1:1/', serviceOptions(timeoutMs));
      expect(client.options).toMatchObject({ connectTimeoutMS: reachMs, serverSelectionTimeoutMS: reachMs });
      expect(collectionsOf(client, 'test').primary.patienceMs).toBe(patienceMs);
    },
  );
});
