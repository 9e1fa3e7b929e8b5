import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { errors } from '../../../generated/contract.ts';
import { compare } from './compare.ts';
import { type SecondValidator, startSecondValidator } from './judge.ts';
import { linesOf, type RecordedExchange } from './recorded.ts';

const loginMethods = { items: [{ enabled: true, slug: 'EDS_CMS_QR', title: 'ЭЦП', type: 'EDS' }] };

function recorded(target: string, status: number, body: object, operationId = 'listLoginMethods'): RecordedExchange {
  return {
    method: 'GET',
    target: `/developer/v1${target}`,
    requestHeaders: [],
    requestBody: undefined,
    operationId,
    status,
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
    expect(await refusedFor('title', 'number')).toEqual(['agreement', 'stated']);
    expect(await refusedFor('comment')).toEqual(['agreement', 'disagreement']);
    expect(await refusedFor('type_id', 'comment')).toEqual(['agreement', 'disagreement']);
  });

  test('says what each of the two said, and no name or value that is not of the contract', async () => {
    const said = async (exchange: RecordedExchange) =>
      (await compare(exchange, second)).flatMap((verdict) => (verdict.kind === 'disagreement' ? [verdict.text] : []));
    const other = 'express-openapi-validator finds';
    const body = { items: [{ ...loginMethods.items[0], Әсел: 'x' }] };
    expect(await said(recorded('/login_methods', 200, body))).toEqual([
      `about an answer of listLoginMethods: the service sent it with 200; ${other} it wrong: /response/items/0/(unknown field) must NOT have additional properties`,
    ]);
    expect(await said(recorded('/login_methods?%D3%98%D1%81=1', 200, loginMethods))).toEqual([
      `about a request of listLoginMethods: the service took it and answered 200; ${other} it wrong: Bad Request /query/(unknown field)`,
    ]);
    expect(await said(recorded('/employees', 400, invalid('Әсел.limit'), 'listEmployees'))).toEqual([
      `about a request of listEmployees: the service refused it with INVALID_ARGUMENT ((unknown field).limit); ${other} nothing wrong`,
    ]);
  });

  test('does not judge the shape if an earlier check refused', async () => {
    const body = { ...invalid('x'), code: errors.API_KEY_INVALID.rpcCode };
    expect(await kinds(recorded('/login_methods?x=1', 401, body))).toEqual(['agreement']);
  });
});

test('only a line feed ends a line of a record, not what some readers take for one', async () => {
  const lines: string[] = [];
  for await (const line of linesOf(Readable.from(['a\u2028b\u0085c', '\n', 'last']))) lines.push(line);
  expect(lines).toEqual(['a\u2028b\u0085c', 'last']);
});
