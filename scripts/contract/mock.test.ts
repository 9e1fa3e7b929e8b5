import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { bodyOf, exampleOf } from './docs/samples.ts';
import { type Mock, startMock } from './mock.ts';
import {
  type ContractOperation,
  componentName,
  entriesOf,
  type Json,
  jsonOf,
  operationsOf,
  type Parameter,
  readContract,
  resolve,
} from './read.ts';
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
      inCatalogue: componentName(example, 'examples') !== undefined,
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

/** A value that the contract itself gives for a parameter. */
function sampleValueOf(parameter: Parameter): Json {
  const { enum: [first] = [], format } = resolve(contract, parameter.schema);
  const value = exampleOf(contract, parameter) ?? first;
  if (value !== undefined) return value;
  if (format === 'uuid') return '8d5f1c2a-7b3e-4f90-a1c6-3e2d1b0f9a04';
  throw new Error(`the parameter ${parameter.name} has no example`);
}

/** A valid request: Prism refuses an invalid one before it reads the `Prefer` header. */
function request(operation: ContractOperation): { path: string; init: RequestInit } {
  let { path } = operation;
  const headers: Record<string, string> = { 'x-api-key': 'any' };
  for (const parameter of operation.parameters) {
    if (parameter.required !== true) continue;
    const { name } = parameter;
    const value = String(sampleValueOf(parameter));
    if (parameter.in === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value));
    if (parameter.in === 'header') headers[name] = value;
  }
  const init: RequestInit = { method: operation.method.toUpperCase(), headers };
  const body = bodyOf(contract, operation);
  if (body !== undefined) {
    headers['content-type'] = 'application/json';
    init.body = JSON.stringify(body);
  }
  return { path, init };
}

describe('every named example is served when it is preferred', () => {
  test('the contract has operations with errors', () => {
    expect(CASES.length).toBeGreaterThan(200);
    expect(CASES.filter(({ status }) => status !== '200').every(({ inCatalogue }) => inCatalogue)).toBe(true);
  });
  test.each(CASES)('$title', async ({ operation, status, name, body }) => {
    const { path, init } = request(operation);
    const headers = { ...(init.headers as Record<string, string>), prefer: `code=${status}, example=${name}` };
    const answer = await fetch(mock.url + path, { ...init, headers });
    expect({ status: answer.status, body: await answer.json() }).toEqual({ status: Number(status), body });
  });
});

test('a contract that cannot be read is an error that says so', async () => {
  await expect(startMock('/nowhere.yaml', 0)).rejects.toThrow(/There is no readable file/);
});
