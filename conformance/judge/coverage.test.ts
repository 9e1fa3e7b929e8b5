import { describe, expect, test } from '@jest/globals';
import { errors, type OperationId } from '../../generated/contract.ts';
import { absence, showsAbsence } from '../http/capability.ts';
import type { Exchange, Headers } from '../http/exchange.ts';
import type { Values } from '../profile/values.ts';
import { SeenValues, type Sighting } from './contract-coverage.ts';
import { coverageOf, declaredInputs, sharesText, touchedShares } from './coverage.ts';
import { sentInputs } from './inputs.ts';
import { RuleUntested } from './outcome.ts';

const values = { error_code_pointer: '/details/0/reason', invalid_argument_status: 400 } as Values;

const exchange = (operationId: Exchange['operationId'], status: number, body: object) =>
  ({
    operationId,
    target: '/x?expand=person',
    requestHeaders: [] as Headers,
    status,
    body: Buffer.from(JSON.stringify(body)),
  }) as Exchange;
const refused = (status: number, reason: string) => exchange('listLoginMethods', status, { details: [{ reason }] });

describe('coverage', () => {
  test('counts statuses, and reports each property once in a run', () => {
    const seen = new SeenValues(declaredInputs(), values);
    const known = new Set<string>();
    seen.note(exchange('getEmployee', 200, { id: 'x', rows: [{ a: 1 }, { b: [{ c: 1 }] }] }));
    seen.note(exchange('getEmployee', 404, { details: [{ reason: 'EMPLOYEE_NOT_FOUND' }] }));
    seen.note(exchange(undefined, 404, {}));
    expect(seen.firstSeen('EMP-1', known)).toEqual({
      rule: 'EMP-1',
      operations: { getEmployee: { '200': 1, '404': 1 } },
      properties: { getEmployee: ['id', 'rows', 'rows[].a', 'rows[].b', 'rows[].b[].c'] },
      inputs: { getEmployee: ['query expand', 'query expand = person', 'path employee_id'] },
      errors: { getEmployee: ['404 EMPLOYEE_NOT_FOUND'] },
    });
    expect(seen.firstSeen('EMP-2', known).properties).toEqual({});
  });

  test('lists every operation of the contract, and what was not observed of it', () => {
    const sightings: Sighting[] = [
      { rule: 'A', operations: { verifyApiKey: { '200': 2 } }, properties: { verifyApiKey: ['nonsense'] }, inputs: {} },
      {
        rule: 'B',
        operations: { verifyApiKey: { '200': 1, '401': 4 } },
        properties: {},
        inputs: { createDocument: ['body title'] },
      },
    ];
    const rowOf = (all: readonly Sighting[], id: OperationId) =>
      coverageOf(all, values).find(({ operation }) => operation === id);
    const row = rowOf(sightings, 'verifyApiKey');
    expect(row).toMatchObject({ method: 'GET', since: '1.0.0', seen: { '200': 3, '401': 4 } });
    expect(row?.documented).toEqual([200, 400, 401, 403, 429, 431, 500, 503]);
    expect(row?.properties.unseen).toHaveLength(row?.properties.declared ?? -1);
    expect(rowOf([], 'listEmployees')?.properties.unseen).toContain('employees[].department.title');
    expect(rowOf([], 'ingestRecords')?.inputs?.unsent).toContain('body records[].birth_date');
  });
});

test('the share of the contract that was touched counts each kind of thing by itself', () => {
  const sighting: Sighting = {
    rule: 'A',
    operations: { listEmployees: { '200': 1, '401': 1 } },
    properties: { listEmployees: ['employees'] },
    inputs: { listEmployees: ['query expand', 'query expand = person'] },
    errors: { listEmployees: [`401 ${errors.API_KEY_INVALID.reason}`] },
  };
  const shares = touchedShares(coverageOf([sighting], values), new Set(['document.rejected', 'of.nobody']));
  const touched = { operations: 1, parameters: 1, 'fields of requests': 0, 'fields of answers': 1, values: 1 };
  expect(Object.fromEntries(shares.map((one) => [one.kind, one.touched]))).toEqual({
    ...touched,
    errors: 1,
    events: 1,
  });
  expect(shares.every((one) => one.declared > one.touched)).toBe(true);
  expect(sharesText(shares)).toMatch(/^operations 1 of \d+, parameters 1 of \d+, .*, events 1 of \d+$/);
});

describe('the inputs of a request', () => {
  const inputsOf = (operationId: OperationId, request: Partial<Exchange>, spelling = {}) => {
    const sent = { operationId, target: '/', requestHeaders: [], requestBody: undefined, ...request } as Exchange;
    return [...sentInputs(sent, new Set(declaredInputs()[operationId]), spelling)].toSorted();
  };
  const body = (value: unknown) => ({ requestBody: Buffer.from(JSON.stringify(value)) });

  test('are its parameters and headers, with the values that are of an enumeration', () => {
    const target = '/developer/v1/employees?limit=5&expand=person&expand=nobody&page_token=&other=1';
    expect(inputsOf('listEmployees', { target })).toEqual(['query expand', 'query expand = person', 'query limit']);
    const named = { requestHeaders: [['idempotency-key', 'k']] as Headers, ...body({ title: 'x', owner: 'y' }) };
    expect(inputsOf('createDocument', named)).toEqual(['body title', 'header Idempotency-Key']);
    expect(inputsOf('getDocument', {})).toEqual(['path document_id']);
  });

  test('are the fields of its body at any depth; null and empty ones are as absent', () => {
    const participants = [{ employee_id: 'x', key_type: 'SIMPLE' }, { key_type: null }];
    const route = body({ steps: [{ step_type: 'SIGN', rule: '', participants }] });
    const signing = { spelling_step_type: { SIGNING: 'SIGN' } };
    expect(inputsOf('setDocumentRoute', route, signing)).toEqual([
      'body steps',
      'body steps[].participants',
      'body steps[].participants[].employee_id',
      'body steps[].participants[].key_type',
      'body steps[].participants[].key_type = SIMPLE',
      'body steps[].step_type',
      'body steps[].step_type = STEP_TYPE_SIGNING',
      'path document_id',
    ]);
    expect(inputsOf('createDocument', { requestBody: Buffer.from('{') })).toEqual([]);
  });
});

describe('an operation that is absent', () => {
  test.each<[boolean, number, string]>([
    [true, 501, 'NOT_IMPLEMENTED'],
    [true, 404, 'PATH_NOT_FOUND'],
    [true, 405, 'METHOD_NOT_ALLOWED'],
    [false, 403, 'FEATURE_FLAG.NOT_AVAILABLE'],
  ])('is recognised by 501, and by the error for an unknown path or method: %s for %i %s', (shows, status, reason) =>
    expect(showsAbsence(refused(status, reason), 'listLoginMethods', values)).toBe(shows),
  );

  test('is not considered absent if unknown paths and unknown objects have the same code', () => {
    const one = { ...values, errors: { PATH_NOT_FOUND: { code: 'DOCUMENT_NOT_FOUND' } } };
    expect(showsAbsence(refused(404, 'DOCUMENT_NOT_FOUND'), 'listLoginMethods', one)).toBe(true);
    expect(showsAbsence(refused(404, 'DOCUMENT_NOT_FOUND'), 'getDocument', one)).toBe(false);
  });

  test('is a gap if every target must have it', () => {
    expect(absence('listEmployees', ['1.3'], '501')).toBeInstanceOf(RuleUntested);
  });
});
