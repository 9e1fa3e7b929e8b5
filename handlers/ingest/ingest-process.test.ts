/** Large bodies against a real process with a heap far smaller than the parsed bodies would need. */
import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { RunningServer } from '../../scripts/testbed/server.ts';
import { TestTenant } from '../../scripts/testbed/tenant.ts';
import { testDeployment } from '../../scripts/testbed/test-deployment.ts';
import { exchange, requestText } from '../../scripts/testbed/wire.ts';

const LIMIT = 32 * 1024 * 1024;
const deployment = await testDeployment();
const { database, store } = deployment;
let tenant: TestTenant;
let server: RunningServer;

beforeAll(async () => {
  tenant = await TestTenant.create(store);
  server = await deployment.start({
    ...database.env,
    RATE_LIMIT_STORE: 'memory',
    NODE_OPTIONS: '--max-old-space-size=128',
  });
});

interface AnsweredRequest {
  readonly status: number;
  readonly body: { record_count?: number; details?: { reason?: string; field_violations?: { field: string }[] }[] };
}

let keys = 0;

async function send(body: BodyInit, headers: Readonly<Record<string, string>> = {}): Promise<AnsweredRequest> {
  const answer = await fetch(`${server.url}/developer/v1/ingest/KEDO`, {
    method: 'POST',
    headers: {
      'X-API-Key': await tenant.key(),
      'Content-Type': 'application/json',
      'Idempotency-Key': `key-${keys++}`,
      ...headers,
    },
    body,
  });
  return { status: answer.status, body: (await answer.json()) as AnsweredRequest['body'] };
}

/** A body of exactly `bytes` bytes: its records are the given texts, and padding. */
function sized(bytes: number, ...records: string[]): string {
  const head = `{"payload_type":"PERSONS","records":[${records.map((text) => `${text},`).join('')}"`;
  const tail = '"]}';
  return head + 'x'.repeat(bytes - Buffer.byteLength(head) - tail.length) + tail;
}

const gzip = { 'Content-Encoding': 'gzip' };

describe('a batch', () => {
  test('of 32 MiB is accepted, plain and gzipped; one byte more is 413', async () => {
    const text = sized(LIMIT, '{"external_id":"P"}');
    expect(await send(text)).toMatchObject({ status: 200, body: { record_count: 2 } });
    expect(await send(gzipSync(text), gzip)).toMatchObject({ status: 200, body: { record_count: 2 } });
    const refused = await send(gzipSync(sized(LIMIT + 1)), gzip);
    expect([refused.status, refused.body.details?.[0]?.reason]).toEqual([413, 'REQUEST_TOO_LARGE']);
    // The rest of a body that is announced as too long is not read; a client that keeps sending may miss the answer.
    const head = [
      `X-API-Key: ${await tenant.key()}`,
      'Content-Type: application/json',
      `Idempotency-Key: key-${keys++}`,
      `Content-Length: ${LIMIT + 1}`,
    ];
    const announced = requestText('POST /developer/v1/ingest/KEDO', head, '{');
    const { answers } = await exchange(server.port, announced, { answers: 1 });
    expect(answers.map(({ status }) => status)).toEqual([413]);
  });

  test('of 50 MB in 50 KB of gzip is 413, gzip in gzip is no JSON, other codings are 415', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000, 0x20));
    expect((await send(bomb, gzip)).status).toBe(413);
    expect((await send(gzipSync(bomb), gzip)).status).toBe(400);
    expect((await send('x', gzip)).status).toBe(400);
    for (const coding of ['br', 'zstd', 'deflate', 'gzip, gzip']) {
      expect((await send('{}', { 'Content-Encoding': coding })).status).toBe(415);
    }
  });

  test('of a large gzip body is read completely when it unpacks to more than announced', async () => {
    const text = randomBytes(3 * 1024 * 1024).toString('base64');
    const body = `{"payload_type":"PERSONS","records":[{"external_id":"P","x":"${text}"},{}]}`;
    expect(await send(gzipSync(body), gzip)).toMatchObject({ status: 200, body: { record_count: 2 } });
  });

  test('of 10,000 records is accepted, of 10,001 and 100,000 is refused', async () => {
    const records = (count: number) => `{"payload_type":"PERSONS","records":[${'{},'.repeat(count - 1)}{}]}`;
    expect(await send(records(10_000))).toMatchObject({ status: 200, body: { record_count: 10_000 } });
    for (const count of [10_001, 100_000]) {
      const answer = await send(records(count));
      expect([answer.status, answer.body.details?.[1]?.field_violations?.[0]?.field]).toEqual([400, 'records']);
    }
  });
});

describe('a batch that is much work', () => {
  test('with hundreds of thousands of repeated or unknown names is handled', async () => {
    const same = '"external_id":"P",'.repeat(600_000);
    const answer = await send(`{"payload_type":"PERSONS","records":[{${same}"phone":""}]}`);
    expect(answer).toMatchObject({ status: 200, body: { record_count: 1 } });
    const others = Array.from({ length: 300_000 }, (_, i) => `"n${i}":{}`).join();
    const refused = await send(`{"payload_type":"PERSONS","records":[1],${others}}`);
    expect([refused.status, refused.body.details?.[1]?.field_violations?.[0]?.field]).toEqual([400, 'n0']);
  });

  test('of 10 million empty objects, five times at once, is answered, and so are other requests', async () => {
    const body = `{"payload_type":"PERSONS","records":[{"external_id":"P","x":[${'{},'.repeat(10_000_000)}0]}]}`;
    let isDone = false;
    let longestMs = 0;
    const probes = (async () => {
      while (!isDone) {
        const startedAt = performance.now();
        expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
        longestMs = Math.max(longestMs, performance.now() - startedAt);
      }
    })();
    const answers = await Promise.all(Array.from({ length: 5 }, () => send(body)));
    isDone = true;
    await probes;
    // A tenant's share of the memory for large bodies is two of them; a request that waits too long for it gets 503.
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(2);
    expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    // Must hold on a slow machine too. The test of the scan checks in turns, not in time, what delays others.
    expect(longestMs).toBeLessThan(30_000);
  });
});
