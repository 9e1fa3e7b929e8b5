/** What of an endpoint's life stands in the store alone (D-24). */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ask } from '../../scripts/world/ask.ts';
import { type InProcess, serveInProcess } from '../../scripts/world/in-process.ts';
import { MemoryStorage } from '../../scripts/world/memory-storage.ts';
import { loopbackOutbound, RECEIVER, receiver, TestAuthority } from '../../scripts/world/receiver.ts';
import { TestTenant } from '../../scripts/world/tenant.ts';
import { testDeployment } from '../../scripts/world/test-deployment.ts';
import * as operations from '../index.ts';
import { secretBox } from '../webhooks/secrets.ts';
import { openWebhooks } from '../webhooks/webhooks.ts';

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

test('a delivery spells the name of its signature as the contract does', async () => {
  const authority = new TestAuthority();
  const there = await receiver(authority.server([RECEIVER]));
  const outbound = loopbackOutbound(there.port, authority);
  const { newSecret, postSigned } = openWebhooks(store, outbound, secretBox(store, [new Uint8Array(32)]));
  const { sealed_secret } = await newSecret('one');
  const envelope = { id: '1', type: 'employee.changed', occurred_at: '2026-01-02T03:04:05Z', data: {} };
  await postSigned({ _id: 'one', url: there.url, sealed_secret }, envelope);
  expect(there.requests).toEqual([expect.stringMatching(/^Service-Signature: t=\d+,v1=/m)]);
  outbound.stop();
  await there.stop();
});
