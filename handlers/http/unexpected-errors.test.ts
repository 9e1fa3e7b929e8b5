/** Errors that no handler expects: 503 while the store is away, 500 for a bug. Neither says anything of what happened. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MongoNetworkError } from 'mongodb';
import { Database } from '../../scripts/testbed/database.ts';
import { serveInProcess } from '../../scripts/testbed/in-process.ts';
import { MemoryStorage } from '../../scripts/testbed/memory-storage.ts';
import { TestTenant } from '../../scripts/testbed/tenant.ts';
import { createIndexes, type Store } from '../data/store.ts';
import * as served from '../index.ts';

const SECRET = 'db-7.internal:27017';
const database = new Database();
let store: Store;
let key: string;

beforeAll(async () => {
  store = await database.open();
  await createIndexes(store);
  key = await (await TestTenant.create(store)).key();
});

afterAll(async () => {
  await store.close();
  await database.remove();
});

test.each([
  ['a lost connection', new MongoNetworkError(SECRET), 503, 'UNAVAILABLE', '1'],
  ['a bug', new TypeError(SECRET), 500, 'INTERNAL', null],
])('%s is answered with its error', async (_what, error, status, reason, retryAfter) => {
  const handlers = { ...served.handlers, verifyApiKey: () => Promise.reject(error) };
  const server = await serveInProcess({ ...served, handlers }, store, new MemoryStorage());
  try {
    const answer = await fetch(`${server.url}/api_key/_verify`, { headers: { 'X-API-Key': key } });
    const text = await answer.text();
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([status, retryAfter]);
    expect(JSON.parse(text).details[0].reason).toBe(reason);
    expect(text).not.toContain(SECRET);
  } finally {
    await server.stop();
  }
});
