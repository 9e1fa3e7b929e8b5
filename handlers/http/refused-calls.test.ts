/** What is kept of the calls of a key that were refused (D-38). */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { serveInProcess } from '../../scripts/world/in-process.ts';
import { MemoryStorage } from '../../scripts/world/memory-storage.ts';
import { TestTenant } from '../../scripts/world/tenant.ts';
import { testDeployment } from '../../scripts/world/test-deployment.ts';
import { hashKey } from '../access/keys.ts';
import { ApiError } from '../answers/errors.ts';
import { MOST_REFUSED_CALLS } from '../data/collections/refused_calls.ts';
import * as served from '../index.ts';
import { memoryRateLimiter } from './rate.ts';
import { refusedCalls, trim } from './refused-calls.ts';

/** Stands wherever a caller can put something of its own. */
const SENT = 'secretcanary';
const { store } = await testDeployment();
const notes = refusedCalls(store.refused_calls);
// They are written when a test says so.
notes.stop();
let tenant: TestTenant;

beforeAll(async () => {
  tenant = await TestTenant.create(store);
});

type Call = readonly [request: string, body?: unknown, headers?: Readonly<Record<string, string>>];

/** Sends calls with a key whose limit's time stands still. @returns the bodies of the answers, and what is kept */
async function kept(key: string, calls: readonly Call[]) {
  const server = await serveInProcess(served, store, new MemoryStorage(), undefined, {
    limiter: memoryRateLimiter(() => 0),
    refused: notes.refused,
  });
  try {
    const answers = [];
    for (const [request, body, headers] of calls) {
      const [method, path] = request.split(' ') as [string, string];
      const sent = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) };
      const all = { 'X-API-Key': key, 'Content-Type': 'application/json', ...headers };
      const answer = await fetch(server.url + path, { method, headers: all, ...sent });
      answers.push({ status: answer.status, ...((await answer.json()) as object) });
    }
    await notes.flush();
    const { _id = '' } = (await store.api_keys.findOne({ key_hash: hashKey(key) })) ?? {};
    return { answers, rows: await store.refused_calls.find({ api_key_id: _id }).toArray() };
  } finally {
    await server.stop();
  }
}

const hostile: readonly Call[] = [
  [`GET /employees?${SENT}=1`],
  [`GET /employees?limit=${SENT}&page_token=${SENT}&updated_since=${SENT}`],
  [`GET /employees/${SENT}`],
  [`GET /${SENT}`],
  [`PUT /employees`, { [SENT]: SENT }],
  ['POST /documents', { [`unknown.${SENT}`]: 1 }],
  ['POST /documents', { title: SENT.repeat(99), type_id: SENT, [SENT]: { [SENT]: SENT } }],
  [
    'POST /documents',
    { title: 'x', type_id: randomUUID(), template_id: randomUUID(), template_values: { [SENT]: -0.1 } },
  ],
  ['POST /documents', `{"title": "${SENT}`],
  ['POST /documents', {}, { 'Content-Type': SENT }],
  ['POST /documents', {}, { 'Idempotency-Key': `${SENT} ${SENT}` }],
  [`POST /documents/${randomUUID()}/_set_route`, { steps: [{ step_type: SENT, [SENT]: 1 }] }],
  ['POST /webhook_endpoints', { url: `https://${SENT}.invalid/${SENT}`, event_types: [SENT] }],
  ['POST /ingest/records', { [SENT]: [] }, { 'Idempotency-Key': SENT }],
];

test('a refusal is kept as it was answered, without anything that was sent', async () => {
  const { answers, rows } = await kept(await tenant.key(), hostile);
  expect(answers.every(({ status }) => status >= 400)).toBe(true);
  expect(rows.length).toBe(hostile.length);
  expect(JSON.stringify(answers)).toContain(SENT);
  expect(JSON.stringify(rows)).not.toContain(SENT);
  expect(rows.map(({ fields }) => fields.map(({ field }) => field))).toContainEqual(['(unknown field)']);
  expect(rows.map(({ fields }) => fields.map(({ field }) => field))).toContainEqual(
    expect.arrayContaining(['steps[0].step_type', 'steps[0].(unknown field)']),
  );
});

test('equal refusals are one row with their number, and a served call is none', async () => {
  const key = await tenant.key({ scopes: ['employees:read'] });
  const { rows } = await kept(key, [
    ['GET /employees'],
    ['GET /documents'],
    ['GET /documents', undefined, { 'X-Request-Id': 'the-last' }],
    ...Array.from({ length: 20 }, (): Call => ['GET /api_key/_verify']),
  ]);
  expect(
    rows.map(({ operation_id, status, error, message, times }) => [operation_id, status, error, message, times]),
  ).toEqual([
    ['listDocuments', 403, 'DEVELOPER.SCOPE_INSUFFICIENT', 'This operation needs the scope documents:read.', 2],
    ['', 429, 'DEVELOPER.RATE_LIMIT_EXCEEDED', expect.any(String), 3],
  ]);
  expect(rows[0]?.request_id).toBe('the-last');
});

test('what repeats itself is written at the first and at every tenth flush', async () => {
  const call = { keyId: randomUUID(), tenantId: tenant.id, operationId: undefined, requestId: '' };
  const timesAfter = async (refusals: number, flushes: number) => {
    for (let n = 0; n < refusals; n++) notes.refused({ ...call, refusal: new ApiError('PATH_NOT_FOUND') });
    for (let n = 0; n < flushes; n++) await notes.flush(false);
    return (await store.refused_calls.findOne({ api_key_id: call.keyId }))?.times;
  };
  expect(await timesAfter(1, 1)).toBe(1);
  expect(await timesAfter(3, 9)).toBe(1);
  expect(await timesAfter(0, 1)).toBe(4);
});

test('a key has at most so many rows, the newest', async () => {
  const keyId = randomUUID();
  const rows = Array.from({ length: MOST_REFUSED_CALLS + 3 }, (_, minutes) => ({
    _id: randomUUID(),
    tenant_id: tenant.id,
    api_key_id: keyId,
    at: new Date(minutes * 60_000),
  }));
  await store.refused_calls.insertMany(rows as never);
  await trim(store.refused_calls, tenant.id, keyId);
  const left = await store.refused_calls.find({ api_key_id: keyId }).sort({ at: 1 }).toArray();
  expect(left.map(({ at }) => at)).toEqual(rows.slice(3).map(({ at }) => at));
});
