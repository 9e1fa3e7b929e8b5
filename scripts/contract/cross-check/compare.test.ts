import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { errors } from '../../../generated/errors.ts';
import { testFolder } from '../../testbed/test-surroundings.ts';
import { compare } from './compare.ts';
import { type SecondValidator, startSecondValidator } from './judge.ts';
import { type RecordedExchange, readRecord } from './recorded.ts';

const loginMethods = { items: [{ enabled: true, slug: 'EDS_CMS_QR', title: 'ЭЦП', type: 'EDS' }] };

function recorded(target: string, status: number, body: object, operationId = 'listLoginMethods'): RecordedExchange {
  return {
    rule: 'TEST',
    method: 'GET',
    target: `/developer/v1${target}`,
    requestHeaders: [],
    requestBody: undefined,
    operationId,
    wire: false,
    status,
    headers: [['Content-Type', 'application/json']],
    body: Buffer.from(JSON.stringify(body)),
  };
}

function invalid(field: string): object {
  const type = 'type.googleapis.com/google.rpc.';
  const { rpcCode, reason } = errors.INVALID_ARGUMENT;
  return {
    code: rpcCode,
    message: `Invalid ${field}`,
    details: [
      { '@type': `${type}ErrorInfo`, reason, domain: 'test', metadata: {} },
      { '@type': `${type}BadRequest`, field_violations: [{ field, description: 'is wrong' }] },
      { '@type': `${type}RequestInfo`, request_id: 'r' },
    ],
  };
}

describe('the contract cross-check', () => {
  let second: SecondValidator;
  beforeAll(async () => {
    second = await startSecondValidator(resolve(import.meta.dirname, '../../../openapi.yaml'));
  });
  afterAll(() => second.close());
  const kinds = async (exchange: RecordedExchange) => (await compare(exchange, second)).map(({ kind }) => kind);

  test('agrees with a correct answer to a correct request', async () => {
    expect(await kinds(recorded('/login_methods', 200, loginMethods))).toEqual(['agreement', 'agreement']);
  });

  test('agrees that a wrong request is refused', async () => {
    expect(await kinds(recorded('/login_methods?x=1', 400, invalid('x')))).toEqual(['agreement', 'agreement']);
  });

  test('reports a wrong request that is served', async () => {
    expect(await kinds(recorded('/login_methods?x=1', 200, loginMethods))).toEqual(['agreement', 'disagreement']);
  });

  test('reports an answer with a field that is not in the contract', async () => {
    const body = { items: [{ ...loginMethods.items[0], secret: 'x' }] };
    expect(await kinds(recorded('/login_methods', 200, body))).toEqual(['disagreement', 'agreement']);
  });

  test('reports the refusal of a correct request, unless the contract gives the reason in prose', async () => {
    const refusedFor = (field: string) => kinds(recorded('/employees?limit=5', 400, invalid(field), 'listEmployees'));
    expect(await refusedFor('status')).toEqual(['agreement', 'disagreement']);
    expect(await refusedFor('page_token')).toEqual(['agreement', 'stated']);
  });

  test('accepts the refusal of a document that fits its schema only by what the contract says about the field', async () => {
    const id = '00000000-0000-4000-8000-000000000000';
    const refusedFor = async (...fields: string[]) => {
      const refusal = invalid(fields[0] ?? '') as { details: { field_violations?: object[] }[] };
      if (refusal.details[1])
        refusal.details[1].field_violations = fields.map((field) => ({ field, description: 'no' }));
      const exchange = recorded('/documents', 400, refusal, 'createDocument');
      const requestBody = Buffer.from(JSON.stringify({ title: 'x', type_id: id, template_id: id }));
      return kinds({
        ...exchange,
        method: 'POST',
        requestHeaders: [['Content-Type', 'application/json']],
        requestBody,
      });
    };
    expect(await refusedFor('type_id', 'template_values.days')).toEqual(['agreement', 'stated']);
    expect(await refusedFor('title')).toEqual(['agreement', 'stated']);
    expect(await refusedFor('number')).toEqual(['agreement', 'disagreement']);
    expect(await refusedFor('type_id', 'number')).toEqual(['agreement', 'disagreement']);
  });

  test('does not judge the shape if an earlier check refused', async () => {
    const body = { ...invalid('x'), code: errors.API_KEY_INVALID.rpcCode };
    expect(await kinds(recorded('/login_methods?x=1', 401, body))).toEqual(['agreement']);
  });
});

const folder = testFolder();

test('a record is read completely, with characters that some readers treat as the end of a line', async () => {
  const file = join(folder, 'record.jsonl');
  const line = (body: string) => JSON.stringify({ rule: 'TEST', request_headers: [], request_body: null, body });
  writeFileSync(file, `${line('a\u2028b\u0085c')}\n${line('last')}`);
  const bodies: string[] = [];
  for await (const { body } of readRecord(file)) bodies.push(body.toString());
  expect(bodies).toEqual(['a\u2028b\u0085c', 'last']);
});
