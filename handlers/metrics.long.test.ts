/** Each question that the metrics answer (`docs/metrics.md`): its trouble is caused, and the answer read from /metrics. */
import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { MongoClient, MongoNetworkError, MongoOperationTimeoutError, MongoServerError } from 'mongodb';
import { rateLimit } from '../generated/contract.ts';
import { eventually } from '../scripts/kit/eventually.ts';
import { DOWN, OK, Outside, Receivers } from '../scripts/world/deliveries.ts';
import { newKey, openDiskBed, PDF, postForm } from '../scripts/world/disk-storage.ts';
import { accept } from '../scripts/world/ingest.ts';
import { MemoryStorage } from '../scripts/world/memory-storage.ts';
import { type MetricSamples, scrape } from '../scripts/world/metric-samples.ts';
import { endpointRow, TestTenant } from '../scripts/world/tenant.ts';
import { testDeployment } from '../scripts/world/test-deployment.ts';
import { unavailableCauses, unavailableError } from './answers/errors.ts';
import { tellBacklog } from './backlog.ts';
import { collectionsOf, createIndexes } from './data/store.ts';
import { pageTokenSource } from './data/token-keys.ts';
import { Printer } from './documents/pdf/printer.ts';
import { Shares } from './fairness/shares.ts';
import { type Listener, listen } from './http/listener.ts';
import { publicPaths } from './http/public-paths.ts';
import { memoryRateLimiter } from './http/rate.ts';
import { writeRefusal } from './http/refusals.ts';
import { createServer, type ServerParts } from './http/server.ts';
import { checks, handlers } from './index.ts';
import { clockWatch } from './jobs/clock-watch.ts';
import { createSchedulerIndexes, JOBS_COLLECTION } from './jobs/scheduler.ts';
import { recurringNames, recurringWork } from './recurring-work.ts';
import { setClockOffset } from './runtime/clock.ts';
import { type InternalListener, serveMetrics } from './runtime/internal-listeners.ts';
import { createLogger } from './runtime/log.ts';
import { registry } from './runtime/metrics.ts';
import { counted } from './runtime/run-metrics.ts';
import { measuredStorage } from './storage/measured.ts';
// With all that a process counts.
import './process.ts';
import { startJobs } from './worker.ts';

const HOUR_MS = 3_600_000;
const log = createLogger('silent');
const memory = new MemoryStorage();
const storage = measuredStorage(memory);
const { database, store } = await testDeployment();
const failures: Partial<Record<string, () => Promise<never>>> = {};
let server: Listener;
let metricsListener: InternalListener;
let tenant: TestTenant;

const asked = new Set<string>();
const metrics = (): Promise<MetricSamples> => scrape(metricsListener.url, asked);

/** Expects of each metric, such as `name{label="value"}`, the sum of its samples that have these labels. */
function says(seen: MetricSamples, expected: Readonly<Record<string, unknown>>): void {
  expect(Object.fromEntries(Object.keys(expected).map((metric) => [metric, seen.value(metric)]))).toEqual(expected);
}

const limits = {
  host: '127.0.0.1',
  port: 0,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 10_000,
  refuse: (socket: Socket, code: string) => writeRefusal(socket, code, { domain: 'test' }),
};

/** Expects that an age or a difference is an hour, and what a busy machine takes at most. */
function saysAnHour(seen: MetricSamples, ...names: readonly string[]): void {
  for (const name of names) {
    const value = seen.value(name) ?? 0;
    expect([name, value > 3_590, value < 2 * 3_600]).toEqual([name, true, true]);
  }
}

/** Expects how long something waits that began then, by the clock of `performance`. */
function saysSecondsSince(seen: MetricSamples, name: string, beganMs: number): void {
  const seconds = seen.value(name) ?? 0;
  expect([name, seconds > 0, seconds <= (performance.now() - beganMs) / 1_000]).toEqual([name, true, true]);
}

beforeAll(async () => {
  await createIndexes(store);
  await createSchedulerIndexes(store);
  tenant = await TestTenant.create(store);
  const throwing = (name: keyof typeof handlers) => ({
    [name]: async (request: never) => failures[name]?.() ?? handlers[name](request),
  });
  const parts = {
    gate: {
      store,
      // Its time stands still, so a key has its burst and no more.
      limiter: memoryRateLimiter(() => 0),
      failures: { exceeded: async () => true },
      tokens: pageTokenSource(store, undefined),
      used: () => {},
      refused: () => {},
    },
    handlers: { ...handlers, ...throwing('listLoginMethods') },
    checks,
    storage,
    webhooks: {},
    errorSource: { domain: 'test' },
    trustedProxies: [],
    log,
    publicPaths: publicPaths({ ready: async () => false, version: { version: '1' } }),
  } as unknown as ServerParts;
  server = await listen(createServer(parts), { ...limits, maxConnections: 100 });
  metricsListener = await serveMetrics('127.0.0.1', 0);
});

