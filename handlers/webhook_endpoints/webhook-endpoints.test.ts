/** What of an endpoint's life stands in the store alone (D-24). */
import { randomUUID } from 'node:crypto';
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

const call = async (method: string, path: string, body?: object, of = tenant) => {
  return ask(method, `${server.url}/webhook_endpoints${path}`, await of.key(), body);
};
const create = () => call('POST', '', { url: 'HTTPS://8.8.8.8', event_types: ['employee.changed'] });

test('an endpoint is stored with its canonical URL, and with no secret in clear', async () => {
  const { body } = await create();
  const row = await store.webhook_endpoints.findOne({ _id: body.webhook_endpoint.id });
  expect(row?.url).toBe('https://8.8.8.8/');
  expect(JSON.stringify(row)).not.toContain('whsec_');
  expect(JSON.stringify(row)).not.toContain(body.secret.slice('whsec_'.length));
});

test('a tenant has exactly 50 endpoints, of which disabled ones keep their place', async () => {
  const [{ body }, own] = [await create(), await TestTenant.create(store)];
  const template = await store.webhook_endpoints.findOne({ _id: body.webhook_endpoint.id });
  if (template === null) throw new Error('the endpoint is not stored');
  const of = (slot: number) => ({ ...template, _id: randomUUID(), tenant_id: own.id, slot });
  const disabled = { status: 'DISABLED', disabled_reason: 'MANUAL', disabled_at: new Date() } as const;
  const rows = Array.from({ length: 49 }, (_, slot) => ({ ...of(slot), ...(slot % 2 === 0 && disabled) }));
  await store.webhook_endpoints.insertMany(rows);
  const made = async () => {
    const { status } = await call('POST', '', { url: 'https://8.8.8.8', event_types: ['employee.changed'] }, own);
    return status;
  };
  expect([await made(), await made()]).toEqual([200, 400]);
  expect(await store.webhook_endpoints.countDocuments({ tenant_id: own.id })).toBe(50);
});
