import { describe, expect, test } from '@jest/globals';
import { operations } from '../../generated/contract.ts';
import { validators } from '../../generated/validators.js';
import { parseQuery, queryTable } from './query.ts';
import { bodyViolations, parameterViolations, suggestionFor } from './violations.ts';
import { parametersOf } from './walk.ts';

const wrongParameters = (operation: 'listEmployees' | 'getEmployee' | 'ingestRecords', given: object) => {
  const judge = validators[operation].parameters;
  expect(judge(parametersOf({ path: {}, query: {}, header: {}, ...given }))).toBe(false);
  return parameterViolations(judge.errors);
};
const query = (values: object) => wrongParameters('listEmployees', { query: values });

const wrongBody = (
  operation: keyof typeof valid | 'setDocumentRoute',
  body: unknown,
  known: readonly string[] = [],
) => {
  const judge = validators[operation].body;
  expect(judge(body as never)).toBe(false);
  return bodyViolations(judge.errors, known);
};

describe('parameters', () => {
  test('that are times get a description that says how a URL has them', () => {
    const words =
      /^must be an RFC 3339 date-time of the years 1 to 9999 with a zone, such as .+; in a URL, \+ is written as %2B$/;
    expect(query({ updated_since: '2024-02-30T00:00:00Z' })).toContainEqual({
      field: 'updated_since',
      description: expect.stringMatching(words),
    });
  });

  test('have the names that the caller wrote', () => {
    const found = wrongParameters('getEmployee', { path: { employee_id: 'x' } });
    expect(found).toEqual([{ field: 'employee_id', description: 'must be a UUID' }]);
  });

  test.each([
    [{ 'idempotency-key': 'я' }, 'must be visible ASCII characters'],
    [{ 'idempotency-key': 'x'.repeat(256) }, 'must have at most 255 characters'],
    [{}, 'is required'],
  ])('that are headers have their usual spelling: %j', (header, description) => {
    const found = wrongParameters('ingestRecords', { path: { source_type: 'KEDO' }, header });
    expect(found).toEqual([{ field: 'Idempotency-Key', description }]);
  });

  test('that the operation does not have are named', () => {
    expect(query({ lmit: 1 })).toEqual([{ field: 'lmit', description: 'is not a field of this request' }]);
    expect(query({ include_total: 'x', expand: 'person' })).toEqual([
      { field: 'expand', description: 'must be an array' },
      { field: 'include_total', description: 'must be true or false' },
    ]);
  });
});

const ID = '5fdf21a9-dd84-418b-b6b1-3c461374b7c5';
const URL_FIELD = { url: 'https://a.kz/' };
const FORM = { filename: 'a.pdf', content_type: 'application/pdf', size_bytes: 1 };
const EVENTS = Array.from({ length: 12 }, () => 'employee.changed');

/** The fields of a valid body of each operation. */
const valid = {
  createDocument: { title: 'т', type_id: ID },
  createWebhookEndpoint: { ...URL_FIELD, event_types: ['employee.changed'] },
  ingestRecords: { payload_type: 'PERSONS', records: [{}] },
  reserveFile: FORM,
} as const;

