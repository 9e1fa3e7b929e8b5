/** Bodies with several faults: one answer names the wrong forms and the wrong meanings, as far as they are known. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { operations, prefix } from '../generated/operations.ts';
import { ask } from '../scripts/testbed/ask.ts';
import { draftRow } from '../scripts/testbed/document-row.ts';
import { TenantFixture } from '../scripts/testbed/documents.ts';
import { type InProcess, serveInProcess } from '../scripts/testbed/in-process.ts';
import { testDeployment } from '../scripts/testbed/test-deployment.ts';
import * as served from './index.ts';

const { store } = await testDeployment();
let fixture: TenantFixture;
let server: InProcess;
let key: string;
let type: string;
let template: string;
let document: string;

beforeAll(async () => {
  fixture = await TenantFixture.create(store);
  const owner = await fixture.owner();
  key = await fixture.key({ owner_id: owner.userId });
  type = await fixture.type();
  template = await fixture.template(type, ['reason']);
  document = randomUUID();
  const row = draftRow({ _id: document, initiator_employee_id: owner.employeeId, tenant_id: fixture.id });
  await store.documents.insertOne(row);
  server = await serveInProcess(served, store, fixture.storage);
});

afterAll(() => server.stop());

async function post(path: string, body: unknown, headers: Record<string, string> = {}) {
  const { status, reason, fields } = await ask('POST', server.url + path, key, body, headers);
  return { status, reason, fields: fields.toSorted() };
}

const wrong = (...fields: string[]) => ({ status: 400, reason: 'INVALID_ARGUMENT', fields: fields.toSorted() });
const ghost = randomUUID();
const right = () => ({ title: 'Приказ', type_id: type, template_id: template, template_values: { reason: 'x' } });

describe('the refusal of a creation', () => {
  test('names wrong fields, wrong combinations and ids that the store does not know', async () => {
    const body = {
      title: '\u200b',
      type_id: type,
      template_id: template,
      number: 5,
      no_such_field: 1,
      organization_id: ghost,
      subject_employee_ids: ['x', ghost],
      template_values: { reason: 5, other: 1 },
    };
    expect(await post('/documents', body)).toEqual(
      wrong(
        'title',
        'number',
        'no_such_field',
        'organization_id',
        'subject_employee_ids[0]',
        'subject_employee_ids[1]',
        'template_values.other',
        'template_values.reason',
      ),
    );
  });

  test('names a wrong header, an unknown parameter and an inexact number together with wrong fields', async () => {
    const text = JSON.stringify({ ...right(), title: ' ', template_values: { reason: 5, other: 0 } }).replace(
      '"other":0',
      '"other":-0',
    );
    expect(await post('/documents?limit=1', text, { 'Idempotency-Key': 'a b' })).toEqual(
      wrong('Idempotency-Key', 'limit', 'title', 'template_values.reason', 'template_values.other'),
    );
  });

  test('does not name what depends on a malformed field', async () => {
    for (const [more, fields] of [
      [{ template_id: 'x' }, ['template_id']],
      [{ file_id: 5 }, ['file_id']],
      [{ template_values: [] }, ['template_values']],
      [{ template_version: 'x', template_values: { other: 1 } }, ['template_version']],
      [{ type_id: 'x' }, ['type_id']],
      [{ type_id: 'x', template_id: ghost }, ['type_id', 'template_id']],
      [{ type_id: undefined, title: undefined }, ['type_id', 'title']],
      [{ subject_employee_ids: 'x' }, ['subject_employee_ids']],
    ] as const) {
      expect([more, await post('/documents', { ...right(), ...more })]).toEqual([more, wrong(...fields)]);
    }
  });

  test('names wrong fields first; a right body without an initiator gets DOCUMENT_INITIATOR_NOT_FOUND', async () => {
    const held = key;
    key = await fixture.key();
    const answers = [await post('/documents', { ...right(), number: 5, organization_id: ghost })];
    answers.push(await post('/documents', { ...right(), organization_id: ghost }));
    key = held;
    expect(answers).toEqual([
      wrong('number', 'organization_id'),
      { status: 404, reason: 'DOCUMENT_INITIATOR_NOT_FOUND', fields: [] },
    ]);
  });

  test('names at most 20 fields', async () => {
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, nth) => [`f${nth}`, 1]));
    expect((await post('/documents', { ...right(), ...many, title: ' ' })).fields).toHaveLength(20);
  });
});

test('the refusal of a route checks each step as far as it can be read', async () => {
  const one = randomUUID();
  const steps = [
    { step_type: 'STEP_TYPE_SIGNING', participants: [{ employee_id: one }, { employee_id: 5 }] },
    { step_type: 'STEP_TYPE_APPROVAL', rule: 'x', participants: [{ employee_id: one, key_type: 'EDS' }] },
    { participants: [{ employee_id: one }, { employee_id: one.toUpperCase() }] },
  ];
  expect(await post(`/documents/${document}/_set_route`, { steps })).toEqual(
    wrong(
      'steps[0].participants[1].employee_id',
      'steps[1].rule',
      'steps[2].step_type',
      'steps[1].step_type',
      'steps[1].participants[0].key_type',
      'steps[2].participants[1].employee_id',
    ),
  );
  // Whether there is a signing step is not known as long as a step's type is wrong.
  const unknown = { steps: [{ step_type: 'x', participants: [{ employee_id: one }] }] };
  expect(await post(`/documents/${document}/_set_route`, unknown)).toEqual(wrong('steps[0].step_type'));
});

test.each([
  ['a rejection', () => `/documents/${document}/_reject`, { comment: '\u200b', document_id: ghost, participant_id: 5 }],
  ['a rejection, right in form', () => `/documents/${document}/_reject`, { comment: ' ', document_id: ghost }],
  ['a reservation', () => '/files', { filename: 'a/b', content_type: 'application/pdf', size_bytes: 52_428_801 }],
  ['a confirmation', () => `/files/${ghost}/_confirm`, { file_id: randomUUID(), no_such_field: 1 }],
  ['an endpoint', () => '/webhook_endpoints', { url: 'https://127.0.0.1/', event_types: [] }],
])('%s', async (_what, path, body) => {
  const { content_type: _right, ...faults } = body as Record<string, unknown>;
  expect(await post(path(), body)).toEqual(wrong(...Object.keys(faults)));
});

test.each(
  Object.values(operations).flatMap(({ operationId, path, parameters, bodyIds }) =>
    parameters
      .filter((parameter) => parameter.in === 'path' && bodyIds.some(([name]) => name === parameter.name))
      .map(
        ({ name }) => [operationId, name, path.slice(prefix.length).replace(`{${name}}`, ghost.toUpperCase())] as const,
      ),
  ),
)('%s takes the %s of its path in the body, in any case, and no other', async (_id, name, path) => {
  const fieldsOf = async (id: string) => (await post(path, { [name]: id, no_such_field: 1 })).fields;
  const others = (await fieldsOf('')).filter((field) => field !== name);
  expect(await fieldsOf('')).toEqual(others);
  expect(await fieldsOf(ghost)).toEqual(others);
  expect(await fieldsOf(randomUUID())).toEqual([...others, name].toSorted());
});

test('any body that breaks the schema gets 400 and breaks nothing', async () => {
  const names = [
    'title',
    'type_id',
    'template_id',
    'file_id',
    'template_version',
    'template_values',
    'subject_employee_ids',
    'organization_id',
    'steps',
    'comment',
    'document_id',
    'size_bytes',
    'url',
    '__proto__',
  ];
  const id = fc.constantFrom(ghost, type, template, '', 'x');
  const value = fc.oneof(
    id,
    fc.jsonValue({ maxDepth: 3 }),
    fc.array(id, { maxLength: 3 }),
    fc.array(fc.dictionary(fc.constantFrom('step_type', 'participants', 'employee_id'), fc.jsonValue({ maxDepth: 2 }))),
  );
  const body = fc.dictionary(fc.constantFrom(...names), value).map((fields) => ({ ...fields, no_such_field: 1 }));
  const paths = [
    '/documents',
    `/documents/${document}/_set_route`,
    `/documents/${document}/_reject`,
    '/files',
    `/files/${ghost}/_confirm`,
    '/webhook_endpoints',
  ];
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...paths), body, async (path, fields) => {
      const { status, fields: named } = await post(path, fields);
      expect([status, named.includes('no_such_field') || named.length === 20]).toEqual([400, true]);
    }),
    { numRuns: 300 },
  );
});
