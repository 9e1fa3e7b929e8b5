import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import type { Validate } from '../../../generated/validators.d.ts';
import { testFolder } from '../../testbed/test-surroundings.ts';
import { changed, fixture } from '../changed.ts';
import type { JsonObject } from '../read.ts';
import { validatorsModule } from './validators.ts';
import { MAX_VIOLATIONS } from './validators-code.ts';

type Validators = Record<string, { parameters: Validate; body: Validate | null; answer: Validate }>;

const ID = '2d1f7a52-8f7e-4c34-9d3a-6a0f3c0c1b11';

const path = join(testFolder(), 'validators.mjs');
const text = await validatorsModule(fixture);
await writeFile(path, text);
const { validators, errorBody }: { validators: Validators; errorBody: Validate } = await import(
  pathToFileURL(path).href
);

function of(operationId: string): { parameters: Validate; body: Validate; answer: Validate } {
  const found = validators[operationId];
  if (found === undefined) throw new Error(`no validators of ${operationId}`);
  return { ...found, body: found.body ?? found.parameters };
}

function violations(validate: Validate, value: unknown): string[] {
  expect(validate(value)).toBe(false);
  return (validate.errors ?? []).map(
    (error) => `${error.instancePath} ${error.keyword} ${Object.values(error.params).join()}`,
  );
}

