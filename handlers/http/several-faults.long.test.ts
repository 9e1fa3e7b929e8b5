/** Bodies with several faults, of which one answer names those that are known (ERR-28): which are not, and what ids of a path add. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { operations, prefix } from '../../generated/contract.ts';
import { ask } from '../../scripts/world/ask.ts';
import { draftRow } from '../../scripts/world/document-row.ts';
import { TenantFixture } from '../../scripts/world/documents.ts';
import { type InProcess, serveInProcess } from '../../scripts/world/in-process.ts';
import { testDeployment } from '../../scripts/world/test-deployment.ts';
import * as served from '../index.ts';

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

async function post(path: string, body: unknown) {
  const { status, reason, fields } = await ask('POST', server.url + path, key, body);
  return { status, reason, fields: fields.toSorted() };
}

const wrong = (...fields: string[]) => ({ status: 400, reason: 'INVALID_ARGUMENT', fields: fields.toSorted() });
const ghost = randomUUID();
const right = () => ({ title: 'Приказ', type_id: type, template_id: template, template_values: { reason: 'x' } });

test('the refusal of a creation does not name what depends on a malformed field', async () => {
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

test('the refusal of a route does not name a missing signing step while the type of a step is wrong', async () => {
  const steps = [{ step_type: 'x', participants: [{ employee_id: ghost }] }];
  expect(await post(`/documents/${document}/_set_route`, { steps })).toEqual(wrong('steps[0].step_type'));
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
  const names = new Set([...Object.values(operations).flatMap(({ bodyFields }) => bodyFields), '__proto__']);
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
