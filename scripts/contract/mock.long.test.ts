import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sampleCallOf } from './docs/samples.ts';
import { type Mock, startMock } from './mock.ts';
import { type ContractOperation, entriesOf, jsonOf, operationsOf, readContract, resolve } from './read.ts';
import { ROOT } from './redocly.ts';

const CONTRACT = join(ROOT, 'openapi.yaml');
const contract = await readContract(CONTRACT);

/** Every named example of every operation: the request to send and the answer to expect. */
const CASES = operationsOf(contract).flatMap((operation) =>
  operation.answers.flatMap(([status, answer]) =>
    entriesOf(jsonOf(answer)?.examples).map(([name, example]) => ({
      title: `${operation.operationId} ${status} ${name}`,
      operation,
      status,
      name,
      body: resolve(contract, example).value,
    })),
  ),
);

let mock: Mock;

beforeAll(async () => {
  mock = await startMock(CONTRACT, 0);
});

afterAll(async () => {
  await mock.stop();
});

/** The request of the sample: Prism refuses an invalid one before it reads the `Prefer` header. */
function request(operation: ContractOperation, prefer: string): Promise<Response> {
  const { method, path, idempotencyKey, body } = sampleCallOf(contract, operation);
  const headers = new Headers({ 'x-api-key': 'any', prefer });
  if (idempotencyKey !== '') headers.set('idempotency-key', idempotencyKey);
  if (body !== undefined) headers.set('content-type', 'application/json');
  return fetch(mock.url + path, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
}

describe('every named example is served when it is preferred', () => {
  test('there are many', () => expect(CASES.length).toBeGreaterThan(200));
  test.each(CASES)('$title', async ({ operation, status, name, body }) => {
    const answer = await request(operation, `code=${status}, example=${name}`);
    expect({ status: answer.status, body: await answer.json() }).toEqual({ status: Number(status), body });
  });
});
