import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import type { Validate } from '../../../generated/validators.d.ts';
import { testFolder } from '../../kit/testing/test-folder.ts';
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

test('errors hold only what is read: for requests our own messages, for answers those of Ajv', () => {
  const keysOf = (validate: Validate, value: unknown) => {
    validate(value);
    return Object.keys(validate.errors?.[0] ?? {}).sort();
  };
  expect(keysOf(of('createDocument').body, {})).toEqual(['instancePath', 'keyword', 'params']);
  expect(keysOf(of('getEmployee').answer, {})).toEqual(['instancePath', 'keyword', 'message', 'params']);
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
  test.each([
    ['an unknown field', { secret: 1 }],
    ['a day that does not exist', { create_time: '2025-02-30T04:30:00.000Z' }],
    ['an unknown field of a part', { person: { first_name: 'A', inn: '1' } }],
  ])('%s is refused', (_what, change) => {
    expect(of('getEmployee').answer({ employee: { ...employee, ...change } })).toBe(false);
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
