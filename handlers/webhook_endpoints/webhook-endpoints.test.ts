/** What of an endpoint's life stands in the store alone (D-24). */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ask } from '../../scripts/testbed/ask.ts';
import { type InProcess, serveInProcess } from '../../scripts/testbed/in-process.ts';
import { MemoryStorage } from '../../scripts/testbed/memory-storage.ts';
import { TestTenant } from '../../scripts/testbed/tenant.ts';
import { testDeployment } from '../../scripts/testbed/test-deployment.ts';
import * as operations from '../index.ts';

const { store } = await testDeployment();
let server: InProcess;
let tenant: TestTenant;

beforeAll(async () => {
  tenant = await TestTenant.create(store);
  server = await serveInProcess(operations, store, new MemoryStorage());
});

afterAll(() => server.stop());

test('an endpoint is stored with its canonical URL, and with no secret in clear', async () => {
  const [key, asked] = [await tenant.key(), { url: 'HTTPS://8.8.8.8', event_types: ['employee.changed'] }];
  const { body } = await ask('POST', `${server.url}/webhook_endpoints`, key, asked);
  const row = await store.webhook_endpoints.findOne({ _id: body.webhook_endpoint.id });
  expect(row?.url).toBe('https://8.8.8.8/');
  expect(JSON.stringify(row)).not.toContain('whsec_');
  expect(JSON.stringify(row)).not.toContain(body.secret.slice('whsec_'.length));
});
