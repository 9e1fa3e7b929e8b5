/** Webhook endpoints over HTTP: created, tested, deleted (D-24, D-25, D-28). */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ask } from '../../scripts/testbed/ask.ts';
import { type InProcess, serveInProcess } from '../../scripts/testbed/in-process.ts';
import { MemoryStorage } from '../../scripts/testbed/memory-storage.ts';
import {
  loopbackOutbound,
  plainly,
  RECEIVER,
  receiver,
  TestAuthority,
  type TestReceiver,
} from '../../scripts/testbed/receiver.ts';
import { TestTenant } from '../../scripts/testbed/tenant.ts';
import { testDeployment } from '../../scripts/testbed/test-deployment.ts';
import type { DeliveryRow } from '../data/collections/deliveries.ts';
import * as operations from '../index.ts';
import type { Outbound } from '../webhooks/outbound/outbound.ts';
import { secretBox } from '../webhooks/secrets.ts';
import { openWebhooks } from '../webhooks/webhooks.ts';

const { store } = await testDeployment();
const authority = new TestAuthority();
let server: InProcess;
let there: TestReceiver;
let outbound: Outbound;
let tenant: TestTenant;
let key: string;

beforeAll(async () => {
  there = await receiver(authority.server([RECEIVER]));
  outbound = loopbackOutbound(there.port, authority, { deadlineMs: 60_000 });
  const webhooks = openWebhooks(store, outbound, secretBox(store, [new Uint8Array(32).fill(1)]));
  server = await serveInProcess(operations, store, new MemoryStorage(), webhooks);
});

beforeEach(async () => {
  tenant = await TestTenant.create(store);
  key = await tenant.key();
  there.requests.length = 0;
  there.answer = plainly(204);
});

afterAll(async () => {
  await server.stop();
  outbound.stop();
  await there.stop();
});

const call = (method: string, path: string, body?: object) =>
  ask(method, `${server.url}/webhook_endpoints${path}`, key, body);

const fields = () => ({ url: there.url, event_types: ['employee.changed', 'document.sent'] });

async function created(): Promise<{ id: string }> {
  const { status, body } = await call('POST', '', fields());
  expect(status).toBe(200);
  return { id: body.webhook_endpoint.id };
}

describe('the creation of an endpoint', () => {
  test('answers with the canonical URL, and stores no secret in clear', async () => {
    const { status, body } = await call('POST', '', { ...fields(), url: there.url.replace('https', 'HTTPS') });
    expect([status, body.webhook_endpoint?.url]).toEqual([200, there.url]);
    const rows = await store.webhook_endpoints.find({ tenant_id: tenant.id }).toArray();
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain('whsec_');
    expect(JSON.stringify(rows)).not.toContain(body.secret.slice('whsec_'.length));
  });

  test('that is refused for its URL stores no endpoint', async () => {
    expect((await call('POST', '', { ...fields(), url: 'https://127.0.0.1/' })).status).toBe(400);
    expect(await store.webhook_endpoints.countDocuments({ tenant_id: tenant.id })).toBe(0);
  });

  test('sends nothing to the URL', async () => {
    await created();
    expect(there.requests).toEqual([]);
  });

  test('succeeds for exactly 50 when a tenant creates 100 at once', async () => {
    const answers = await Promise.all(Array.from({ length: 100 }, () => call('POST', '', fields())));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(answers.length - refused.length).toBe(50);
    for (const answer of refused) {
      expect([answer.status, answer.reason]).toEqual([400, 'WEBHOOK_ENDPOINT.LIMIT_REACHED']);
    }
    expect(await store.webhook_endpoints.countDocuments({ tenant_id: tenant.id })).toBe(50);
    // Endpoints of another tenant do not count.
    key = await (await TestTenant.create(store)).key();
    await created();
  });
});

