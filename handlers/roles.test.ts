/** Deliveries by real processes: one api process, and workers that start and stop. */
import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { ask } from '../scripts/testbed/ask.ts';
import { draftRow } from '../scripts/testbed/document-row.ts';
import { eventually } from '../scripts/testbed/eventually.ts';
import { type Answer, plainly, receiver, TestAuthority, type TestReceiver } from '../scripts/testbed/receiver.ts';
import { askClock, type RunningServer } from '../scripts/testbed/server.ts';
import { TestTenant } from '../scripts/testbed/tenant.ts';
import { testDeployment } from '../scripts/testbed/test-deployment.ts';

const DEADLINE_MS = 60_000;
const deployment = await testDeployment();
const { folder, store } = deployment;
const authority = new TestAuthority();
let tenant: TestTenant;
let employeeId: string;
let receives: TestReceiver;
let env: Record<string, string>;
let api: RunningServer;
const workers: RunningServer[] = [];

beforeAll(async () => {
  tenant = await TestTenant.create(store);
  employeeId = await tenant.employee();
  await store.users.updateOne({ _id: tenant.ownerId }, { $set: { employee_id: employeeId } });
  receives = await receiver(authority.server(['127.0.0.1']));
  deployment.atEnd(() => receives.stop());
  writeFileSync(join(folder, 'ca.pem'), authority.pem);
  env = {
    WEBHOOK_ALLOW_NETWORKS: `127.0.0.1:${receives.port}`,
    WEBHOOK_CA_FILE: join(folder, 'ca.pem'),
  };
  api = await deployment.start({ ...env, ROLE: 'api' });
  await worker();
});

async function worker(): Promise<RunningServer> {
  const started = await deployment.start({ ...env, ROLE: 'worker' });
  workers.push(started);
  return started;
}

/** The worker that was started last. */
const latest = () => workers.at(-1) as RunningServer;

async function post(path: string, sent: object) {
  const { status, body } = await ask('POST', `${api.url}/developer/v1${path}`, await tenant.key(), sent);
  expect([path, status]).toEqual([path, 200]);
  return body;
}

async function endpoint(): Promise<{ id: string; secret: string }> {
  const url = `https://127.0.0.1:${receives.port}/hook`;
  const { webhook_endpoint, secret } = await post('/webhook_endpoints', { url, event_types: ['document.sent'] });
  return { id: webhook_endpoint.id, secret };
}

/** Sends a document through the api. @returns its id */
async function sentDocument(): Promise<string> {
  const row = draftRow({ initiator_employee_id: employeeId, tenant_id: tenant.id });
  await store.documents.insertOne(row);
  const participants = [{ employee_id: employeeId }];
  await post(`/documents/${row._id}/_set_route`, { steps: [{ step_type: 'STEP_TYPE_SIGNING', participants }] });
  await post(`/documents/${row._id}/_send`, {});
  return row._id;
}

const requests = (count: number) =>
  eventually(
    `${count} requests`,
    () => (receives.requests.length >= count ? receives.requests : undefined),
    DEADLINE_MS,
  );
const bodyOf = (request = '') => request.slice(request.indexOf('\r\n\r\n') + 4);
const signatureOf = (request = '') => /service-signature: t=(\d+),v1=([0-9a-f]{64})\r\n/i.exec(request)?.slice(1) ?? [];
const statuses = async (filter: object = {}) =>
  (await store.deliveries.find(filter).toArray()).map(({ status }) => status).toSorted();
const ended = (status: string, count: number) =>
  eventually(
    `${count} deliveries ${status}`,
    async () => ((await store.deliveries.countDocuments({ status: status as 'FAILED' })) === count ? true : undefined),
    DEADLINE_MS,
  );

/** Answers when the test says so. */
class HeldAnswer {
  private readonly open: (() => void)[] = [];
  readonly answer: Answer = (socket, request) => void this.open.push(() => plainly(204)(socket, request));
  release(): void {
    for (const answer of this.open.splice(0)) answer();
  }
}

let secret: string;

