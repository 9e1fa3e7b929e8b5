/** A server while the database is away: it refuses quickly, and recovers by itself. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '../../scripts/kit/eventually.ts';
import { OwnDatabase } from '../../scripts/world/database.ts';
import { scrape } from '../../scripts/world/metric-samples.ts';
import { type RunningServer, ready, startServer } from '../../scripts/world/server.ts';
import { TestTenant } from '../../scripts/world/tenant.ts';
import { testDeploymentOn } from '../../scripts/world/test-deployment.ts';
import { newKey } from '../access/keys.ts';
import { isStoreAway } from './database-unavailable.ts';
import { openStore } from './store.ts';

const { database, store } = await testDeploymentOn(new OwnDatabase(), 10_000);
let tenant: TestTenant;
let server: RunningServer;

beforeAll(async () => {
  tenant = await TestTenant.create(store);
  await database.kill();
  const env = { ...database.env, DATABASE_TIMEOUT_MS: '1000', METRICS_PORT: '0' };
  server = await startServer(env);
});

afterAll(async () => {
  await server.process.stop();
});

async function ask(path: string, key?: string) {
  const startedAt = performance.now();
  const answer = await fetch(server.url + path, key === undefined ? {} : { headers: { 'X-API-Key': key } });
  const body = (await answer.json()) as { details?: { reason?: string }[] };
  const { status, headers } = answer;
  const reason = body.details?.[0]?.reason;
  return { status, reason, retryAfter: headers.get('retry-after'), ms: performance.now() - startedAt };
}

/** Metrics answer, and say that nothing is known of the store. */
async function expectNothingKnown(): Promise<void> {
  const seen = await eventually('the absence in the metrics', async () => {
    const found = await scrape(server.metricsUrl);
    return found.value('database_up') === 0 && found.value('database_primary_known') === 0 && found;
  });
  expect(seen.value('outbox_rows')).toBeUndefined();
  expect(seen.value('webhook_deliveries_pending')).toBeUndefined();
  expect(seen.value('api_unavailable_total{cause="database_away"}')).toBeGreaterThan(0);
  expect(seen.value('api_unavailable_total')).toBe(seen.value('api_unavailable_total{cause="database_away"}'));
  expect(seen.value(`developer_api_build_info{role="all",node_version="${process.versions.node}"}`)).toBe(1);
}

const VERIFY = '/developer/v1/api_key/_verify';

async function expectAway(path: string, key: string): Promise<void> {
  const answer = await ask(path, key);
  expect(answer).toMatchObject({ status: 503, reason: 'UNAVAILABLE', retryAfter: '1' });
  // About 1.5 s, plus a margin for a busy machine; without our limit it would be half a minute.
  expect(answer.ms).toBeLessThan(25_000);
}

test('every error that a lost connection causes in running commands, long ones too, counts as away', async () => {
  const lost = new OwnDatabase();
  const uri = await lost.start();
  // A busy machine may need longer for this.
  const far = await eventually('a store', () => openStore(uri, lost.name, 2_000, 2_000).catch(() => undefined));
  const text = 'x'.repeat(3_000_000);
  const rows = far.db.collection('rows');
  await eventually('a row', () => rows.insertOne({ text }).catch(() => undefined));
  const works = [
    () => rows.insertOne({ text }),
    () => rows.insertMany([{ text }, { text }]),
    () => rows.bulkWrite([{ insertOne: { document: { text } } }]),
    () => rows.find({}).toArray(),
  ];
  const under = Promise.allSettled(Array.from({ length: 40 }, (_, n) => works[n % works.length]?.()));
  await lost.kill();
  const failures = (await under).flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  expect(failures.length).toBeGreaterThan(0);
  expect(failures.filter((error) => !isStoreAway(error))).toEqual([]);
  await far.close();
  await lost.remove();
});

describe('while the database is away', () => {
  let key: string;

  test('a starting server is alive, not ready and answers 503; it recovers once the database answers', async () => {
    expect(await ask('/healthz')).toMatchObject({ status: 200 });
    expect(await ask('/readyz')).toMatchObject({ status: 503, reason: 'UNAVAILABLE', retryAfter: '1' });
    // Its checksum is right, so the database is asked.
    await expectAway(VERIFY, newKey('test'));
    expect(await ask(VERIFY, 'no key')).toMatchObject({ status: 401 });
    await expectNothingKnown();
    await database.start();
    await ready(server);
    key = await eventually('the store of the test', () => tenant.key().catch(() => undefined));
    await eventually('recovery', async () => (await ask(VERIFY, key)).status === 200);
    const seen = await eventually('the presence in the metrics', async () => {
      const found = await scrape(server.metricsUrl);
      return found.value('database_up') === 1 && found.value('database_primary_known') === 1 && found;
    });
    expect(seen.value('outbox_rows')).toBe(0);
    // The next outage begins after the end of this one.
    const isOver = () => server.log().some(({ event }) => event === 'store_recovered');
    await eventually('the end of the outage in the log', isOver);
  });

  test('a server whose database is frozen answers 503 in bounded time, and recovers when it continues', async () => {
    await database.freeze();
    const answers = await Promise.all(Array.from({ length: 30 }, () => ask(VERIFY, key)));
    database.thaw();
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 503, reason: 'UNAVAILABLE' });
      expect(answer.ms).toBeLessThan(25_000);
    }
    await eventually('recovery', async () => (await ask(VERIFY, key)).status === 200);
  });

  test('the log never shows an address or a value', () => {
    expect(server.process.stdout).not.toContain(key);
    expect(server.process.stderr).toBe('');
  });
});
