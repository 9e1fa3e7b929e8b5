/**
 * Runs the typed client against recorded answers, without a server: checks what it sends and how it reads the answers.
 */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import nock from 'nock';
import { type Client, createClient } from '../../../generated/client/client/index.ts';
import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  listEmployees,
  testWebhookEndpoint,
} from '../../../generated/client/sdk.gen.ts';

const ORIGIN = 'https://api.docflow.test';
const PREFIX = '/developer/v1';
const ID = 'eb628c91-950a-41d4-8f6b-28170305e41c';
let client: Client;

beforeAll(() => {
  nock.disableNetConnect();
  client = createClient({ baseUrl: ORIGIN, auth: () => 'key' });
});

afterEach(() => {
  const pending = nock.pendingMocks();
  nock.cleanAll();
  expect(pending).toEqual([]);
});

afterAll(() => {
  nock.enableNetConnect();
  nock.restore();
});

const recorded = () => nock(ORIGIN, { reqheaders: { 'x-api-key': 'key' } });

test('parameters that repeat are repeated, and text is encoded once', async () => {
  const employees = { employees: [], next_page_token: '', total_count: 0 };
  const query = {
    limit: '2',
    expand: ['person', 'manager'],
    updated_since: '2026-01-01T00:00:00+05:00',
    page_token: 'a.b+c/d=',
  };
  recorded().get(`${PREFIX}/employees`).query(query).reply(200, employees);
  const { data, error } = await listEmployees({
    client,
    query: { ...query, limit: 2, expand: ['person', 'manager'] },
  });
  expect(error).toBeUndefined();
  expect(data).toEqual(employees);
});

test('an error is data, not an exception: its code, reason and fields are typed', async () => {
  const refusal = {
    code: 3,
    message: 'Invalid url: must be an https URL.',
    details: [
      { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'INVALID_ARGUMENT', domain: 'd', metadata: {} },
      {
        '@type': 'type.googleapis.com/google.rpc.BadRequest',
        field_violations: [{ field: 'url', description: 'must be an https URL' }],
      },
    ],
  };
  const body = { url: 'http://hooks.example.com/', event_types: ['employee.changed' as const] };
  recorded().post(`${PREFIX}/webhook_endpoints`, body).reply(400, refusal);
  const { data, error, response } = await createWebhookEndpoint({ client, body });
  expect(data).toBeUndefined();
  expect(response?.status).toBe(400);
  expect(error?.code).toBe(3);
  expect(error).toEqual(refusal);
});

test('ids go into the path, and an empty answer is an object', async () => {
  recorded().post(`${PREFIX}/webhook_endpoints/${ID}/_test`).reply(200, { status_code: 0, error: 'timeout' });
  recorded().delete(`${PREFIX}/webhook_endpoints/${ID}`).reply(200, {});
  const tested = await testWebhookEndpoint({ client, path: { id: ID } });
  expect(tested.data).toEqual({ status_code: 0, error: 'timeout' });
  expect((await deleteWebhookEndpoint({ client, path: { id: ID } })).data).toEqual({});
});

test('a broken connection is distinguished from an answer', async () => {
  recorded().delete(`${PREFIX}/webhook_endpoints/${ID}`).replyWithError('reset');
  const { data, response } = await deleteWebhookEndpoint({ client, path: { id: ID } });
  expect(data).toBeUndefined();
  expect(response).toBeUndefined();
});