afterAll(async () => {
  metricsListener.stop();
  await server.stop();
});

/** Makes calls with a new key, which has its whole limit. */
async function call(path: string, count = 1): Promise<number[]> {
  const headers = { 'X-API-Key': await tenant.key() };
  const statuses: number[] = [];
  for (let made = 0; made < count; made++) {
    const answer = await fetch(`${server.url}/developer/v1${path}`, { headers });
    await answer.arrayBuffer();
    statuses.push(answer.status);
  }
  return statuses;
}

describe('are calls served?', () => {
  test('by operation, status and error name, apart from probes and from what is no HTTP', async () => {
    expect(await call(`/employees/${randomUUID()}`)).toEqual([404]);
    expect(await call('/employees?limit=0')).toEqual([400]);
    expect(await call('/nothing')).toEqual([404]);
    for (const path of ['/healthz', '/readyz', '/favicon.ico']) await (await fetch(server.url + path)).arrayBuffer();
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.write('no HTTP\r\n\r\n');
    expect(await text(socket)).toContain(' 400 ');
    const seen = await metrics();
    const calls = 'http_server_request_duration_seconds_count';
    const route = 'http_request_method="GET",http_route="/developer/v1/employees/{employee_id}"';
    says(seen, {
      [`${calls}{operation_id="getEmployee",${route},http_response_status_code="404"}`]: 1,
      [`${calls}{operation_id="none",http_response_status_code="404"}`]: 1,
      [calls]: 3,
      'http_server_calls_total{outcome="served"}': 3,
      'api_errors_total{operation_id="getEmployee",error_type="EMPLOYEE_NOT_FOUND"}': 1,
      'api_errors_total{operation_id="listEmployees",error_type="INVALID_ARGUMENT"}': 1,
      api_errors_total: 3,
      'public_path_requests_total{http_route="/healthz",http_response_status_code="200"}': 1,
      'public_path_requests_total{http_route="/readyz",http_response_status_code="503"}': 1,
      'public_path_requests_total{http_route="other",http_response_status_code="404"}': 1,
      'public_path_requests_total{http_route="other",http_response_status_code="400"}': 1,
      'public_path_requests_total{http_route="/metrics"}': 1,
      api_unavailable_total: 0,
    });
    says(await metrics(), { 'public_path_requests_total{http_route="/metrics"}': 2 });
  });

  test('refusals by the limit are counted, also for their tenant', async () => {
    const refused = 3;
    const statuses = await call('/login_methods', rateLimit.burst + refused);
    expect(statuses.slice(rateLimit.burst)).toEqual(Array(refused).fill(429));
    const unknown = await fetch(`${server.url}/developer/v1/login_methods`, { headers: { 'X-API-Key': 'unknown' } });
    expect(unknown.status).toBe(429);
    says(await metrics(), {
      'rate_limit_refusals_total{limit="key"}': refused,
      'rate_limit_refusals_total{limit="address"}': 1,
      [`tenant_refusals_total{tenant_id="${tenant.id}",cause="rate_limit"}`]: refused,
    });
  });

  test.each([
    ['database_away', () => new MongoNetworkError('')],
    ['database_slow', () => new MongoOperationTimeoutError('')],
    ['database_slow', () => new MongoServerError({ code: 50, message: '' })],
    ['database_refuses', () => new MongoServerError({ code: 14031, message: '' })],
    ['printing', () => unavailableError('printing', {})],
  ] as const)('503 because of %s is told apart', async (cause, error) => {
    const counted = ['http_server_calls_total{outcome="failed"}'].concat(
      unavailableCauses.map((each) => `api_unavailable_total{cause="${each}"}`),
    );
    const counts = async () => {
      const seen = await metrics();
      return counted.map((each) => seen.value(each));
    };
    const before = await counts();
    failures.listLoginMethods = async () => {
      says(await metrics(), { http_server_active_requests: 1 });
      throw error();
    };
    expect(await call('/login_methods')).toEqual([503]);
    delete failures.listLoginMethods;
    says(await metrics(), { http_server_active_requests: 0 });
    const after = await counts();
    const more = counted.filter((_, nth) => after[nth] !== before[nth]);
    expect(more).toEqual([counted[0], `api_unavailable_total{cause="${cause}"}`]);
  });
});

