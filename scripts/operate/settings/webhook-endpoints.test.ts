/** Tests how the settings tool shows and changes webhook endpoints and deliveries (D-24, D-27). */
import { randomBytes, randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { DeliveryRow } from '../../../handlers/data/collections/deliveries.ts';
import type { WebhookEndpointRow } from '../../../handlers/data/collections/webhook_endpoints.ts';
import { JOBS_COLLECTION } from '../../../handlers/jobs/scheduler.ts';
import { claimDue } from '../../../handlers/webhooks/claim.ts';
import { secretBox } from '../../../handlers/webhooks/secrets.ts';
import { eventually } from '../../kit/eventually.ts';
import { testFolder } from '../../kit/testing/test-folder.ts';
import { Receivers } from '../../world/deliveries.ts';
import { testDeployment } from '../../world/test-deployment.ts';
import type { Surroundings } from './terminal.ts';
import { settingsTool } from './test-tool.ts';

const { database, store } = await testDeployment();
const folder = testFolder();
const receivers = new Receivers(store);
const { tenantId } = receivers;
const time = new Date('2026-03-02T05:00:00Z');
const URL_WITH_TOKEN = 'https://hooks.example.com/hr?token=hush';

beforeAll(async () => {
  await receivers.flag(true, { name: 'A' });
  await json('tenants create B');
});

beforeEach(async () => {
  await store.webhook_endpoints.deleteMany({});
  await store.deliveries.deleteMany({});
});

function withoutSecret(text: string): void {
  expect(text).not.toMatch(/whsec_|hush|sealed_secret|eyJ/);
}

const toolIn = (more: Partial<Surroundings>) =>
  settingsTool(() => ({
    now: () => time,
    stdout: withoutSecret,
    ...more,
    store,
    env: { ...database.env, TENANT: 'A', ...more.env },
  }));
const { words, json, ids, refused, misused, fits } = toolIn({});

const endpoint = (changes: Partial<WebhookEndpointRow> = {}) => {
  const own = { url: URL_WITH_TOKEN, event_types: ['employee.changed'], sealed_secret: 'sealed' };
  return receivers.endpoint({ ...own, create_time: time, update_time: time, ...changes });
};

const failed = (at: string) => ({ at: new Date(at), status_code: 0, error: 'timeout', duration_ms: 10_000 });

async function delivery(endpoint_id: string, changes: Partial<DeliveryRow> = {}): Promise<string> {
  const own = { event_type: 'employee.changed', occurred_at: time, next_at: time, create_time: time } as const;
  const [id = ''] = await receivers.deliveries(endpoint_id, 1, { ...own, ...changes });
  return id;
}

const ended = { status: 'FAILED', next_at: null, attempt_count: 8, ended_at: time } as const;
const stored = (id: string) => receivers.delivery(id);
const storedEndpoint = (id: string) => receivers.endpointRow(id);

test('endpoints are listed with their state, failures in a row and last outcome', async () => {
  const active = await endpoint({ failed_delivery_ids: ['a', 'b'] });
  const disabled = await endpoint({ status: 'DISABLED', disabled_reason: 'CONSECUTIVE_FAILURES', disabled_at: time });
  await delivery(active, { ...ended, attempts: [failed('2026-03-01T00:00:00Z'), failed('2026-03-01T04:00:00Z')] });
  await delivery(active, { attempts: [{ ...failed('2026-03-01T02:00:00Z'), status_code: 503, error: '' }] });
  const rows = await json('webhook-endpoints list');
  expect(rows).toMatchObject([
    { id: active, url: 'https://hooks.example.com/hr?…', status: 'ACTIVE', failures_in_a_row: 2, pending: 1 },
    { id: disabled, status: 'DISABLED', disabled_reason: 'CONSECUTIVE_FAILURES', pending: 0, last_outcome: null },
  ]);
  expect(rows[0].last_outcome).toMatchObject({ at: '2026-03-01T04:00:00.000Z', error: 'timeout' });
  const shown = await words('webhook-endpoints list');
  expect(shown).toMatch(/ 2 +1 +timeout 2026-03-01 04:00:00Z +1 /);
  expect(shown).toContain('disabled (CONSECUTIVE_FAILURES)');
  const facts = await words('webhook-endpoints show', active);
  expect(facts).toMatch(/^event_types +employee\.changed$/m);
  expect(facts).toMatch(/^failures_in_a_row +2$/m);
  expect(facts).toMatch(/^last_outcome +at 2026-03-01 04:00:00Z, .*error timeout, duration_ms 10000$/m);
  await fits('webhook-endpoints list');
  await fits('deliveries list');
  expect(await words('webhook-endpoints list --tenant B')).toBe('None.\n');
  await refused('webhook-endpoints disable --tenant B', active);
});

test('disabling cancels pending deliveries, enabling resets the count of failures and replays nothing', async () => {
  const [one, other] = [await endpoint({ failed_delivery_ids: ['a'] }), await endpoint()];
  const [pending, elsewhere, before] = [
    await delivery(one),
    await delivery(other),
    await delivery(one, { status: 'DELIVERED', next_at: null, ended_at: time }),
  ];
  expect(await json('webhook-endpoints disable', one)).toMatchObject({
    status: 'DISABLED',
    disabled_reason: 'MANUAL',
    disabled_at: time.toISOString(),
    pending: 0,
  });
  expect(await stored(pending)).toMatchObject({ status: 'CANCELLED', next_at: null });
  expect((await stored(pending)).ended_at).not.toBeNull();
  expect((await stored(elsewhere)).status).toBe('PENDING');
  expect((await stored(before)).status).toBe('DELIVERED');
  expect(await words('webhook-endpoints disable', one)).toContain('disabled before');

  // A delivery that a relay wrote after it had read the endpoint as still active.
  const late = await delivery(one);
  expect(await json('webhook-endpoints enable', one)).toMatchObject({
    status: 'ACTIVE',
    disabled_reason: '',
    disabled_at: null,
    failures_in_a_row: 0,
    pending: 0,
  });
  expect((await stored(late)).status).toBe('CANCELLED');
  await delivery(one);
  await store.webhook_endpoints.updateOne({ _id: one }, { $set: { failed_delivery_ids: ['x'] } });
  expect(await words('webhook-endpoints enable', one)).toContain('active already');
  expect(await json('webhook-endpoints show', one)).toMatchObject({ failures_in_a_row: 1, pending: 1 });
});

test('an endpoint that was disabled by failures keeps that reason when it is disabled by hand', async () => {
  const at = new Date('2026-02-01T00:00:00Z');
  const one = await endpoint({ status: 'DISABLED', disabled_reason: 'CONSECUTIVE_FAILURES', disabled_at: at });
  await words('webhook-endpoints disable', one);
  expect(await storedEndpoint(one)).toMatchObject({ disabled_reason: 'CONSECUTIVE_FAILURES', disabled_at: at });
});

test('rotate-key encrypts every secret with the first key, continues where it stopped, and reports what it cannot decrypt', async () => {
  const [first, second, foreign] = [randomBytes(32), randomBytes(32), randomBytes(32)];
  const [a, b, c] = [await endpoint(), await endpoint({ tenant_id: 'another' }), await endpoint()];
  const seal = async (id: string, key: Uint8Array | undefined) => {
    const sealed_secret = await secretBox(store, key && [key]).seal(id, `whsec_of_${id}`);
    await store.webhook_endpoints.updateOne({ _id: id }, { $set: { sealed_secret } });
    return sealed_secret;
  };
  const opened = async (id: string, key: Uint8Array) =>
    secretBox(store, [key]).open(id, (await storedEndpoint(id)).sealed_secret);
  await seal(a, first);
  await seal(b, undefined);
  const keyText = (...keys: Buffer[]) => keys.map((key) => key.toString('base64url')).join(',');
  const rotate = (...keys: Buffer[]) =>
    toolIn({ env: { WEBHOOK_SECRET_KEYS: keyText(...keys) } }).run('webhook-endpoints rotate-key --json');

  const unreadable = await seal(c, foreign);
  const partly = await rotate(second, first);
  expect(partly.code).toBe(1);
  expect(JSON.parse(partly.out)).toEqual({ resealed: 2, kept: 0, unreadable: [c] });
  expect(partly.err).toContain(c);
  expect((await storedEndpoint(c)).sealed_secret).toBe(unreadable);
  expect(await opened(a, second)).toBe(`whsec_of_${a}`);
  expect(await opened(b, second)).toBe(`whsec_of_${b}`);

  const file = path.join(folder, 'keys');
  writeFileSync(file, `${keyText(second, first, foreign)}\n`);
  const byFile = toolIn({ env: { WEBHOOK_SECRET_KEYS_FILE: file } });
  const whole = await byFile.run('webhook-endpoints rotate-key --json');
  expect({ code: whole.code, ...JSON.parse(whole.out) }).toEqual({ code: 0, resealed: 1, kept: 2, unreadable: [] });
  expect(await opened(c, second)).toBe(`whsec_of_${c}`);
  expect((await storedEndpoint(c)).update_time).toEqual(time);

  await misused('webhook-endpoints rotate-key');
  const wrong = await toolIn({ env: { WEBHOOK_SECRET_KEYS: 'short' } }).run('webhook-endpoints rotate-key');
  expect(wrong).toMatchObject({ code: 2, out: '' });
  expect(wrong.err).toContain('32 bytes');
});

test('deliveries are listed newest first, by endpoint and by status, and shown with every attempt', async () => {
  const [one, other] = [await endpoint(), await endpoint({ url: 'https://other.example.com/' })];
  const old = await delivery(one, {
    create_time: new Date('2026-03-01T00:00:00Z'),
    subject: { name: 'employee_id', id: 'somebody' },
    attempt_count: 2,
    next_at: new Date('2026-03-02T06:00:00Z'),
    attempts: [
      { ...failed('2026-03-02T04:00:00Z'), duration_ms: 10_001 },
      { ...failed('2026-03-02T04:00:16Z'), status_code: 503, error: '', duration_ms: 12 },
    ],
  });
  const fresh = await delivery(other, ended);
  expect(await ids('deliveries list')).toEqual([fresh, old]);
  expect(await ids('deliveries list --limit 1')).toEqual([fresh]);
  expect(await ids('deliveries list --endpoint', one)).toEqual([old]);
  expect(await ids('deliveries list --endpoint https://other.example.com/')).toEqual([fresh]);
  expect(await ids('deliveries list --status FAILED')).toEqual([fresh]);
  expect(await ids('deliveries list --tenant B')).toEqual([]);
  await misused('deliveries list --status LOST');
  expect(await words('deliveries list')).toMatch(/employee\.changed +PENDING +2 +503 +2026-03-02 06:00:00Z/);
  const shown = await words('deliveries show', old.split(':')[0] ?? '');
  expect(shown).toMatch(/2026-03-02 04:00:00Z +timeout +10001 ms/);
  expect(shown).toMatch(/2026-03-02 04:00:16Z +503 +12 ms/);
  expect(shown).toMatch(/^next_at +2026-03-02 06:00:00Z$/m);
  expect(shown).toMatch(/^data +employee_id somebody$/m);
  expect(shown).toMatch(new RegExp(`^event_id +${old.split(':')[0]}$`, 'm'));
  const data = { employee_id: 'somebody' };
  expect(await json('deliveries show', old)).toMatchObject({ webhook_endpoint_id: one, data });
  expect(await refused('deliveries show', randomUUID())).toContain('There is no delivery');
});

test('only a pending delivery can be cancelled', async () => {
  const one = await endpoint();
  const pending = await delivery(one, { attempt_count: 3 });
  expect(await words('deliveries cancel', pending)).toContain('after 3 attempts');
  expect(await stored(pending)).toMatchObject({ status: 'CANCELLED', next_at: null, ended_at: time });
  expect(await refused('deliveries cancel', pending)).toContain('is CANCELLED');
  const done = await delivery(one, ended);
  expect(await refused('deliveries cancel', done)).toContain('is FAILED');
  expect((await stored(done)).status).toBe('FAILED');
});

test('a resent delivery restarts with the same event id, and keeps its log', async () => {
  const one = await endpoint();
  const attempts = [failed('2026-03-01T00:00:00Z')];
  const id = await delivery(one, { ...ended, attempts });
  await store.webhook_endpoints.updateOne({ _id: one }, { $set: { failed_delivery_ids: ['other', id] } });
  await words('deliveries resend', id);
  const job = { name: 'deliver', 'data.id': one, nextRunAt: time };
  expect(await store.db.collection(JOBS_COLLECTION).countDocuments(job)).toBe(1);
  expect((await storedEndpoint(one)).failed_delivery_ids).toEqual(['other']);
  expect(await stored(id)).toMatchObject({
    status: 'PENDING',
    next_at: time,
    attempt_count: 0,
    ended_at: null,
    attempts,
  });
  expect(await refused('deliveries resend', id)).toContain('pending already');

  expect((await claimDue(store, tenantId, one))?.before._id).toBe(id);
});

test('a delivery is not resent during an attempt, to a disabled or deleted endpoint, or if the flag is off', async () => {
  const one = await endpoint();
  const id = await delivery(one);
  await claimDue(store, tenantId, one);
  await words('deliveries cancel', id);
  const underWay = await stored(id);
  expect(await refused('deliveries resend', id)).toContain('under way');
  expect(await stored(id)).toEqual(underWay);

  const over = await delivery(one, ended);
  await words('tenants update A --flag off');
  expect(await refused('deliveries resend', over)).toContain('switched off');
  await words('tenants update A --flag on');
  await words('webhook-endpoints disable', one);
  expect(await refused('deliveries resend', over)).toContain(`settings webhook-endpoints enable ${one}`);
  await store.webhook_endpoints.deleteOne({ _id: one });
  expect(await refused('deliveries resend', over)).toContain('was deleted');
  expect(await stored(over)).toMatchObject(ended);
});

let stopping = new AbortController();
afterEach(() => {
  stopping.abort();
  stopping = new AbortController();
});

test('watching prints the present deliveries and each change once, until it is stopped', async () => {
  const one = await endpoint();
  const first = await delivery(one);
  const lines: { readonly id: string; readonly status: DeliveryRow['status'] }[] = [];
  const { signal } = stopping;
  const watching = toolIn({
    untilStopped: () => signal,
    stdout: (text) => lines.push(JSON.parse(text)),
  }).run('deliveries list --watch --json');
  const seen = () => lines.map(({ id, status }) => [id, status]);
  const expected = [[first, 'PENDING']];
  const printed = async () => {
    await eventually('a line for each change', () => (lines.length >= expected.length ? true : undefined));
    expect(seen()).toEqual(expected);
  };
  await printed();
  const later = new Date(time.getTime() + 1_000);
  const second = await delivery(one, { create_time: later, next_at: new Date('2100-01-01T00:00:00Z') });
  expected.push([second, 'PENDING']);
  await printed();
  await claimDue(store, tenantId, one);
  await words('deliveries cancel', second);
  expected.push([first, 'PENDING'], [second, 'CANCELLED']);
  await printed();
  stopping.abort();
  expect(await watching).toMatchObject({ code: 0, err: '' });
});