test('the text compiles nothing at run time and depends on nothing', () => {
  expect(text).not.toMatch(/\brequire\s*\(|\bnew Function\b|\bFunction\s*\(|\beval\s*\(|^\s*import\b|\bimport\s*\(/m);
});

test('errors hold only what is read: for requests our own messages, for answers those of Ajv', () => {
  const keysOf = (validate: Validate, value: unknown) => {
    validate(value);
    return Object.keys(validate.errors?.[0] ?? {}).sort();
  };
  expect(keysOf(of('createDocument').body, {})).toEqual(['instancePath', 'keyword', 'params']);
  expect(keysOf(of('getEmployee').answer, {})).toEqual(['instancePath', 'keyword', 'message', 'params']);
});

test('an operation without a body has no validator of bodies', () => {
  expect(validators.getEmployee?.body).toBeNull();
  expect(Object.keys(validators)).toEqual(['verifyApiKey', 'getEmployee', 'createDocument', 'ingestRecords']);
});

describe('parameters', () => {
  const good = { path: { employee_id: ID }, query: { limit: 100, include_total: false }, header: { host: 'x' } };
  test('valid ones pass and leave no errors', () => {
    const { parameters } = of('getEmployee');
    expect(parameters(good)).toBe(true);
    expect(parameters.errors).toBeNull();
    const query = { limit: 2147483647, status: ['EMPLOYEE_STATUS_ACTIVE'], updated_since: '2025-03-01T09:30:00+05:00' };
    expect(parameters({ ...good, query })).toBe(true);
  });
  test('every violation is reported with its place', () => {
    const bad = {
      path: { employee_id: 'x' },
      query: { limit: 0, status: ['ACTIVE'], updated_since: '2025-02-30T00:00:00Z', colour: 'red' },
      header: {},
    };
    expect(violations(of('getEmployee').parameters, bad).sort()).toEqual([
      '/path/employee_id format uuid',
      '/query additionalProperties colour',
      '/query/limit minimum >=,1',
      '/query/status/0 enum EMPLOYEE_STATUS_UNSPECIFIED,EMPLOYEE_STATUS_ACTIVE,EMPLOYEE_STATUS_TERMINATED',
      '/query/updated_since format date-time',
    ]);
  });
  test.each([
    [{ limit: 2147483648 }, '/query/limit'],
    [{ limit: 1.5 }, '/query/limit'],
    [{ limit: '5' }, '/query/limit'],
    [{ status: Array.from({ length: 101 }, () => 'EMPLOYEE_STATUS_ACTIVE') }, '/query/status'],
    [{ status: 'EMPLOYEE_STATUS_ACTIVE' }, '/query/status'],
    [{ include_total: 'true' }, '/query/include_total'],
    [JSON.parse('{"__proto__": "x"}'), '/query'],
    [{ constructor: 'x' }, '/query'],
  ])('the query %j is refused at %s', (query, place) => {
    const found = violations(of('getEmployee').parameters, { ...good, query });
    expect(found.every((line) => line.startsWith(`${place} `))).toBe(true);
  });
  test('headers are looked up in lower case', () => {
    const { parameters } = of('ingestRecords');
    expect(parameters({ path: { source_type: 'KEDO' }, query: {}, header: { 'idempotency-key': 'k' } })).toBe(true);
    expect(violations(parameters, { path: { source_type: 'KEDO' }, query: {}, header: {} })).toEqual([
      '/header required idempotency-key',
    ]);
  });
});

describe('bodies', () => {
  test.each([
    { title: 'Приказ' },
    { title: 'x', date: '', size_bytes: '15', subject_employee_ids: [], values: { a: { b: [null] } } },
    { title: '😀'.repeat(500), date: '2024-02-29', size_bytes: 1, file_id: ID.toUpperCase() },
  ])('%j is taken', (value) => {
    expect(of('createDocument').body(value)).toBe(true);
  });
  test.each([
    [{}, ' required title'],
    [{ title: '' }, '/title minLength 1'],
    [{ title: 'a'.repeat(501) }, '/title maxLength 500'],
    [{ title: null }, '/title type string'],
    [{ title: 'x', other: 1 }, ' additionalProperties other'],
    [JSON.parse('{"title": "x", "__proto__": {}}'), ' additionalProperties __proto__'],
    [{ title: 'x', date: '2025-02-30' }, '/date format date'],
    [{ title: 'x', size_bytes: '1e3' }, '/size_bytes pattern'],
    [{ title: 'x', file_id: 'abc' }, '/file_id format uuid'],
    [{ title: 'x', subject_employee_ids: [ID, ID] }, '/subject_employee_ids uniqueItems'],
    [{ title: 'x', subject_employee_ids: [7] }, '/subject_employee_ids/0 type string'],
    [[], ' type object'],
    ['x', ' type object'],
    [null, ' type object'],
  ])('%j is refused: %s', (value, line) => {
    expect(violations(of('createDocument').body, value).some((found) => found.startsWith(line))).toBe(true);
  });
  test('unknown fields of open objects are ignored', () => {
    expect(of('ingestRecords').body({ records: [{ external_id: 'p', colour: { a: 1 } }] })).toBe(true);
  });
  test('violations are counted up to a limit, so memory and time stay bounded', () => {
    const { body } = of('ingestRecords');
    const begin = performance.now();
    expect(body({ records: Array.from({ length: 500_000 }, () => ({})) })).toBe(false);
    expect(body.errors).toHaveLength(MAX_VIOLATIONS);
    const many = Object.fromEntries(Array.from({ length: 100_000 }, (_unused, index) => [`f${index}`, 1]));
    expect(of('createDocument').body({ title: 'x', ...many })).toBe(false);
    expect(of('createDocument').body.errors).toHaveLength(MAX_VIOLATIONS);
    const ids = Array.from({ length: 200_000 }, () => ID);
    expect(of('createDocument').body({ title: 'x', subject_employee_ids: ids })).toBe(false);
    expect(performance.now() - begin).toBeLessThan(30_000);
    expect(body({ records: [{ external_id: 'p' }] })).toBe(true);
    expect(body.errors).toBeNull();
  });
});

describe('answers', () => {
  const employee = {
    id: ID,
    status: 'EMPLOYEE_STATUS_ACTIVE',
    end_date: '',
    create_time: '2025-03-01T04:30:00.000Z',
    person: { first_name: 'Айгерим' },
    redacted_fields: ['persons.iin'],
  };
  test('a correct one passes', () => {
    expect(of('getEmployee').answer({ employee })).toBe(true);
    expect(of('getEmployee').answer({ employee: { ...employee, end_date: '2025-03-01' } })).toBe(true);
  });
  test.each<[Record<string, unknown>, string]>([
    [{ ...employee, secret: 1 }, 'an unknown field'],
    [{ ...employee, end_date: null }, 'null'],
    [{ ...employee, end_date: '2025-3-1' }, 'a malformed date'],
    [{ ...employee, create_time: '2025-02-30T04:30:00.000Z' }, 'a day that does not exist'],
    [{ ...employee, status: 'ACTIVE' }, 'an unknown enumerated value'],
    [{ ...employee, person: { first_name: 'A', inn: '1' } }, 'an unknown field of a part'],
    [{ ...employee, redacted_fields: undefined }, 'a missing field'],
  ])('%j is refused for %s', (value) => {
    expect(of('getEmployee').answer({ employee: value })).toBe(false);
    expect(of('getEmployee').answer.errors?.[0]?.instancePath).toMatch(/^\/employee/);
  });
  test('an empty object is exactly empty', () => {
    expect(of('verifyApiKey').answer({})).toBe(true);
    expect(of('verifyApiKey').answer({ ok: true })).toBe(false);
  });
  test('errors have a body of their own', () => {
    expect(errorBody({ code: 3, message: 'x', details: [{ '@type': 'y', reason: 'z' }] })).toBe(true);
    expect(errorBody({ code: '3', message: 'x', details: [] })).toBe(false);
    expect(errorBody({ code: 3, message: 'x', details: [], trace: '' })).toBe(false);
  });
});

describe('of a schema that a field of a request has, the generation', () => {
  const list = { type: 'array', items: { type: 'string' } };
  const generated = (schema: JsonObject) =>
    validatorsModule(changed(fixture, ['components schemas CreateDocumentRequest properties extra', schema]));

  test.each<[what: string, schema: JsonObject, message: RegExp]>([
    ['an unknown format', { type: 'string', format: 'colour' }, /colour/],
    ['an unknown keyword', { type: 'string', maxLen: 1 }, /maxLen/],
    ['a reference without a target', { $ref: '#/components/schemas/Nobody' }, /Nobody has no target/],
    [
      'an alternative that could report any number of violations',
      { anyOf: [list, { type: 'string' }] },
      /createDocument_body.*items/,
    ],
  ])('refuses %s', async (_what, schema, message) => {
    await expect(generated(schema)).rejects.toThrow(message);
  });
  test.each<[what: string, schema: JsonObject]>([
    ['alternatives that include any value', { anyOf: [list, { title: 'Anything else' }] }],
    ['a property whose name is a keyword', { type: 'object', properties: { not: list } }],
  ])('takes %s', async (_what, schema) => {
    await expect(generated(schema)).resolves.toContain('validators');
  });
});
