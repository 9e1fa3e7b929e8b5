/** A process that exports its spans: the trace of a request, from its caller to the receiver of its events. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '../../scripts/kit/eventually.ts';
import { TestCollector } from '../../scripts/world/otlp.ts';
import type { RunningServer } from '../../scripts/world/server.ts';
import type { TestTenant } from '../../scripts/world/tenant.ts';
import { testDeployment } from '../../scripts/world/test-deployment.ts';

const deployment = await testDeployment();
const PARENT = '00f067aa0ba902b7';
let collector: TestCollector;
let tenant: TestTenant;
let server: RunningServer;
let key: string;

beforeAll(async () => {
  await deployment.receive();
  collector = await TestCollector.listen();
  tenant = await deployment.tenant();
  key = await tenant.key();
  await deployment.hook(tenant.id, '/events', 1);
  server = await deployment.start({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    OTEL_BSP_SCHEDULE_DELAY: '50',
    REVISION: 'abc',
    LOG_LEVEL: 'info',
  });
});

afterAll(() => collector.stop());

function send(path: string, traceparent: string, body?: object): Promise<Response> {
  return fetch(`${server.url}/developer/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'X-API-Key': key, traceparent, 'Content-Type': 'application/json', 'Idempotency-Key': traceparent },
    ...(body && { body: JSON.stringify({ create_missing: true, ...body }) }),
  });
}

const newTrace = () => randomBytes(16).toString('hex');
const spansOf = (trace: string) => collector.spans.filter(({ traceId }) => traceId === trace);

/** Has an employee made, in two batches of which the second one is traced. @returns the trace */
async function tracedBatch(): Promise<string> {
  const [trace, untraced] = [newTrace(), newTrace()];
  const people = { payload_type: 'PERSONS', records: [{ external_id: 'P-1', first_name: 'Әсел', iin: '' }] };
  const records = [{ external_id: 'E-1', external_person_id: 'P-1', admission_date: '2024-01-01' }];
  const first = await send('/ingest/KEDO', `00-${untraced}-${'1'.repeat(16)}-00`, people);
  const sent = await send('/ingest/KEDO', `00-${trace}-${PARENT}-01`, { payload_type: 'EMPLOYEES', records });
  expect([first.status, sent.status]).toEqual([200, 200]);
  return trace;
}

const NAMES = [
  'POST /developer/v1/ingest/{source_type}',
  'insert ingest_requests',
  'apply_ingest',
  'find ingest_chunks',
  'deliver employee.changed',
];

test('a trace goes from its caller over the request and the batch to the delivery', async () => {
  const trace = await tracedBatch();
  const event = await eventually('the event', () =>
    deployment.receiver.received.find(({ traceparent }) => traceparent?.includes(trace)),
  );
  const unsampled = 'a'.repeat(32);
  expect((await send('/employees?limit=1', `00-${unsampled}-${PARENT}-00`)).status).toBe(200);
  expect((await send('/employees', 'nonsense')).status).toBe(200);
  // A caller's nonsense begins a trace.
  const listed = () => collector.spans.filter(({ name }) => name === 'GET /developer/v1/employees');
  await eventually('the spans', () => {
    const names = new Set(spansOf(trace).map(({ name }) => name));
    return NAMES.every((name) => names.has(name)) && listed().length > 0;
  });
  expect(await server.process.stop()).toBe(0);

  const ofTrace = spansOf(trace);
  const [request] = ofTrace.filter(({ kind }) => kind === 2);
  expect(request).toMatchObject({ parentId: PARENT, name: 'POST /developer/v1/ingest/{source_type}', isError: false });
  expect(request?.attributes).toEqual({
    'http.request.method': 'POST',
    'http.route': '/developer/v1/ingest/{source_type}',
    'http.response.status_code': 200,
    operation_id: 'ingestRecords',
    tenant_id: tenant.id,
  });
  const [inserted] = ofTrace.filter(({ name }) => name === 'insert ingest_requests');
  expect(inserted).toMatchObject({ parentId: request?.spanId, kind: 3, isError: false });
  expect(inserted?.attributes).toEqual({
    'db.system.name': 'mongodb',
    'db.operation.name': 'insert',
    'db.collection.name': 'ingest_requests',
  });
  const [batch] = ofTrace.filter(({ name }) => name === 'apply_ingest');
  expect(batch?.parentId).toBe(request?.spanId);
  const [chunk] = ofTrace.filter(({ name }) => name === 'find ingest_chunks');
  expect(chunk?.parentId).toBe(batch?.spanId);
  const [attempt] = ofTrace.filter(({ name }) => name === 'deliver employee.changed');
  expect(attempt).toMatchObject({ parentId: batch?.spanId, kind: 3, isError: false });
  expect(attempt?.attributes).toMatchObject({ 'http.response.status_code': 204, tenant_id: tenant.id });
  expect(event?.traceparent).toBe(`00-${trace}-${attempt?.spanId}-01`);
  const lines = server.log().filter(({ trace_id }) => trace_id === trace);
  expect(lines).toContainEqual(expect.objectContaining({ operation_id: 'ingestRecords', span_id: request?.spanId }));

  expect(collector.resources[0]).toMatchObject({
    'service.name': 'developer-api',
    'service.version': expect.stringMatching(/^\d+\.\d+\.\d+$/),
    'deployment.environment.name': 'test',
    'vcs.ref.head.revision': 'abc',
  });
  expect(spansOf(unsampled)).toEqual([]);
  expect(listed()).toHaveLength(1);
  expect(JSON.stringify(collector.spans)).not.toMatch(/Әсел|limit=|[PE]-\d/);
});

test('a stop sends the last spans', async () => {
  server = await deployment.start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '60000' });
  const trace = newTrace();
  expect((await send('/employees?limit=1', `00-${trace}-${PARENT}-01`)).status).toBe(200);
  expect(spansOf(trace)).toEqual([]);
  expect(await server.process.stop()).toBe(0);
  const last = expect.objectContaining({ parentId: PARENT, name: 'GET /developer/v1/employees' });
  expect(spansOf(trace)).toContainEqual(last);
});

test('a collector that fails is one line in the log, and hurts no request', async () => {
  collector.status = 500;
  const before = collector.exports;
  const other = await deployment.start({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_TRACES_SAMPLER: 'always_on',
    OTEL_BSP_SCHEDULE_DELAY: '50',
    LOG_LEVEL: 'info',
  });
  server = other;
  const failures = () => other.log().filter(({ event }) => event === 'trace_export_failed');
  for (const count of [1, 2]) {
    expect((await send('/employees?limit=1', '')).status).toBe(200);
    await eventually('an export', () => collector.exports >= before + count);
  }
  expect(await other.process.stop()).toBe(0);
  expect(failures()).toMatchObject([{ reason: '500' }]);
  expect(other.process.stderr).toBe('');
});
