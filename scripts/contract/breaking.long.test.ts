import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from '@jest/globals';
import { findingsBetween, isBreak, report } from './breaking.ts';
import { at, type Change, changed, fixture } from './changed.ts';
import { allChanges, changesBetween, changesText } from './changes.ts';
import { CHANGES_PATH, IS_NEW, readChanges } from './kept-changes.ts';
import { type Contract, type Json, readContract } from './read.ts';
import { keptReleases, RELEASES_PATH } from './release.ts';

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
const alwaysThere = ['id', 'status', 'end_date', 'create_time', 'redacted_fields'];
const view = { name: 'view', in: 'query', schema: { type: 'string' } };
const there = (place: string) => structuredClone(at(fixture, place));
/** A place that gets another name. */
const moved = (above: string, from: string, to: string): Change[] => [
  [`${above} ${to}`, there(`${above} ${from}`)],
  [`${above} ${from}`, GONE],
];

test('a contract does not break itself', async () => {
  expect(await found(fixture, structuredClone(fixture))).toEqual([]);
});

/** A change of the fixture, and the check that finds it. */
type Break = readonly [check: string, place: string, value: Json | undefined];

describe.each<[of: string, breaks: readonly Break[]]>([
  [
    'operations',
    [
      ['api-path-removed-without-deprecation', 'paths /developer/v1/documents', GONE],
      ['api-operation-id-removed', `${create} operationId`, 'makeDocument'],
      ['api-security-scope-added', `${employee} security`, [{ ApiKey: ['documents:read'] }]],
      ['api-security-scope-added', `${verify} security`, [{ ApiKey: ['employees:read'] }]],
      ['request-property-max-decreased', `${ingest} x-body-limit-bytes`, 1048576],
      ['response-non-success-status-removed', `${create} responses 409`, GONE],
      ['response-success-status-added', `${create} responses 201`, { description: 'Created.' }],
      ['response-media-type-removed', `${create} responses 200 content application/json`, GONE],
      ['response-property-type-changed', `${header} schema type`, 'integer'],
      ['response-optional-property-removed', `${create} responses 200 headers X-Request-Id`, GONE],
      ['request-body-media-type-removed', `${create} requestBody content application/json`, GONE],
    ],
  ],
  [
    'parameters',
    [
      ['request-property-max-length-set', `${employee} parameters 2 schema items`, { type: 'string', maxLength: 5 }],
      ['request-property-type-changed', `${limit} type`, 'string'],
      ['request-property-removed', `${employee} parameters 2`, GONE],
      ['request-property-became-required', `${employee} parameters 2 required`, true],
      ['new-required-request-property', `${employee} parameters 6`, { ...view, required: true }],
      ['request-property-max-decreased', `${limit} maximum`, 1000],
      ['request-property-default-value-changed', `${limit} default`, 50],
      ['request-property-max-items-decreased', `${employee} parameters 2 schema maxItems`, 10],
      // Several values are written in another way.
      ['request-property-removed', `${employee} parameters 2 explode`, false],
      ['request-property-type-changed', `${ingest} parameters 0 schema format`, 'uuid'],
      ['request-property-became-required', `${create} parameters 0 required`, true],
    ],
  ],
  [
    'a body',
    [
      ['request-property-removed', `${taken} file_id`, GONE],
      ['request-property-became-required', `${schemas} CreateDocumentRequest required`, ['title', 'date']],
      ['request-property-max-length-decreased', `${taken} title maxLength`, 300],
      ['request-property-min-length-increased', `${taken} title minLength`, 3],
      ['request-property-pattern-added', `${taken} title pattern`, '^A'],
      ['request-property-type-changed', `${taken} title type`, 'integer'],
      ['request-property-list-of-types-narrowed', `${taken} size_bytes anyOf 0`, GONE],
      ['request-property-any-of-removed', `${schemas} DateOrEmpty anyOf`, [{ format: 'date' }]],
      ['request-property-became-enum', `${taken} title enum`, ['A']],
      // Unknown fields are refused.
      ['request-property-removed', `${schemas} IngestRecord additionalProperties`, false],
      ['request-property-max-items-decreased', `${schemas} IngestRequest properties records maxItems`, 100],
      ['request-property-max-length-decreased', `${schemas} IngestRecord properties first_name maxLength`, 10],
      ['request-property-type-changed', `${taken} values additionalProperties`, { type: 'string' }],
      [
        'request-body-dependent-required-added',
        `${schemas} CreateDocumentRequest dependentRequired`,
        { file_id: ['date'] },
      ],
      ['request-property-enum-value-removed', `${schemas} EmployeeStatus enum 1`, GONE],
    ],
  ],
  [
    'an answer',
    [
      ['response-optional-property-removed', `${answered} work_email`, GONE],
      ['response-property-became-optional', `${schemas} Employee required`, alwaysThere.slice(0, -1)],
      ['response-property-type-changed', `${answered} id type`, 'integer'],
      ['response-property-became-nullable', `${answered} id type`, ['string', 'null']],
      ['response-property-type-changed', `${answered} id format`, GONE],
      ['response-property-any-of-added', `${schemas} DateOrEmpty anyOf 2`, { const: 'never' }],
      ['response-property-any-of-removed', `${schemas} DateOrEmpty anyOf`, [{ format: 'date' }]],
      ['request-property-enum-value-removed', `${schemas} EmployeeStatus enum 2`, GONE],
      ['response-property-became-not-enum', `${schemas} EmployeeStatus enum`, GONE],
      ['response-optional-property-removed', `${schemas} Person properties iin`, GONE],
      // Another key of redaction.
      ['response-optional-property-removed', `${schemas} Person properties iin x-personal-data`, 'people.iin'],
      ['response-property-type-changed', `${answered} redacted_fields items`, { type: 'object' }],
      ['response-required-property-removed', `${schemas} Status properties details`, GONE],
    ],
  ],
  [
    'events and errors',
    [
      ['api-path-removed-without-deprecation', event, GONE],
      ['response-required-property-removed', `${schemas} EmployeeEvent properties id`, GONE],
      ['response-property-became-optional', `${schemas} EmployeeEvent required`, ['type']],
      ['response-property-const-changed', `${schemas} EmployeeEvent properties type const`, 'employee.updated'],
      ['api-removed-without-deprecation', event, { put: there(`${event} post`) }],
      // The check does not follow references to a removed error: the answers with it are compared by their schemas.
      ['api-path-removed-without-deprecation', 'components examples INTERNAL', GONE],
      ['response-property-const-changed', reason, 'FAULT'],
      ['response-property-const-changed', code, 2],
      ['response-non-success-status-removed', 'components examples INTERNAL x-http-status', 502],
    ],
  ],
])('breaks of %s', (_of, breaks) => {
  test.each(breaks)('%s: %s is %j', async (check, place, value) => {
    expect(await found(fixture, changed(fixture, [place, value]))).toContain(check);
  });
});

