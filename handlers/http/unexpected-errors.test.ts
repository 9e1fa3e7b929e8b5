/** Errors that no handler expects: 503 while the store is away, 500 for a bug. Neither says anything of what happened. */
import { beforeAll, expect, test } from '@jest/globals';
import { MongoNetworkError } from 'mongodb';
import { serveInProcess } from '../../scripts/testbed/in-process.ts';
import { MemoryStorage } from '../../scripts/testbed/memory-storage.ts';
import { TestTenant } from '../../scripts/testbed/tenant.ts';
import { testDeployment } from '../../scripts/testbed/test-deployment.ts';
import * as served from '../index.ts';

const SECRET = 'db-7.internal:27017';
const { store } = await testDeployment();
let key: string;

beforeAll(async () => {
  key = await (await TestTenant.create(store)).key();
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
