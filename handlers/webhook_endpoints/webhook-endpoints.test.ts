/** Webhook endpoints over HTTP: created, tested, deleted (D-24, D-25, D-28). */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createIndexes, type DeliveryRow, type Store } from '../data/store.ts';
import * as operations from '../index.ts';
import { Database } from '../testing/database.ts';
import { type InProcess, serveInProcess } from '../testing/in-process.ts';
import { MemoryStorage } from '../testing/memory-storage.ts';
import {
  loopbackOutbound,
  plainly,
  RECEIVER,
  receiver,
  TestAuthority,
  type TestReceiver,
} from '../testing/receivers.ts';
import { TestTenant } from '../testing/tenant.ts';
import type { Outbound } from '../webhooks/outbound/outbound.ts';
import { secretBox } from '../webhooks/secrets.ts';
import { serviceSignature } from '../webhooks/signature.ts';
import { openWebhooks } from '../webhooks/webhooks.ts';
import { MAX_ENDPOINTS } from './slot.ts';

const database = new Database();
const authority = new TestAuthority();
let store: Store;
let server: InProcess;
let there: TestReceiver;
let outbound: Outbound;
/** A server with a short deadline, for receivers that never answer. */
let hasty: { readonly server: InProcess; readonly outbound: Outbound };
let tenant: TestTenant;
let key: string;

beforeAll(async () => {
  store = await database.open();
  await createIndexes(store);
  there = await receiver(authority.server([RECEIVER]));
  const served = async (deadlineMs: number) => {
    const sender = loopbackOutbound(there.port, authority, { deadlineMs, ownPorts: () => [9_999] });
    const webhooks = openWebhooks(store, sender, secretBox(store, [new Uint8Array(32).fill(1)]));
    return { server: await serveInProcess(operations, store, new MemoryStorage(), webhooks), outbound: sender };
  };
  ({ server, outbound } = await served(60_000));
  hasty = await served(2_000);
});

beforeEach(async () => {
  tenant = await TestTenant.create(store);
  key = await tenant.key();
  there.requests.length = 0;
  there.answer = plainly(204);
});

afterAll(async () => {
  await Promise.all([server.stop(), hasty.server.stop()]);
  outbound.stop();
  hasty.outbound.stop();
  await there.stop();
  await store.close();
  await database.remove();
});

// biome-ignore lint/suspicious/noExplicitAny: answers are checked field by field
type Answer = { status: number; body: any };