describe('what the contract expects, in words', () => {
  test.each<[keyof typeof valid, object, string]>([
    ['createDocument', { title: null }, 'title must be a string'],
    ['createDocument', { title: '' }, 'title must not be empty'],
    ['createDocument', { title: 'т'.repeat(501) }, 'title must have at most 500 characters'],
    ['createDocument', { template_version: 0 }, 'template_version must be at least 1'],
    ['createDocument', { subject_employee_ids: [ID, 1] }, 'subject_employee_ids[1] must be a string'],
    ['createWebhookEndpoint', { event_types: [] }, 'event_types must have at least 1 item'],
    [
      'createWebhookEndpoint',
      { event_types: EVENTS },
      'event_types must have at most 11 items; event_types must not hold the same item twice',
    ],
    ['ingestRecords', { create_missing: 1 }, 'create_missing must be true or false'],
    ['reserveFile', { content_type: 'x' }, 'content_type must be one of: application/pdf'],
    // Of alternatives, the one that the value is an attempt at.
    [
      'createDocument',
      { date: '2024-02-30' },
      'date must be a day of the calendar as YYYY-MM-DD, of the years 1 to 9999',
    ],
    ['createDocument', { date: 1 }, 'date must be a string'],
    ['reserveFile', { size_bytes: true }, 'size_bytes must be a whole number or a string'],
    ['reserveFile', { size_bytes: 52_428_801 }, 'size_bytes must be at most 52428800'],
    [
      'reserveFile',
      { size_bytes: 'x' },
      'size_bytes must be a decimal integer of 1 to 8 digits, without sign, fraction and leading zeros',
    ],
  ])('%s: %j', (operation, changes, expected) => {
    expect(validators[operation].body(valid[operation] as never)).toBe(true);
    const body = JSON.parse(JSON.stringify({ ...valid[operation], ...changes }));
    const found = wrongBody(operation, body).map(({ field, description }) => `${field} ${description}`);
    expect(found.toSorted()).toEqual(expected.split('; ').toSorted());
  });

  test('an empty value that is taken is shown in quotes, and null is not named', () => {
    const step = { step_type: 'STEP_TYPE_SIGNING', rule: 'X', participants: [{ employee_id: ID }] };
    expect(wrongBody('setDocumentRoute', { steps: [step] })).toEqual([
      { field: 'steps[0].rule', description: 'must be one of: STEP_RULE_ALL, STEP_RULE_ANY, ""' },
    ]);
  });
});

describe('bodies', () => {
  test('have every wrong field named by its path, with what is expected of it', () => {
    const participants = [{ employee_id: 'x', key_type: 'SIMPLE', 'a/b~c': 1 }];
    const steps = [{ step_type: 'STEP_TYPE_SIGNING', participants }, {}];
    const found = wrongBody('setDocumentRoute', { steps, evil: '900131000001' });
    expect(found).toEqual(
      expect.arrayContaining([
        { field: 'evil', description: 'is not a field of this request' },
        { field: 'steps[0].participants[0].a/b~c', description: 'is not a field of this request' },
        { field: 'steps[0].participants[0].employee_id', description: 'must be a UUID' },
        { field: 'steps[1].step_type', description: 'is required' },
      ]),
    );
    expect(JSON.stringify(found)).not.toContain('900131000001');
  });

  test('with an unknown field get the name of a similar known one', () => {
    const body = { title: 'x', type_id: '', subjectEmployeeIds: [] };
    const description = 'is not a field of this request; is subject_employee_ids meant?';
    const known = operations.createDocument.bodyFields;
    expect(wrongBody('createDocument', body, known)).toContainEqual({ field: 'subjectEmployeeIds', description });
  });

  test('with a field whose name is empty are not wrong as a whole', () => {
    const body = { ...valid.createDocument, '': 1 };
    expect(wrongBody('createDocument', body)).toEqual([{ field: '', description: 'is not a field of this request' }]);
  });

  test.each([[null], [[]]])('that are %j are wrong as a whole', (value) => {
    expect(wrongBody('createDocument', value)[0]).toEqual({ field: 'body', description: 'must be an object' });
  });
});

const known = ['limit', 'page_token', 'department_id', 'updated_since', 'expand', 'status'];

describe('an unknown name', () => {
  test.each([
    ['Limit', 'limit'],
    ['pageToken', 'page_token'],
    ['statuses', 'status'],
    // At most three wrong letters, and fewer in a short name.
    ['departmentXYZ', 'department_id'],
    ['lixyt', 'limit'],
  ])('%s suggests %s', (name, meant) => expect(suggestionFor(name, known)).toBe(`; is ${meant} meant?`));

  test.each(['', 'offset', 'a'.repeat(8_000), 'departmentWXYZ', 'lxyzt'])('%s has no suggestion', (name) =>
    expect(suggestionFor(name, known)).toBe(''),
  );
});

test.each([
  ['expand[]=person', /; repeat expand without brackets \(axios: .*indexes null/],
  ['expand[0]=person', /; repeat expand without brackets/],
  ['limit[]=1', /operation; is limit meant\?$/],
  ['nothing[]=1', /operation$/],
])('a list in brackets, %s, is answered with the setting that writes it otherwise', (query, words) => {
  const { violations } = parseQuery(query, queryTable(operations.listEmployees));
  expect(violations.map(({ description }) => description)).toEqual([expect.stringMatching(words)]);
});
