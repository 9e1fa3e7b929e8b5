/** What a rehearsal reaches, and that nothing of it stays. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { MongoNetworkError } from 'mongodb';
import { PATIENCE_MS } from '../conformance/processes/program.ts';
import { Database } from '../scripts/testbed/database.ts';
import { MemoryStorage } from '../scripts/testbed/memory-storage.ts';
import { TestTenant } from '../scripts/testbed/tenant.ts';
import { onUnshowable } from './answers/shown-times.ts';
import { createIndexes, type Store } from './data/store.ts';
import { pageTokenSource } from './data/token-keys.ts';
import { failureThrottle } from './http/failed-keys.ts';
import { sharedRateLimiter } from './http/rate.ts';
import type { ServerParts } from './http/server.ts';
import { checks, handlers } from './index.ts';
import { loggerTo } from './process/log.ts';
import { registry } from './process/metrics.ts';
import { REHEARSALS, rehearse } from './rehearsal.ts';

const database = new Database();
let store: Store;
const logged: string[] = [];
const used: string[] = [];
onUnshowable((field) => logged.push(field));

beforeAll(async () => {
  store = await database.open();
  await createIndexes(store);
  const tenant = await TestTenant.create(store);
  await tenant.employee();
  await pageTokenSource(store, undefined)();
});

afterAll(async () => {
  await store.close();
  await database.remove();
});

const partsOn = (on: Store): ServerParts =>
  ({
    gate: {
      store: on,
      limiter: sharedRateLimiter(on.rate_limits),
      failures: failureThrottle(on.rate_limits),
      tokens: pageTokenSource(on, undefined),
      used: (keyId: string) => used.push(keyId),
    },
    handlers,
    checks,
    storage: new MemoryStorage(),
    webhooks: {},
    errorSource: { domain: 'test' },
    trustedProxies: [],
    log: loggerTo('trace', { write: (line: string) => void logged.push(line) }),
  }) as unknown as ServerParts;

/** Everything that the database holds. */
async function everything(): Promise<unknown> {
  const collections = await store.db.listCollections({}, { nameOnly: true }).toArray();
  const names = collections.map(({ name }) => name).sort();
  return Promise.all(names.map(async (name) => [name, await store.db.collection(name).find({}).toArray()]));
}

const counted = () =>
  Promise.all(
    ['http_server_request_duration_seconds', 'api_errors_total', 'public_path_requests_total'].map((name) =>
      registry.getSingleMetricAsString(name),
    ),
  );

const running = () => new AbortController().signal;

test('its requests are answered from the database and change no data, metric, limit or log', async () => {
  const [data, metrics] = [await everything(), await counted()];
  expect(await rehearse(partsOn(store), running(), PATIENCE_MS)).toBe(REHEARSALS);
  expect(await everything()).toEqual(data);
  expect(await counted()).toEqual(metrics);
  expect([logged, used]).toEqual([[], []]);
});

test('it ends at the first failure of the database, and counts no error', async () => {
  let asked = 0;
  const aggregate = () => ({
    toArray: async () => {
      asked++;
      throw new MongoNetworkError('gone');
    },
  });
  const away = { ...store, api_keys: { aggregate } } as unknown as Store;
  const metrics = await counted();
  expect(await rehearse(partsOn(away), running())).toBe(0);
  expect(asked).toBe(1);
  expect(await counted()).toEqual(metrics);
  expect(logged).toEqual([]);
});

describe('while the database is frozen', () => {
  const NEVER_MS = 1_000_000_000;
  const frozen = (onAsked: () => void) => {
    const aggregate = () => {
      onAsked();
      return { toArray: () => new Promise(() => {}) };
    };
    return partsOn({ ...store, api_keys: { aggregate } } as unknown as Store);
  };

  test('it ends after its time', async () => {
    expect(
      await rehearse(
        frozen(() => {}),
        running(),
        20,
      ),
    ).toBe(0);
  });

  test('it ends when the process stops', async () => {
    const stopping = new AbortController();
    const parts = frozen(() => stopping.abort());
    expect(await rehearse(parts, stopping.signal, NEVER_MS)).toBe(0);
  });
});