describe('a test event', () => {
  test('is not sent to a URL that has become forbidden', async () => {
    const { id } = await created();
    await store.webhook_endpoints.updateOne({ _id: id }, { $set: { url: 'https://169.254.169.254/' } });
    expect((await call('POST', `/${id}/_test`)).body).toEqual({ status_code: 0, error: 'address_denied' });
    await store.webhook_endpoints.updateOne({ _id: id }, { $set: { url: 'https://gone.example/' } });
    expect((await call('POST', `/${id}/_test`)).body).toEqual({ status_code: 0, error: 'dns_error' });
  });

  test('never counts: 25 failures leave the endpoint as it was', async () => {
    const { id } = await created();
    const before = await store.webhook_endpoints.findOne({ _id: id });
    there.answer = plainly(500);
    for (let i = 0; i < 25; i++) await call('POST', `/${id}/_test`);
    expect(there.requests).toHaveLength(25);
    expect(await store.webhook_endpoints.findOne({ _id: id })).toEqual(before);
    expect(await store.deliveries.countDocuments({ endpoint_id: id })).toBe(0);
  });

  test('is not sent to a disabled endpoint', async () => {
    const { id } = await created();
    const disabled = { status: 'DISABLED', disabled_reason: 'MANUAL', disabled_at: new Date() } as const;
    await store.webhook_endpoints.updateOne({ _id: id }, { $set: disabled });
    const answer = await call('POST', `/${id}/_test`);
    expect([answer.status, answer.reason]).toEqual([400, 'WEBHOOK_ENDPOINT.DISABLED']);
    expect(there.requests).toEqual([]);
  });
});

describe('the deletion of an endpoint', () => {
  test('cancels its pending deliveries, and no others', async () => {
    const [one, other] = [await created(), await created()];
    await store.deliveries.insertMany([
      delivery(one.id, 'PENDING'),
      delivery(one.id, 'DELIVERED'),
      delivery(other.id, 'PENDING'),
    ]);
    const { status, body } = await call('DELETE', `/${one.id}`);
    expect([status, body]).toEqual([200, {}]);
    const statuses = async (id: string) => {
      const rows = await store.deliveries.find({ endpoint_id: id }).sort({ status: 1 }).toArray();
      return rows.map(({ status, next_at, ended_at }) => [status, next_at === null, ended_at !== null]);
    };
    expect(await statuses(one.id)).toEqual([
      ['CANCELLED', true, true],
      ['DELIVERED', true, true],
    ]);
    expect(await statuses(other.id)).toEqual([['PENDING', false, false]]);
  });

  test('succeeds for one of two requests at once', async () => {
    const { id } = await created();
    const answers = await Promise.all([1, 2, 3].map(() => call('DELETE', `/${id}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
  });

  function delivery(endpoint_id: string, status: 'PENDING' | 'DELIVERED'): DeliveryRow {
    const [at, event_id] = [new Date(), randomUUID()];
    const isOver = status !== 'PENDING';
    return {
      _id: `${event_id}:${endpoint_id}`,
      tenant_id: tenant.id,
      endpoint_id,
      event_id,
      status,
      event_type: 'employee.changed',
      occurred_at: at,
      subject: { name: 'employee_id', id: randomUUID() },
      next_at: isOver ? null : at,
      attempt_count: 0,
      lease_id: '',
      lease_until: new Date(0),
      attempts: [],
      create_time: at,
      ended_at: isOver ? at : null,
    };
  }
});

describe('the keys that may use an endpoint', () => {
  test('are all of the tenant with the scope, also after the key that made it is revoked', async () => {
    const { id } = await created();
    await store.api_keys.updateMany({ tenant_id: tenant.id }, { $set: { revoked_at: new Date(), active: false } });
    key = await tenant.key({ scopes: ['webhooks:manage'] });
    expect((await call('POST', `/${id.toUpperCase()}/_test`)).body).toEqual({ status_code: 204, error: '' });
    expect((await call('DELETE', `/${id}`)).status).toBe(200);
  });
});
