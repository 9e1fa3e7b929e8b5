import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { at, type Change, changed, fixture } from './changed.ts';
import { allChanges, changesBetween, changesText } from './changes.ts';
import { CHANGES_PATH } from './kept-changes.ts';
import { findingsBetween, isBreak } from './oasdiff.ts';
import type { Contract, Json } from './read.ts';

// The step `contract:breaking` of `npm run check` names the program.
const oasdiff = process.env.OASDIFF ?? '';
/** The checks of oasdiff that find something. */
const found = async (before: Contract, after: Contract): Promise<string[]> =>
  (await findingsBetween(oasdiff, before, after)).filter(isBreak).map(({ id }) => id);

const GONE = undefined;
const verify = 'paths /developer/v1/api_key/_verify get';
const employee = 'paths /developer/v1/employees/{employee_id} get';
const create = 'paths /developer/v1/documents post';
const ingest = 'paths /developer/v1/ingest/{source_type} post';
const event = 'webhooks employee.changed';
const schemas = 'components schemas';
const answered = `${schemas} Employee properties`;
const taken = `${schemas} CreateDocumentRequest properties`;
const limit = 'components parameters Limit schema';
const header = 'components headers X-Request-Id';
const code = 'components examples INTERNAL value code';
const reason = 'components examples INTERNAL value details 0 reason';
const view = { name: 'view', in: 'query', schema: { type: 'string' } };
const signature = { name: 'Service-Signature', in: 'header', required: true, schema: { type: 'string' } };
const manager: Change = [`${schemas} Person properties manager`, { $ref: '#/components/schemas/Person' }];
const there = (place: string) => structuredClone(at(fixture, place));
/** A place that gets another name. */
const moved = (above: string, from: string, to: string): Change[] => [
  [`${above} ${to}`, there(`${above} ${from}`)],
  [`${above} ${from}`, GONE],
];

test('a contract does not break itself', async () => {
  expect(await found(fixture, structuredClone(fixture))).toEqual([]);
});

/** A change of the fixture, and the check that finds it: where we write the contract in other forms, or judge more strictly. */
type Break = readonly [check: string, place: string, value: Json | undefined];

test.each<Break>([
  ['api-operation-id-removed', `${create} operationId`, 'makeDocument'],
  ['api-security-scope-added', `${employee} security`, [{ ApiKey: ['documents:read'] }]],
  ['request-property-max-decreased', `${ingest} x-body-limit-bytes`, 1048576],
  ['response-non-success-status-removed', `${create} responses 409`, GONE],
  ['response-success-status-added', `${create} responses 201`, { description: 'Created.' }],
  ['response-property-type-changed', `${header} schema type`, 'integer'],
  ['response-optional-property-removed', `${create} responses 200 headers X-Request-Id`, GONE],
  ['request-property-removed', `${employee} parameters 2`, GONE],
  ['request-property-default-value-changed', `${limit} default`, 50],
  // Several values are written in another way.
  ['request-property-removed', `${employee} parameters 2 explode`, false],
  ['request-property-type-changed', `${ingest} parameters 0 schema format`, 'uuid'],
  ['request-property-became-required', `${create} parameters 0 required`, true],
  // Unknown fields are refused.
  ['request-property-removed', `${schemas} IngestRecord additionalProperties`, false],
  ['request-property-type-changed', `${taken} values additionalProperties`, { type: 'string' }],
  ['response-optional-property-removed', `${answered} work_email`, GONE],
  ['response-property-any-of-removed', `${schemas} DateOrEmpty anyOf`, [{ format: 'date' }]],
  // Another key of redaction.
  ['response-optional-property-removed', `${schemas} Person properties iin x-personal-data`, 'people.iin'],
  ['api-path-removed-without-deprecation', event, GONE],
  ['response-required-property-removed', `${schemas} EmployeeEvent properties id`, GONE],
  // The check does not follow references to a removed error: the answers with it are compared by their schemas.
  ['api-path-removed-without-deprecation', 'components examples INTERNAL', GONE],
  ['response-property-const-changed', reason, 'FAULT'],
  ['response-property-const-changed', code, 2],
  ['response-non-success-status-removed', 'components examples INTERNAL x-http-status', 502],
])('breaks: %s, as %s is %j', async (check, place, value) => {
  expect(await found(fixture, changed(fixture, [place, value]))).toContain(check);
});

