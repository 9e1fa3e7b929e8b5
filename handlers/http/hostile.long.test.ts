/** Hostile input: it leaves nothing in the log, causes no 5xx, and leaves no hanging connection and no used memory. */
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '../../scripts/kit/eventually.ts';
import { randomOf } from '../../scripts/kit/random.ts';
import { hostile, mutant } from '../../scripts/world/hostile.ts';
import { type RunningServer, ready } from '../../scripts/world/server.ts';
import { TestTenant } from '../../scripts/world/tenant.ts';
import { testDeployment } from '../../scripts/world/test-deployment.ts';
import { exchange, requestText, type WireOutcome } from '../../scripts/world/wire.ts';

const HEADERS_TIMEOUT_MS = 600;
const REQUEST_TIMEOUT_MS = 1_000;
const deployment = await testDeployment();
const { store } = deployment;
let tenant: TestTenant;
let server: RunningServer;
/** A server with short request timeouts, for the tests that wait for such a timeout. */
let hasty: RunningServer;
let keys: [string, ...string[]];

beforeAll(async () => {
  tenant = await TestTenant.create(store);
  const env = { RATE_LIMIT_STORE: 'memory', LOG_LEVEL: 'trace' };
  const times = { HEADERS_TIMEOUT_MS: String(HEADERS_TIMEOUT_MS), REQUEST_TIMEOUT_MS: String(REQUEST_TIMEOUT_MS) };
  // With a small young generation, growth of memory shows what is kept, not what waits to be collected.
  const small = { NODE_OPTIONS: '--max-semi-space-size=1 --max-old-space-size=96' };
  [server, hasty] = await Promise.all([deployment.start({ ...env, ...small }), deployment.start({ ...env, ...times })]);
  await Promise.all([ready(server), ready(hasty)]);
  keys = [await tenant.key(), ...(await Promise.all(Array.from({ length: 39 }, () => tenant.key())))];
});

