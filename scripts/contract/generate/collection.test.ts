import { expect, test } from '@jest/globals';
import { samplesOf } from '../docs/samples.ts';
import { asArray, asObject, asString, type JsonObject, operationsOf, readContract } from '../read.ts';
import { collectionJson } from './collection.ts';

const contract = await readContract(new URL('../../../openapi.yaml', import.meta.url).pathname);
const text = collectionJson(contract);
const collection = asObject(JSON.parse(text));
const variables = new Map(
  asArray(collection.variable)
    .map(asObject)
    .map(({ key, value }) => [key, asString(value)]),
);
const filled = (value: unknown) => String(value).replaceAll(/\{\{(\w+)\}\}/g, (_, name) => variables.get(name) ?? '?');
const requests = asArray(collection.item).flatMap((folder) => asArray(asObject(folder).item).map(asObject));

test('each operation is one request, with the address and the body that its sample sends', () => {
  const sent = requests.map(({ request }) => {
    const { method, url, body } = asObject(request);
    const { raw, query } = asObject(url);
    const pairs = asArray(query)
      .map(asObject)
      .filter(({ disabled }) => disabled !== true);
    const [path, text] = filled(raw).split('?');
    expect(pairs.map(({ key, value }) => `${key}=${value}`).join('&')).toBe(text ?? '');
    return [
      method,
      path + (text === undefined ? '' : `?${encodeURI(text).replaceAll('%25', '%')}`),
      asObject(body).raw,
    ];
  });
  // The samples are run against a service.
  const samples = operationsOf(contract).map((operation) => {
    const [curl] = samplesOf(contract).get(operation.operationId) ?? [];
    const [, url = ''] = /^curl '([^']*)'/.exec(curl?.source ?? '') ?? [];
    const [, body] = /-d '([\s\S]*)'$/.exec(curl?.source ?? '') ?? [];
    return [operation.method.toUpperCase(), url, body];
  });
  expect(new Set(sent.map((each) => JSON.stringify(each)))).toEqual(
    new Set(samples.map((each) => JSON.stringify(each))),
  );
  expect(requests.map(({ name }) => name)).toEqual([...new Set(requests.map(({ name }) => name))]);
});

test('the key is a variable without a value, and an idempotency key is a new one at each sending', () => {
  expect(variables.get('api_key')).toBe('');
  expect(asObject(collection.auth).apikey).toContainEqual({ key: 'value', value: '{{api_key}}' });
  const keyed = requests.filter(({ request }) =>
    JSON.stringify((request as JsonObject).header).includes('"Idempotency-Key"'),
  );
  const taken = operationsOf(contract).filter(({ parameters }) =>
    parameters.some(({ name }) => name === 'Idempotency-Key'),
  );
  expect(keyed).toHaveLength(taken.length);
  expect(text.match(/\{\{\$guid\}\}/g)).toHaveLength(taken.length);
});