test.each<[check: string, before: readonly Change[], after: readonly Change[]]>([
  ['api-path-removed-without-deprecation', [], moved('paths', '/developer/v1/documents', '/developer/v1/papers')],
  ['response-property-became-optional', [[`${header} required`, true]], []],
  ['response-required-property-removed', [[`${event} post parameters`, [signature]]], []],
  // A schema that contains itself is compared without an endless loop.
  ['response-optional-property-removed', [manager], [manager, [`${schemas} Person properties first_name`, GONE]]],
])('breaks of a fixture with a change before: %s', async (check, before, after) => {
  expect(new Set(await found(changed(fixture, ...before), changed(fixture, ...after)))).toEqual(new Set([check]));
});

test.each<[gain: string, ...Change[]]>([
  [
    'a path parameter with another name',
    ...moved('paths', '/developer/v1/employees/{employee_id}', '/developer/v1/employees/{id}'),
    ['paths /developer/v1/employees/{id} get parameters 0 name', 'id'],
  ],
  ['an optional parameter', [`${employee} parameters 6`, view]],
  ['an event type', ['webhooks employee.moved', there(event)]],
  ['an error', ['components examples NEW', there('components examples INTERNAL')]],
  ['an enumerated value, sent and taken', [`${schemas} EmployeeStatus enum 3`, 'EMPLOYEE_STATUS_LEAVE']],
  ['a larger body', [`${create} x-body-limit-bytes`, 33554432]],
  ['a header of an answer', [`${create} responses 200 headers Deprecation`, { schema: { type: 'string' } }]],
  ['other words', [`${create} summary`, 'Other'], [`${schemas} Employee description`, 'Other']],
  [
    'another name of a component',
    [`${schemas} Human`, there(`${schemas} Person`)],
    [`${answered} person $ref`, '#/components/schemas/Human'],
  ],
])('version 1 may gain %s', async (_gain, ...changes) => {
  expect(await found(fixture, changed(fixture, ...changes))).toEqual([]);
});

test('schemas with "not" are refused, because their changes would be found by nothing', async () => {
  await expect(found(fixture, changed(fixture, [`${answered} id not`, { const: 'x' }]))).rejects.toThrow(/"not"/);
});

test('no release breaks the one before, nor the contract the last, and the docs tell what they changed', async () => {
  const changes = await allChanges(oasdiff);
  expect(Object.values(changes).flatMap((all) => all.filter(({ kind }) => kind === 'breaks'))).toEqual([]);
  // If this fails, run `npm run contract:changes`.
  expect(await readFile(CHANGES_PATH, 'utf8')).toBe(changesText(changes));
});

test('changes are told in words, each once, with what clients must expect apart', async () => {
  const after = changed(
    fixture,
    [`${taken} title maxLength`, 300],
    [`${taken} note`, { type: 'string' }],
    [`${taken} remark`, { type: 'string' }],
    [`${schemas} EmployeeStatus enum 3`, 'EMPLOYEE_STATUS_LEAVE'],
    [`${schemas} Status properties details maxItems`, 9],
    [`${verify} responses 404`, { $ref: '#/components/responses/EmployeeNotFound' }],
    ['webhooks employee.moved', { post: { ...Object(at(fixture, `${event} post`)), operationId: 'onEmployeeMoved' } }],
  );
  const told = (await changesBetween(oasdiff, fixture, after)).map(({ kind, of, text }) => `${kind} ${of} ${text}`);
  expect(told).toEqual(
    expect.arrayContaining([
      'breaks createDocument `title`: at most 300 characters',
      'offers createDocument takes `note`, `remark`, optional and new',
      'offers employee.moved is new',
      'offers * `details`: at most 9 items',
      'expect getEmployee `employee.status`: may be `EMPLOYEE_STATUS_LEAVE`, too',
      'expect verifyApiKey may answer `EMPLOYEE_NOT_FOUND`, too',
    ]),
  );
});