describe('the log at its most verbose level', () => {
  test('never shows what was sent, in any part of a request', async () => {
    const [key] = keys;
    const canaries = ['900131000001', '+77010000001', 'leak@example.com', 'tokencanary', 'CANARY-header', key];
    const unknown = await tenant.key({ active: false });
    for (const canary of [...canaries, unknown]) {
      const text = encodeURIComponent(canary);
      const head = [`X-API-Key: ${key}`, `Idempotency-Key: ${canary}`, `User-Agent: ${canary}`, `X-Any: ${canary}`];
      const body = JSON.stringify({ title: canary, iin: canary, [canary]: canary, template_values: { a: canary } });
      const json = ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`];
      for (const bytes of [
        requestText(`GET /developer/v1/employees?page_token=${text}&${text}=1&department_id=${text}`, head),
        requestText(`GET /developer/v1/employees?page_token=${text}`, head),
        requestText(`GET /developer/v1/employees/${text}`, head),
        requestText(`GET /developer/v1/document_templates/${text}`, head),
        requestText(`GET /${text}`, head),
        requestText('POST /developer/v1/documents', [...head, ...json], body),
        requestText('POST /developer/v1/documents', [...head, ...json], body.replace('{', '[')),
        requestText('GET /developer/v1/api_key/_verify', [`X-API-Key: ${canary}`, `Cookie: ${canary}`]),
        requestText('GET /healthz', [`X-Request-Id: ${canary} x`]),
        requestText(`GET /healthz ${canary}`, head),
        requestText(`BREW ${canary}`, head),
      ]) {
        await exchange(server.port, bytes, { answers: 1 });
      }
    }
    const written = () => server.process.stdout + server.process.stderr;
    await eventually('the last line', () => /"status":400/.test(written()));
    for (const canary of [...canaries, unknown]) expect(written()).not.toContain(canary);
  });

  test('has one line for each request, without control characters', async () => {
    const evil = '%0d%0a{"level":"fatal"}%1b[31m';
    await exchange(server.port, requestText(`GET /${evil}?${evil}=${evil}`, ['X-Request-Id: a\x1b[31m']), {
      answers: 1,
    });
    await exchange(server.port, requestText('GET /healthz', ['X-Request-Id: last-of-all']), { answers: 1 });
    await eventually('the last line', () => server.process.stdout.includes('last-of-all'));
    for (const line of server.process.stdout.split('\n').slice(0, -1)) {
      expect(line).not.toMatch(/[\p{Cc}]/u);
      expect(JSON.parse(line).level).not.toBe('fatal');
    }
  });
});

/** Waits for a 200. On a busy machine a request can arrive too late for the short timeouts and be answered 408. */
const serves = (one: RunningServer, path: string) =>
  eventually(path, async () => (await fetch(`${one.url}${path}`)).status === 200);

describe('slow clients', () => {
  const bulk = (key: string | undefined, announced: number) =>
    requestText('POST /developer/v1/ingest/KEDO', [
      `X-API-Key: ${key}`,
      'Content-Type: application/json',
      `Content-Length: ${announced}`,
      `Idempotency-Key: ${announced}`,
    ]);

  test('get 408 with our body when the head, or the body, takes too long', async () => {
    for (const bytes of ['GET /healthz HTTP/1.1\r\nX-A: ', bulk(keys[1], 1_000)]) {
      const { answers } = await exchange(hasty.port, bytes, { answers: 1 });
      expect(answers[0]?.status).toBe(408);
      expect(JSON.parse(answers[0]?.body ?? '').details[0].reason).toBe('INVALID_ARGUMENT');
    }
  });

  test('that announce much and send little do not block others, and get 408', async () => {
    const largest = 32 * 1024 * 1024;
    // Larger than what is read without being counted.
    const body = JSON.stringify({ records: ' '.repeat(3 * 1024 * 1024) });
    const modest = await (await TestTenant.create(store)).key();
    const greedy = Array.from({ length: 8 }, () => `${bulk(keys[1], largest)}{`);
    const sent = [...greedy, bulk(modest, body.length) + body];
    const outcomes = await Promise.all(sent.map((bytes) => exchange(server.port, bytes, { answers: 1 })));
    const theirs = outcomes.flatMap((outcome) => outcome.answers);
    const mine = theirs.pop();
    expect([mine?.status, theirs.length]).toEqual([400, 8]);
    for (const { status, body: told } of theirs) {
      expect(status).toBe(408);
      // This is not the limit of half a minute for a whole request, whose answer says "took too long to arrive".
      const violation = { field: 'request', description: 'comes too slowly' };
      expect(JSON.parse(told).details[1].field_violations).toEqual([violation]);
    }
  });

  test('that open 1,000 silent connections do not block others, and are closed', async () => {
    let [opened, closed] = [0, 0];
    // The kernel keeps some 500 for a process that stands still, and loses what is beyond. They are accepted in turn, so an
    // answer on a later one says that all before it have been.
    for (const count of [250, 500, 750, 1_000]) {
      for (let begun = opened; begun < count; begun++)
        connect(hasty.port, '127.0.0.1')
          .on('error', () => {})
          .resume()
          .once('connect', () => opened++)
          .once('close', () => closed++);
      await eventually('connections', () => opened === count);
      await exchange(hasty.port, requestText('GET /healthz', []), { answers: 1 });
    }
    await serves(hasty, '/healthz');
    await eventually('their end', () => closed === opened, HEADERS_TIMEOUT_MS + 30_000);
  });
});

async function inParallel<T>(count: number, atOnce: number, work: (i: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const runner = async () => {
    while (next < count) {
      const i = next++;
      results[i] = await work(i);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, runner));
  return results;
}

describe('fuzz', () => {
  const SEED = '20240229';

  /** Sends it again where it did not get its turn (503), as so many at once may not on a busy machine. */
  const sent = (to: RunningServer, bytes: string | Buffer, answers: number): Promise<WireOutcome> =>
    eventually('an answer other than 503', async () => {
      const outcome = await exchange(to.port, bytes, { answers });
      return outcome.answers.every(({ status }) => status !== 503) && outcome;
    });

  test('2,000 mutated requests each get an answer or a closed connection, never a 5xx', async () => {
    const random = randomOf(SEED);
    const mutants = Array.from({ length: 2_000 }, () => mutant(random, keys));
    const outcomes = await inParallel(mutants.length, 200, (i) => sent(hasty, mutants[i] ?? Buffer.alloc(0), 1));
    const isBad = ({ answers, closed }: WireOutcome) =>
      (answers.length === 0 && !closed) || answers.some(({ status }) => !(status >= 200 && status < 500));
    const bad = outcomes.flatMap((outcome, i) =>
      isBad(outcome) ? [`${i}: ${JSON.stringify(String(mutants[i]))} → ${outcome.text}`] : [],
    );
    expect(bad).toEqual([]);
    expect(outcomes.filter(({ answers }) => answers.length > 0).length).toBeGreaterThan(1_500);
    await serves(hasty, '/readyz');
  });

  test('6,000 hostile requests do not make the memory grow', async () => {
    const random = randomOf(`${SEED}/2`);
    const rssMb = () =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.process.pid}/status`, 'utf8'))?.[1]) / 1024;
    const BATCH = 50;
    const flood = (requests: number) =>
      inParallel(requests / BATCH, 8, () =>
        sent(server, Array.from({ length: BATCH }, () => hostile(random, keys)).join(''), BATCH),
      );
    const warm = await flood(3_000);
    const before = rssMb();
    const statuses = [...warm, ...(await flood(3_000))].flatMap(({ answers }) => answers.map(({ status }) => status));
    expect(statuses).toHaveLength(6_000);
    expect([...new Set(statuses)].toSorted()).toEqual(
      [200, 400, 401, 404, 405, 415, 429].filter((s) => statuses.includes(s)),
    );
    expect(rssMb() - before).toBeLessThan(24);
  });
});
