import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { errors } from '../../generated/errors.ts';
import { compare } from './compare.ts';
import { type Referee, startReferee } from './judge.ts';
import type { Recorded } from './recorded.ts';

const loginMethods = { items: [{ enabled: true, slug: 'EDS_CMS_QR', title: 'ЭЦП', type: 'EDS' }] };

function recorded(target: string, status: number, body: object, operationId = 'listLoginMethods'): Recorded {
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

describe('the referee', () => {
  let referee: Referee;
  beforeAll(async () => {
    referee = await startReferee(resolve(import.meta.dirname, '../../openapi.yaml'));
  });
  afterAll(() => referee.close());
  const kinds = async (exchange: Recorded) => (await compare(exchange, referee)).map(({ kind }) => kind);

  test('agrees with a right answer to a right request', async () => {
    expect(await kinds(recorded('/login_methods', 200, loginMethods))).toEqual(['agreement', 'agreement']);
  });

  test('agrees that a wrong request is refused', async () => {
    expect(await kinds(recorded('/login_methods?x=1', 400, invalid('x')))).toEqual(['agreement', 'agreement']);
  });

  test('objects to a wrong request that is served', async () => {
    expect(await kinds(recorded('/login_methods?x=1', 200, loginMethods))).toEqual(['agreement', 'disagreement']);
  });

  test('objects to an answer with a field that the contract does not know', async () => {
    const body = { items: [{ ...loginMethods.items[0], secret: 'x' }] };
    expect(await kinds(recorded('/login_methods', 200, body))).toEqual(['disagreement', 'agreement']);
  });

  test('objects to the refusal of a right request, unless the contract says why in words', async () => {
    const refusedFor = (field: string) => kinds(recorded('/employees?limit=5', 400, invalid(field), 'listEmployees'));
    expect(await refusedFor('status')).toEqual(['agreement', 'disagreement']);
    expect(await refusedFor('page_token')).toEqual(['agreement', 'stated']);
  });

  test('says nothing of the shape where an earlier gate refused', async () => {
    const body = { ...invalid('x'), code: errors.API_KEY_INVALID.rpcCode };
    expect(await kinds(recorded('/login_methods?x=1', 401, body))).toEqual(['agreement']);
  });
});