describe('breaks that need several changes, or the fixture with a change before', () => {
  const request = `${schemas} CreateDocumentRequest`;
  const signature = { name: 'Service-Signature', in: 'header', required: true, schema: { type: 'string' } };
  test.each<[check: string, before: readonly Change[], after: readonly Change[]]>([
    ['api-path-removed-without-deprecation', [], moved('paths', '/developer/v1/documents', '/developer/v1/papers')],
    ['request-body-became-required', [[`${create} requestBody required`, false]], []],
    ['response-property-became-optional', [[`${header} required`, true]], []],
    [
      'new-required-request-property',
      [],
      [
        [`${taken} type_id`, { type: 'string' }],
        [`${request} required`, ['title', 'type_id']],
      ],
    ],
    ['response-property-max-length-unset', [[`${answered} work_email maxLength`, 100]], []],
    ['response-required-property-removed', [[`${event} post parameters`, [signature]]], []],
    // A schema that contains itself is compared without an endless loop.
    [
      'response-optional-property-removed',
      [[`${schemas} Person properties manager`, { $ref: '#/components/schemas/Person' }]],
      [
        [`${schemas} Person properties manager`, { $ref: '#/components/schemas/Person' }],
        [`${schemas} Person properties first_name`, GONE],
      ],
    ],
  ])('%s', async (check, before, after) => {
    expect(new Set(await found(changed(fixture, ...before), changed(fixture, ...after)))).toEqual(new Set([check]));
  });
});