async function call(method: string, path: string, body?: object, secret = key, at = server): Promise<Answer> {
  const response = await fetch(`${at.url}/webhook_endpoints${path}`, {
    method,
    headers: { 'X-API-Key': secret, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

const wish = () => ({ url: there.url, event_types: ['employee.changed', 'document.sent'] });

async function created(changes: object = {}): Promise<{ id: string; secret: string }> {
  const { status, body } = await call('POST', '', { ...wish(), ...changes });
  expect(status).toBe(200);
  return { id: body.webhook_endpoint.id, secret: body.secret };
}

const reason = ({ body }: Answer) => body.details[0].reason;
const fields = ({ body }: Answer) =>
  body.details
    .flatMap((detail: { field_violations?: { field: string }[] }) => detail.field_violations ?? [])
    .map(({ field }: { field: string }) => field);

describe('creation', () => {
  test('answers the endpoint and, this once, its secret', async () => {
    const { status, body } = await call('POST', '', { ...wish(), url: there.url.replace('https', 'HTTPS') });
    expect(status).toBe(200);
    expect(body).toEqual({
      webhook_endpoint: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        url: there.url,
        event_types: ['employee.changed', 'document.sent'],
        status: 'ACTIVE',
        disabled_reason: '',
        disabled_at: '',
        create_time: expect.stringMatching(/Z$/),
        update_time: body.webhook_endpoint.create_time,
      },
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9_-]{43}$/),
    });
    const rows = await store.webhook_endpoints.find({ tenant_id: tenant.id }).toArray();
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain('whsec_');
    expect(JSON.stringify(rows)).not.toContain(body.secret.slice('whsec_'.length));
  });

  test('the same URL may be subscribed twice, with two secrets', async () => {
    const [one, other] = [await created(), await created()];
    expect(one.id).not.toBe(other.id);
    expect(one.secret).not.toBe(other.secret);
  });

  const refused: [object, string[]][] = [
    [{ url: 'https://127.0.0.1/' }, ['url']],
    [{ url: 'https://[::1]/' }, ['url']],
    [{ url: 'https://localhost/' }, ['url']],
    [{ url: 'https://unknown.example/' }, ['url']],
    [{ url: 'https://8.8.8.8:22/' }, ['url']],
    [{ url: 'https://8.8.8.8:9999/' }, ['url']],
    [{ url: 'https://u:p@8.8.8.8/' }, ['url']],
    [{ url: 'https://8.8.8.8/#x' }, ['url']],
    [{ url: 'http://8.8.8.8/' }, ['url']],
    [{ url: `https://8.8.8.8/${'x'.repeat(2_048)}` }, ['url']],
    [{ url: `https://8.8.8.8/${'ы'.repeat(1_000)}` }, ['url']],
    [{ url: 'https://8.8.8.8/\r\nX: y' }, ['url']],
    [{ url: 7 }, ['url']],
    [{ url: null }, ['url']],
    [{ url: '' }, ['url']],
    [{ url: undefined }, ['url']],
    [{ event_types: [] }, ['event_types']],
    [{ event_types: ['employee.created'] }, ['event_types[0]']],
    [{ event_types: ['employee.changed', 'webhook_endpoint.test'] }, ['event_types[1]']],
    [{ event_types: ['employee.changed', 'employee.changed'] }, ['event_types']],
    [{ event_types: 'employee.changed' }, ['event_types']],
    [{ status: 'ACTIVE' }, ['status']],
    [{ secret: 'whsec_mine' }, ['secret']],
  ];
  const titled = refused.map(([changes, named]) => [JSON.stringify(changes).slice(0, 80), changes, named] as const);

  test.each(titled)('%s is refused, naming the field', async (_title, changes, named) => {
    const answer = await call('POST', '', { ...wish(), ...changes });
    expect([answer.status, reason(answer), fields(answer)]).toEqual([400, 'INVALID_ARGUMENT', named]);
    expect(await store.webhook_endpoints.countDocuments({ tenant_id: tenant.id })).toBe(0);
  });

  test('nothing was ever sent by a creation', async () => {
    await created();
    expect(there.requests).toEqual([]);
  });

  test('a tenant has exactly 50, when 100 are created at once and one is deleted in between', async () => {
    const answers = await Promise.all(Array.from({ length: 100 }, () => call('POST', '', wish())));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(answers.length - refused.length).toBe(MAX_ENDPOINTS);
    for (const answer of refused) {
      expect([answer.status, reason(answer)]).toEqual([400, 'WEBHOOK_ENDPOINT.LIMIT_REACHED']);
    }
    expect(await store.webhook_endpoints.countDocuments({ tenant_id: tenant.id })).toBe(MAX_ENDPOINTS);
    const one = answers.find(({ status }) => status === 200);
    expect((await call('DELETE', `/${one?.body.webhook_endpoint.id}`)).status).toBe(200);
    await created();
    expect(reason(await call('POST', '', wish()))).toBe('WEBHOOK_ENDPOINT.LIMIT_REACHED');
    // Endpoints of another tenant do not count.
    key = await (await TestTenant.create(store)).key();
    await created();
  });
});

describe('a test event', () => {
  test('is one signed envelope, and the status is what the receiver said', async () => {
    const { id, secret } = await created();
    there.answer = plainly(503);
    expect(await call('POST', `/${id}/_test`, {})).toEqual({ status: 200, body: { status_code: 503, error: '' } });
    expect(there.requests).toHaveLength(1);
    const [head = '', body = ''] = (there.requests[0] as string).split('\r\n\r\n');
    expect(JSON.parse(body)).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      type: 'webhook_endpoint.test',
      occurred_at: expect.stringMatching(/^\d{4}-.*Z$/),
      data: { webhook_endpoint_id: id },
    });
    expect(head).toMatch(/^content-type: application\/json$/im);
    const [, signature = '', t] = /^service-signature: (t=(\d+),v1=[0-9a-f]{64})\r?$/im.exec(head) ?? [];
    expect(signature).toBe(serviceSignature(secret, body, Number(t) * 1_000));
    expect(Math.abs(Date.now() / 1_000 - Number(t))).toBeLessThan(60);
  });

  test('has its own id and signature each time, and needs no body', async () => {
    const { id } = await created();
    expect((await call('POST', `/${id}/_test`)).body).toEqual({ status_code: 204, error: '' });
    await call('POST', `/${id}/_test`, {});
    const ids = there.requests.map((text) => JSON.parse(text.split('\r\n\r\n')[1] ?? '').id);
    expect(new Set(ids).size).toBe(2);
  });

  test('that nobody receives is told by its class, and nothing of an answer is shown', async () => {
    const { id } = await created();
    there.answer = (socket) => socket.destroy();
    expect((await call('POST', `/${id}/_test`)).body).toEqual({ status_code: 0, error: 'connect_error' });
    there.answer = (socket) =>
      void socket.write('HTTP/1.1 418 whisper\r\nX-A: whisper\r\nContent-Length: 7\r\n\r\nwhisper');
    const { body } = await call('POST', `/${id}/_test`);
    expect(body).toEqual({ status_code: 418, error: '' });
    there.answer = () => {};
    const silence = await call('POST', `/${id}/_test`, {}, key, hasty.server);
    expect(silence.body).toEqual({ status_code: 0, error: 'timeout' });
  });

  test('never goes where a URL may not go any more', async () => {
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

  test('does not go to a disabled endpoint', async () => {
    const { id } = await created();
    const disabled = { status: 'DISABLED', disabled_reason: 'MANUAL', disabled_at: new Date() } as const;
    await store.webhook_endpoints.updateOne({ _id: id }, { $set: disabled });
    const answer = await call('POST', `/${id}/_test`);
    expect([answer.status, reason(answer)]).toEqual([400, 'WEBHOOK_ENDPOINT.DISABLED']);
    expect(there.requests).toEqual([]);
  });
});

describe('deletion', () => {
  test('answers {}, then 404; what was pending there, and only there, is cancelled', async () => {
    const [one, other] = [await created(), await created()];
    await store.deliveries.insertMany([
      delivery(one.id, 'PENDING'),
      delivery(one.id, 'DELIVERED'),
      delivery(other.id, 'PENDING'),
    ]);
    expect(await call('DELETE', `/${one.id}`)).toEqual({ status: 200, body: {} });
    const statuses = async (id: string) => {
      const rows = await store.deliveries.find({ endpoint_id: id }).sort({ status: 1 }).toArray();
      return rows.map(({ status, next_at, ended_at }) => [status, next_at === null, ended_at !== null]);
    };
    expect(await statuses(one.id)).toEqual([
      ['CANCELLED', true, true],
      ['DELIVERED', true, true],
    ]);
    expect(await statuses(other.id)).toEqual([['PENDING', false, false]]);
    const again = await call('DELETE', `/${one.id}`);
    expect([again.status, reason(again)]).toEqual([404, 'WEBHOOK_ENDPOINT_NOT_FOUND']);
    expect((await call('POST', `/${one.id}/_test`)).status).toBe(404);
  });

  test('of two at once one finds it', async () => {
    const { id } = await created();
    const answers = await Promise.all([1, 2, 3].map(() => call('DELETE', `/${id}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
  });

  function delivery(endpoint_id: string, status: 'PENDING' | 'DELIVERED'): DeliveryRow {
    const [at, event_id] = [new Date(), randomUUID()];
    const isOver = status !== 'PENDING';
    return {
      ...{ _id: `${event_id}:${endpoint_id}`, tenant_id: tenant.id, endpoint_id, event_id, status },
      ...{ event_type: 'employee.changed', occurred_at: at, subject: { name: 'employee_id', id: randomUUID() } },
      ...{ next_at: isOver ? null : at, attempt_count: 0, lease_id: '', lease_until: new Date(0), attempts: [] },
      ...{ create_time: at, ended_at: isOver ? at : null },
    };
  }
});

describe('whose endpoints they are', () => {
  test('the tenant’s: any of its keys with the scope, and the maker may be gone', async () => {
    const { id } = await created();
    await store.api_keys.updateMany({ tenant_id: tenant.id }, { $set: { revoked_at: new Date(), active: false } });
    key = await tenant.key({ scopes: ['webhooks:manage'] });
    expect((await call('POST', `/${id.toUpperCase()}/_test`)).body).toEqual({ status_code: 204, error: '' });
    expect((await call('DELETE', `/${id}`)).status).toBe(200);
  });

  test('nobody else’s, and what is no id is not found', async () => {
    const { id } = await created();
    const stranger = await (await TestTenant.create(store)).key();
    for (const wrong of [id, randomUUID(), 'x', '$ne', 'undefined', 'x'.repeat(500), '%F0%9F%90%88']) {
      for (const [method, path] of [
        ['POST', `/${wrong}/_test`],
        ['DELETE', `/${wrong}`],
      ] as const) {
        const answer = await call(method, path, undefined, stranger);
        expect([path, answer.status, reason(answer)]).toEqual([path, 404, 'WEBHOOK_ENDPOINT_NOT_FOUND']);
      }
    }
    expect(there.requests).toEqual([]);
    expect(await store.webhook_endpoints.countDocuments({ _id: id })).toBe(1);
  });

  test('without the scope there is nothing', async () => {
    const { id } = await created();
    key = await tenant.key({ scopes: ['employees:read', 'documents:write'] });
    for (const [method, path, body] of [
      ['POST', '', wish()],
      ['POST', `/${id}/_test`, {}],
      ['DELETE', `/${id}`, undefined],
    ] as const) {
      expect(reason(await call(method, path, body))).toBe('DEVELOPER.SCOPE_INSUFFICIENT');
    }
  });
});
