import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Mock, startMock } from './mock.ts';
import {
  asArray,
  asObject,
  asString,
  type Contract,
  type ContractOperation,
  componentName,
  entriesOf,
  type Json,
  type JsonObject,
  operationsOf,
  readContract,
  resolve,
} from './read.ts';
import { ROOT } from './redocly.ts';

const CONTRACT = join(ROOT, 'openapi.yaml');
const contract: Contract = await readContract(CONTRACT);

/** Every named example of every operation: the request to send and the answer to expect. */
const CASES = operationsOf(contract).flatMap((operation) =>
  entriesOf(operation.source.responses).flatMap(([status, answer]) => {
    const { examples } = asObject(asObject(resolve(contract, answer).content)['application/json']);
    return entriesOf(examples).map(([name, example]) => ({
      title: `${operation.operationId} ${status} ${name}`,
      operation,
      status,
      name,
      inCatalogue: componentName(example, 'examples') !== undefined,
      body: resolve(contract, example).value,
    }));
  }),
);

let mock: Mock;

beforeAll(async () => {
  mock = await startMock(CONTRACT, 0);
});

afterAll(async () => {
  await mock.stop();
});

/** A value that the contract itself gives as an example or default of a parameter. */
function exampleOf(parameter: JsonObject): Json {
  const schema = resolve(contract, parameter.schema);
  const named = asObject(entriesOf(parameter.examples)[0]?.[1]).value;
  const value = parameter.example ?? named ?? asArray(schema.examples)[0] ?? asArray(schema.enum)[0];
  if (value !== undefined) return value;
  if (schema.format === 'uuid') return '8d5f1c2a-7b3e-4f90-a1c6-3e2d1b0f9a04';
  throw new Error(`the parameter ${asString(parameter.name)} has no example`);
}

/** A valid request: Prism refuses an invalid one before it reads the `Prefer` header. */
function request(operation: ContractOperation): { path: string; init: RequestInit } {
  let { path } = operation;
  const headers: Record<string, string> = { 'x-api-key': 'any' };
  for (const parameter of operation.parameters) {
    if (parameter.required !== true) continue;
    const name = asString(parameter.name);
    const value = String(exampleOf(parameter));
    if (parameter.in === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value));
    if (parameter.in === 'header') headers[name] = value;
  }
  const init: RequestInit = { method: operation.method.toUpperCase(), headers };
  const media = asObject(asObject(resolve(contract, operation.source.requestBody ?? {}).content)['application/json']);
  const body = entriesOf(media.examples)[0]?.[1];
  if (body !== undefined) {
    headers['content-type'] = 'application/json';
    init.body = JSON.stringify(resolve(contract, body).value);
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