test('a worker delivers the event of a document that was sent through the api', async () => {
  ({ secret } = await endpoint());
  const id = await sentDocument();
  const [request] = await requests(1);
  const body = bodyOf(request);
  const [event] = await store.deliveries.find({}).toArray();
  expect(JSON.parse(body)).toEqual({
    id: event?.event_id,
    type: 'document.sent',
    data: { document_id: id },
    occurred_at: event?.occurred_at.toISOString(),
  });
  const [t, v1] = signatureOf(request);
  expect(createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')).toBe(v1);
  await ended('DELIVERED', 1);
  expect((await store.documents.findOne({ _id: id }))?.pending_events).toEqual([]);
});

test('a worker answers only health checks, and an api process answers every path', async () => {
  const status = async (server: RunningServer, path: string) => (await fetch(`${server.url}${path}`)).status;
  for (const path of ['/healthz', '/readyz']) {
    expect([path, await status(latest(), path), await status(api, path)]).toEqual([path, 200, 200]);
  }
  for (const path of ['/openapi.yaml', '/openapi.json']) {
    expect([path, await status(latest(), path), await status(api, path)]).toEqual([path, 404, 200]);
  }
  expect(await status(api, '/developer/v1/employees')).toBe(401);
  expect(await status(latest(), '/developer/v1/employees')).toBe(404);
  expect(latest().storageUrl).toMatch(/^http:\/\/127\.0\.0\.1:/);
});

test('a failed delivery is made when it is due, after a restart of the worker, with a new signature', async () => {
  receives.answer = plainly(503);
  const before = receives.requests.length;
  const document_id = await sentDocument();
  const [first] = (await requests(before + 1)).slice(before);
  await eventually(
    'the note of the failure',
    async () =>
      (await store.deliveries.countDocuments({ attempt_count: 1, status: 'PENDING', lease_id: '' })) === 1
        ? true
        : undefined,
    DEADLINE_MS,
  );
  expect(await latest().process.stop()).toBe(0);
  receives.answer = plainly(204);
  const { controlUrl } = await worker();
  await askClock({ controlUrl }, { advance_ms: 17_000 });
  const [, second] = (await requests(before + 2)).slice(before);
  expect(bodyOf(second)).toBe(bodyOf(first));
  expect(JSON.parse(bodyOf(second)).data).toEqual({ document_id });
  const [t1, t2] = [Number(signatureOf(first)[0]), Number(signatureOf(second)[0])];
  expect(t2 - t1).toBeGreaterThanOrEqual(15);
  await ended('DELIVERED', 2);
  await askClock({ controlUrl }, { offset_ms: 0 });
});

test('when a worker is killed during a delivery, another one makes it again once the lease is over', async () => {
  receives.answer = new HeldAnswer().answer;
  const before = receives.requests.length;
  await sentDocument();
  await requests(before + 1);
  await latest().process.stop('SIGKILL');
  // Long enough for any start of the next process.
  const held = { status: 'PENDING', lease_id: { $ne: '' } } as const;
  await store.deliveries.updateMany(held, { $set: { lease_until: new Date(Date.now() + 3_600_000) } });
  receives.answer = plainly(204);
  await worker();
  expect(await store.deliveries.countDocuments(held)).toBe(1);
  expect(receives.requests).toHaveLength(before + 1);
  await store.deliveries.updateMany({ status: 'PENDING' }, { $set: { lease_until: new Date(0) } });
  const [first, second] = (await requests(before + 2)).slice(before);
  expect(bodyOf(second)).toBe(bodyOf(first));
  await ended('DELIVERED', 3);
  expect(await store.deliveries.countDocuments({ attempt_count: 2 })).toBe(2);
});

test('a worker that is stopped with 50 deliveries under way ends in time, and frees them for others', async () => {
  for (let index = 0; index < 49; index++) await endpoint();
  receives.answer = new HeldAnswer().answer;
  const before = receives.requests.length;
  const done = (await statuses()).length;
  await sentDocument();
  await requests(before + 50);
  // A process that has to be killed ends with another code.
  expect(await latest().process.stop()).toBe(0);
  const left = await store.deliveries.find({ status: 'PENDING' }).toArray();
  expect(left.map(({ lease_id, attempt_count }) => [lease_id, attempt_count])).toEqual(Array(50).fill(['', 1]));
  receives.answer = plainly(204);
  await worker();
  await ended('DELIVERED', done + 50);
  expect(receives.requests).toHaveLength(before + 100);
});
