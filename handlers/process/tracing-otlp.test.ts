/** A process that exports its spans: the trace of a request, from its caller to the receiver of its events. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '../../scripts/testbed/eventually.ts';
import { TestCollector } from '../../scripts/testbed/otlp.ts';
import type { RunningServer } from '../../scripts/testbed/server.ts';
import type { TestTenant } from '../../scripts/testbed/tenant.ts';
import { testDeployment } from '../../scripts/testbed/test-deployment.ts';

const deployment = await testDeployment();
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
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
    REVISION: 'abc',
    LOG_LEVEL: 'info',
  });
});

afterAll(() => collector.stop());

const send = (path: string, traceparent: string, body?: object) =>
  fetch(`${server.url}/developer/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'X-API-Key': key, traceparent, 'Content-Type': 'application/json', 'Idempotency-Key': traceparent },
    ...(body && { body: JSON.stringify({ create_missing: true, ...body }) }),
  });

test('a trace goes from its caller over the request and the batch to the delivery; a stop sends the last spans', async () => {
  const records = [{ external_id: 'E-1', external_person_id: 'P-1', admission_date: '2024-01-01' }];
  const people = { payload_type: 'PERSONS', records: [{ external_id: 'P-1', first_name: 'Әсел', iin: '' }] };
  await send('/ingest/KEDO', `00-${TRACE}-${'1'.repeat(16)}-00`, people);
  const sent = await send('/ingest/KEDO', `00-${TRACE}-${PARENT}-01`, { payload_type: 'EMPLOYEES', records });
  expect(sent.status).toBe(200);
  const [event] = await eventually('the event', () => {
    const { received } = deployment.receiver;
    return received.length > 0 ? received : undefined;
  });
  const unsampled = await send('/employees?limit=1', `00-${'a'.repeat(32)}-${PARENT}-00`);
  expect([unsampled.status, (await send('/employees', 'nonsense')).status]).toEqual([200, 200]);
  expect(await server.process.stop()).toBe(0);

  const ofTrace = collector.spans.filter(({ traceId }) => traceId === TRACE);
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
  expect(event?.traceparent).toBe(`00-${TRACE}-${attempt?.spanId}-01`);
  const lines = server.log().filter(({ trace_id }) => trace_id === TRACE);
  expect(lines).toContainEqual(expect.objectContaining({ operation_id: 'ingestRecords', span_id: request?.spanId }));

  expect(collector.resources[0]).toMatchObject({
    'service.name': 'developer-api',
    'service.version': expect.stringMatching(/^\d+\.\d+\.\d+$/),
    'deployment.environment.name': 'test',
    'vcs.ref.head.revision': 'abc',
  });
  expect(collector.spans.filter(({ traceId }) => traceId === 'a'.repeat(32))).toEqual([]);
  // A caller's nonsense begins a trace; the rehearsal of a start is none.
  expect(collector.spans.filter(({ name }) => name === 'GET /developer/v1/employees')).toHaveLength(1);
  expect(JSON.stringify(collector.spans)).not.toMatch(/Әсел|limit=|P-1|E-1/);
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
    await eventually('an export', () => collector.exports >= before + count || undefined);
  }
  expect(await other.process.stop()).toBe(0);
  expect(failures()).toMatchObject([{ reason: '500' }]);
  expect(other.process.stderr).toBe('');
});
