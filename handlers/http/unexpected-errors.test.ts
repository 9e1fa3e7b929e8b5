/** Errors that no handler expects. The answer says nothing of what happened. */
import { beforeAll, expect, test } from '@jest/globals';
import { serveInProcess } from '../../scripts/world/in-process.ts';
import { MemoryStorage } from '../../scripts/world/memory-storage.ts';
import { TestTenant } from '../../scripts/world/tenant.ts';
import { testDeployment } from '../../scripts/world/test-deployment.ts';
import * as served from '../index.ts';

const SECRET = 'db-7.internal:27017';
const { store } = await testDeployment();
let key: string;

beforeAll(async () => {
  key = await (await TestTenant.create(store)).key();
});

test('a bug is answered with 500, without its text', async () => {
  const handlers = { ...served.handlers, verifyApiKey: () => Promise.reject(new TypeError(SECRET)) };
  const server = await serveInProcess({ ...served, handlers }, store, new MemoryStorage());
  try {
    const answer = await fetch(`${server.url}/api_key/_verify`, { headers: { 'X-API-Key': key } });
    const text = await answer.text();
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([500, null]);
    expect(JSON.parse(text).details[0].reason).toBe('INTERNAL');
    expect(text).not.toContain(SECRET);
  } finally {
    await server.stop();
  }
});