test('a connection beyond MAX_CONNECTIONS is counted as it is closed', async () => {
  const small = await listen((_, res) => res.end(), { ...limits, maxConnections: 1 });
  const [held, dropped] = [0, 0].map(() => connect(Number(new URL(small.url).port), '127.0.0.1'));
  expect(dropped && (await text(dropped))).toBe('');
  held?.destroy();
  await small.stop();
  says(await metrics(), { http_server_dropped_connections_total: 1 });
});

/** Longer than a busy machine takes for a scrape. */
const LONG_MS = 120_000;

/** Lets nothing happen after LONG_MS. @returns what would happen then, for the test to call, and the end of this */
function heldTimers() {
  const held: (() => void)[] = [];
  const real = globalThis.setTimeout;
  const hold = (work: () => void, ms?: number, ...rest: []) => {
    if (ms !== LONG_MS) return real(work, ms, ...rest);
    held.push(work);
    return undefined;
  };
  const spy = jest.spyOn(globalThis, 'setTimeout').mockImplementation(hold as typeof setTimeout);
  return { held, [Symbol.dispose]: () => spy.mockRestore() };
}

test('when did work last succeed? A run that fails counts, and does not move it', async () => {
  const of = '{work="relay_events"}';
  const shown = async (name: string) => (await metrics()).value(`${name}${of}`);
  await counted('relay_events', async () => {});
  const succeeded = await shown('work_last_success_timestamp_seconds');
  const runs = (await shown('work_run_duration_seconds_count')) ?? 0;
  setClockOffset(HOUR_MS);
  await expect(counted('relay_events', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  setClockOffset(0);
  expect(await shown('work_last_success_timestamp_seconds')).toBe(succeeded);
  expect(await shown('work_run_duration_seconds_count')).toBe(runs + 1);
});

test('which tenants wait or are refused, for which share?', async () => {
  using timers = heldTimers();
  const beganMs = performance.now();
  const share = new Shares({ name: 'uploads', inAll: 4, ofTenant: 2, patienceMs: LONG_MS });
  const [greedy, other] = [randomUUID(), randomUUID()];
  await share.take(greedy, 2);
  const waiting = [share.take(greedy, 1), share.take(greedy, 1)];
  await share.take(other, 1);
  const seen = await metrics();
  says(seen, {
    [`tenant_waiting_requests{tenant_id="${greedy}",share="uploads"}`]: 2,
    [`tenant_waiting_requests{tenant_id="${other}"}`]: undefined,
    'share_waiting_requests{share="uploads"}': 2,
    'share_used_ratio{share="uploads"}': 0.75,
  });
  saysSecondsSince(seen, 'share_oldest_wait_seconds{share="uploads"}', beganMs);
  share.release(greedy, 1);
  timers.held.at(-1)?.();
  const ended = await Promise.allSettled(waiting);
  expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  says(await metrics(), {
    'share_refusals_total{share="uploads",reason="late"}': 1,
    [`tenant_refusals_total{tenant_id="${greedy}",cause="uploads"}`]: 1,
    [`tenant_waiting_requests{tenant_id="${greedy}"}`]: undefined,
    'share_oldest_wait_seconds{share="uploads"}': 0,
    'share_wait_duration_seconds_count{share="uploads"}': 1,
  });
});

describe('without a worker, the metrics of any process say', () => {
  const outside = new Outside();
  const startAll = () =>
    startJobs({ store, send: outside.send, perEndpoint: 8, log, recurring: recurringWork(store, storage) });
  const receivers = new Receivers(store);
  let endpoint: string;
  const longAgo = () => new Date(Date.now() - HOUR_MS);
  const untold = tellBacklog(store, { freshMs: 0, patienceMs: LONG_MS, mostWorkMs: LONG_MS });
  afterAll(untold);

  beforeAll(async () => {
    await receivers.flag();
    endpoint = await receivers.endpoint();
    const own = (...event_types: string[]) =>
      endpointRow({ tenant_id: tenant.id, slot: event_types.length, event_types });
    await store.webhook_endpoints.insertMany([own('employee.changed'), own('document.sent', 'document.completed')]);
  });

  test('that events wait, how many and for how long', async () => {
    const employee = await tenant.employee();
    const event = { id: randomUUID(), type: 'employee.changed' as const, occurred_at: longAgo() };
    const change = { $set: { pending_events: [event], outbox_at: longAgo() } };
    await store.employees.updateOne({ _id: employee }, change);
    const seen = await metrics();
    says(seen, {
      database_up: 1,
      'outbox_rows{db_collection_name="employees"}': 1,
      'outbox_rows{db_collection_name="documents"}': 0,
      'outbox_oldest_age_seconds{db_collection_name="documents"}': 0,
    });
    saysAnHour(seen, 'outbox_oldest_age_seconds{db_collection_name="employees"}');
  });

  test('that deliveries are due, and for how long; later ones are only pending; a slow receiver is named', async () => {
    const slow = await receivers.endpoint();
    const [held] = await receivers.deliveries(slow, 2, { next_at: longAgo() });
    await store.deliveries.updateOne({ _id: held ?? '' }, { $set: { lease_until: new Date(Date.now() + HOUR_MS) } });
    const named = `webhook_endpoint_oldest_due_seconds{tenant_id="${receivers.tenantId}",endpoint_id="${slow}"}`;
    const beside = await metrics();
    saysAnHour(beside, named);
    says(beside, { webhook_deliveries_due: 2, webhook_deliveries_oldest_due_seconds: 0 });
    await store.deliveries.deleteMany({ endpoint_id: slow });
    await receivers.deliveries(endpoint, 2, { next_at: longAgo(), occurred_at: longAgo() });
    await receivers.deliveries(endpoint, 1, { next_at: new Date(Date.now() + HOUR_MS) });
    const seen = await metrics();
    says(seen, { webhook_deliveries_pending: 3, webhook_deliveries_due: 2 });
    saysAnHour(seen, 'webhook_deliveries_oldest_due_seconds');
  });

  test('that batches wait, with how many records and for how long', async () => {
    const records = [
      { external_id: 'A', name: 'Бухгалтер' },
      { external_id: 'B', name: 'Инженер' },
      { external_id: '' },
    ];
    const headers = { 'X-API-Key': await tenant.key(), 'Content-Type': 'application/json', 'Idempotency-Key': 'one' };
    const body = JSON.stringify({ payload_type: 'JOB_TITLES', create_missing: true, records });
    const answer = await fetch(`${server.url}/developer/v1/ingest/KEDO`, { method: 'POST', headers, body });
    const { ingest_request_id } = await answer.json();
    await store.ingest_requests.updateOne({ _id: ingest_request_id }, { $set: { create_time: longAgo() } });
    const id = await accept(store, receivers.tenantId, { pair: 'KEDO/PERSONS', records: Array(20).fill({}) });
    const counts = { created: 1, updated: 2, unchanged: 4, skipped: 8 };
    await store.ingest_requests.updateOne({ _id: id }, { $set: { counts } });
    const seen = await metrics();
    says(seen, {
      ingest_batches_accepted_total: 1,
      ingest_records_accepted_total: 3,
      ingest_batches_waiting: 2,
      ingest_records_waiting: 3 + (20 - 15),
    });
    saysAnHour(seen, 'ingest_oldest_batch_age_seconds');
    await store.ingest_requests.deleteOne({ _id: id });
  });

  test('which endpoints are disabled, by reason', async () => {
    await receivers.endpoint({ status: 'DISABLED', disabled_reason: 'MANUAL' });
    says(await metrics(), {
      'webhook_endpoints_disabled{disabled_reason="MANUAL"}': 1,
      'webhook_endpoints_disabled{disabled_reason="CONSECUTIVE_FAILURES"}': 0,
    });
  });

  test('when recurring work last ran, whoever ran it', async () => {
    const at = longAgo();
    const jobs = store.db.collection(JOBS_COLLECTION);
    await jobs.insertOne({ name: 'sweep_files', repeatInterval: 1, lastFinishedAt: at, nextRunAt: null });
    says(await metrics(), { 'recurring_work_last_run_timestamp_seconds{work="sweep_files"}': at.getTime() / 1_000 });
    await jobs.deleteMany({});
  });

  test('with a worker again: nothing waits, how late it came, and how each attempt and record ended', async () => {
    const failing = await receivers.endpoint({ failed_delivery_ids: Array.from({ length: 19 }, () => randomUUID()) });
    await receivers.deliveries(failing, 1, { attempt_count: 7, occurred_at: longAgo() });
    outside.answer = (id) => (id === failing ? DOWN : OK);
    const works = ['relay_events', 'watch_deliveries', 'watch_ingest', 'apply_ingest', ...recurringNames];
    const jobs = await startAll();
    const seen = await eventually('the end of the work', async () => {
      const now = await metrics();
      const isOver =
        now.value('webhook_deliveries_due') === 0 &&
        now.value('ingest_batches_waiting') === 0 &&
        works.every((work) => now.value(`work_last_success_timestamp_seconds{work="${work}"}`) !== undefined) &&
        recurringNames.every(
          (work) => now.value(`recurring_work_last_run_timestamp_seconds{work="${work}"}`) !== undefined,
        );
      return isOver && now;
    });
    await jobs.stop();
    says(seen, {
      outbox_rows: 0,
      outbox_oldest_age_seconds: 0,
      events_relayed_total: 1,
      webhook_deliveries_created_total: 1,
      'webhook_attempts_total{attempt="1",result="success"}': 3,
      'webhook_attempts_total{attempt="8",result="5xx"}': 1,
      'webhook_attempt_duration_seconds_count{result="success"}': 3,
      'webhook_attempt_duration_seconds_count{result="5xx"}': 1,
      'webhook_attempt_duration_seconds_sum{result="5xx"}': DOWN.duration_ms / 1_000,
      webhook_attempts_active: 0,
      webhook_first_attempt_lag_seconds_count: 3,
      'webhook_deliveries_ended_total{status="DELIVERED"}': 3,
      'webhook_deliveries_ended_total{status="FAILED"}': 1,
      webhook_endpoint_disablements_total: 1,
      'webhook_endpoints_disabled{disabled_reason="CONSECUTIVE_FAILURES"}': 1,
      'ingest_records_applied_total{outcome="created"}': 2,
      'ingest_records_applied_total{outcome="skipped"}': 1,
    });
    expect(seen.value('webhook_first_attempt_lag_seconds_sum')).toBeGreaterThanOrEqual(7_200);
    saysAnHour(seen, 'ingest_apply_lag_seconds_sum');
    for (const work of works) expect(seen.value(`work_run_duration_seconds_count{work="${work}"}`)).toBeGreaterThan(0);
  });

  test('an event that waits for its own receiver alone is not late', async () => {
    const before = await metrics();
    outside.answer = () => undefined;
    const [count, inTime] = ['_count', '_bucket{le="5"}'].map((part) => `webhook_first_attempt_lag_seconds${part}`);
    const more = async (name = '') => ((await metrics()).value(name) ?? 0) - (before.value(name) ?? 0);
    await receivers.deliveries(await receivers.endpoint(), 2);
    const jobs = await startAll();
    try {
      await outside.waiting(1);
      says(await metrics(), { webhook_attempts_active: 1 });
      setClockOffset(HOUR_MS / 2);
      outside.answer = () => OK;
      outside.open[0]?.answer(OK);
      await eventually('both attempts', async () => (await more(count)) === 2);
      expect(await more(inTime)).toBe(2);
    } finally {
      setClockOffset(0);
      await jobs.stop();
    }
  });

  test('while the database does not answer, that nothing is known, and within a second', async () => {
    const frozen = { ...store, webhook_endpoints: { count: () => new Promise(() => {}) } };
    untold();
    const end = tellBacklog(frozen as unknown as typeof store, { freshMs: 0 });
    // A busy machine adds to it.
    const seen = await eventually('a scrape of less than a second', async () => {
      const startedMs = performance.now();
      const found = await metrics();
      return performance.now() - startedMs < 1_000 && found;
    });
    end();
    says(seen, { database_up: 0, webhook_deliveries_pending: undefined, outbox_rows: undefined });
  });
});

describe('is the database well?', () => {
  test('commands that fail are told apart from others, by collection', async () => {
    await expect(store.departments.find({ $nonsense: 1 } as never).toArray()).rejects.toThrow();
    const seen = await metrics();
    const count = 'db_client_operation_duration_seconds_count';
    const failed = 'db_operation_name="find",db_collection_name="departments",error_type="BadValue"';
    says(seen, { [`${count}{${failed}}`]: 1 });
    expect(seen.value(`${count}{db_collection_name="tenants"}`)).toBeGreaterThan(0);
    expect(seen.text).not.toContain('db_collection_name="1"');
  });

  test('a pool that is too small shows in connections, waits and refusals', async () => {
    const before = await metrics();
    const client = new MongoClient(database.uri, { maxPoolSize: 1, waitQueueTimeoutMS: 1 });
    const small = collectionsOf(client, database.name);
    await eventually('a connection', () => small.tenants.findOne({}).catch(() => undefined));
    const reads = await Promise.allSettled(Array.from({ length: 200 }, () => small.tenants.findOne({})));
    const refused = reads.filter(({ status }) => status === 'rejected').length;
    expect(refused).toBeGreaterThan(0);
    const seen = await metrics();
    await small.close();
    const grown = (name: string) => (seen.value(name) ?? 0) - (before.value(name) ?? 0);
    expect(grown('db_client_connection_timeouts_total')).toBeGreaterThanOrEqual(refused);
    says(seen, { db_client_connection_pending_requests: 0, db_client_connection_max: 1, database_primary_known: 1 });
    expect(grown('db_client_connection_wait_time_seconds_count')).toBeGreaterThan(0);
    expect(seen.value('db_client_connections{db_client_connection_state="idle"}')).toBeGreaterThan(0);
  });

  test('a machine whose clock differs shows by how much', async () => {
    const localTime = new Date(Date.now() + HOUR_MS);
    const watch = clockWatch({ db: { command: async () => ({ localTime }) } } as unknown as typeof store, log);
    await watch.start();
    await watch.stop();
    saysAnHour(await metrics(), 'clock_difference_seconds');
  });
});

test('is storage well? Failures are told apart by operation', async () => {
  memory.down = true;
  await expect(storage.latest('x')).rejects.toThrow();
  memory.down = false;
  await storage.write('y', 'application/pdf', Buffer.from('%PDF-'));
  says(await metrics(), {
    'storage_operation_duration_seconds_count{storage_operation="latest",error_type="unavailable"}': 1,
    'storage_operation_duration_seconds_count{storage_operation="write"}': 1,
    'storage_operation_duration_seconds_count{storage_operation="write",error_type="unavailable"}': undefined,
  });
});

test('what clients do at the folder is counted by method and status', async () => {
  const folder = await openDiskBed();
  const form = await folder.storage.uploadForm(newKey(), PDF, 100, 60_000);
  expect(await postForm(form, '%PDF-')).toBe(204);
  await (await fetch(folder.url)).arrayBuffer();
  await folder.stop();
  const count = 'storage_server_request_duration_seconds_count';
  says(await metrics(), {
    [`${count}{http_request_method="POST",http_response_status_code="204"}`]: 1,
    [`${count}{http_request_method="GET"}`]: 1,
    [count]: 2,
  });
});

test('is printing stuck? A thread that does not answer, and what waits for it, are seen', async () => {
  using timers = heldTimers();
  const silent = `import('node:worker_threads').then(({ parentPort }) => parentPort.on('message', () => {}))`;
  const printer = new Printer(new URL(`data:text/javascript,${encodeURIComponent(silent)}`), {
    longestMs: LONG_MS,
    longestWaitMs: 2 * LONG_MS,
  });
  const job = { kind: 'document', input: { title: 'Приказ' } } as unknown as Parameters<Printer['print']>[0];
  const beganMs = performance.now();
  const prints = [printer.print(job, 'a'), printer.print(job, 'a')];
  const seen = await metrics();
  says(seen, { printing_active_jobs: 1, 'share_waiting_requests{share="printing"}': 1 });
  saysSecondsSince(seen, 'printing_oldest_job_seconds', beganMs);
  for (const print of prints) {
    const refuse = await eventually('a thread that is at work', () => timers.held.shift());
    refuse();
    await expect(print).rejects.toMatchObject({ errorName: 'UNAVAILABLE' });
  }
  says(await metrics(), {
    'printing_duration_seconds_count{kind="document",error_type="unavailable"}': 2,
    printing_active_jobs: 0,
  });
});

test('every metric is asked for above, but those that tests beside their makers ask for', () => {
  const own = registry.getMetricsAsArray().filter(({ name }) => !/^(?:process|nodejs)_/.test(name));
  expect(
    own
      .map(({ name }) => name)
      .filter((name) => !asked.has(name))
      .toSorted(),
  ).toEqual([
    'deployment_check_verdict',
    'deployment_processes',
    'deployment_processes_differing',
    'developer_api_build_info',
    'log_lines_dropped_total',
  ]);
});