test.each<[gain: string, ...Change[]]>([
  ['an operation', ['paths /developer/v1/things', { get: { ...Object(there(verify)), operationId: 'listThings' } }]],
  [
    'a path parameter with another name',
    ...moved('paths', '/developer/v1/employees/{employee_id}', '/developer/v1/employees/{id}'),
    ['paths /developer/v1/employees/{id} get parameters 0 name', 'id'],
  ],
  ['an optional field of a request', [`${taken} note`, { type: 'string', maxLength: 10 }]],
  ['an optional parameter', [`${employee} parameters 6`, view]],
  [
    'a required field of an answer',
    [`${answered} nickname`, { type: 'string' }],
    [`${schemas} Employee required`, [...alwaysThere, 'nickname']],
  ],
  ['a field that is always there now', [`${schemas} Employee required`, [...alwaysThere, 'work_email']]],
  ['an event type', ['webhooks employee.moved', there(event)]],
  ['an error', ['components examples NEW', there('components examples INTERNAL')]],
  ['an answer with an error', [`${verify} responses 404`, { $ref: '#/components/responses/EmployeeNotFound' }]],
  ['an enumerated value, sent and taken', [`${schemas} EmployeeStatus enum 3`, 'EMPLOYEE_STATUS_LEAVE']],
  ['a looser limit of a request', [`${taken} title maxLength`, 1000]],
  ['a request without a limit', [`${taken} title maxLength`, GONE]],
  ['a tighter answer', [`${answered} work_email maxLength`, 100]],
  ['a request field that need not be there', [`${schemas} CreateDocumentRequest required`, GONE]],
  ['an alternative of a request', [`${taken} size_bytes anyOf 2`, { type: 'null' }]],
  ['no need of a scope', [`${employee} security`, [{ ApiKey: [] }]]],
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

test('the docs put the difference of two releases together from those between', async () => {
  interface MarkedLine {
    readonly line: string;
    readonly release: number;
    readonly since: number;
  }
  const linesBetween: (lines: readonly MarkedLine[], from: number, to: number) => MarkedLine[] = runInNewContext(
    `const KINDS = {};${await readFile(join(import.meta.dirname, 'docs/page/releases.js'), 'utf8')};linesBetween`,
    { document: { addEventListener: () => undefined } },
  );
  const releases = Object.values(readChanges()).slice(0, -1);
  const added = (name: string) =>
    releases.findIndex((all) => all.some(({ of, text }) => of.includes(name) && text === IS_NEW));
  const lines = releases.flatMap((changes, index) =>
    changes.flatMap(({ kind, of, text }) =>
      of.map((name) => ({
        line: `${kind} ${name}`,
        release: index + 1,
        since: text === IS_NEW ? -1 : added(name) + 1,
      })),
    ),
  );
  const ends = [(await keptReleases())[0], (await keptReleases()).at(-1)];
  const [first = fixture, last = fixture] = await Promise.all(
    ends.map((name) => readContract(join(RELEASES_PATH, `${name}.yaml`))),
  );
  const direct = (await changesBetween(oasdiff, first, last)).flatMap(({ kind, of }) =>
    of.map((name) => `${kind} ${name}`),
  );
  expect(new Set(linesBetween(lines, 0, releases.length).map(({ line }) => line))).toEqual(new Set(direct));
});

test('the report names the place, what changed, and the check', async () => {
  const findings = await findingsBetween(oasdiff, fixture, changed(fixture, [`${taken} title maxLength`, 300]));
  const breaks = findings.filter(isBreak);
  expect(report(breaks, 'openapi.yaml', '1.6.0.yaml')).toBe(
    `openapi.yaml breaks clients of 1.6.0.yaml in one place:

1. POST /developer/v1/documents
   the \`title\` request property's maxLength was decreased to \`300\`
   request-property-max-length-decreased
`,
  );
  expect(report([], 'openapi.yaml', '1.6.0.yaml')).toBe('openapi.yaml breaks no client of 1.6.0.yaml.');
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
