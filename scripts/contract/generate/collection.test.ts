import { expect, test } from '@jest/globals';
import { samplesOf } from '../docs/samples.ts';
import { operationsOf, readContract } from '../read.ts';
import { collectionJson } from './collection.ts';

interface Pair {
  readonly key: string;
  readonly value: string;
  readonly disabled?: boolean;
}

interface ShownRequest {
  readonly method: string;
  readonly header: readonly Pair[];
  readonly url: { readonly raw: string; readonly query: readonly Pair[] };
  readonly body?: { readonly raw: string };
}

interface Collection {
  readonly variable: readonly Pair[];
  readonly auth: { readonly apikey: readonly Pair[] };
  readonly item: readonly { readonly item: readonly { readonly name: string; readonly request: ShownRequest }[] }[];
}

const contract = await readContract(new URL('../../../openapi.yaml', import.meta.url).pathname);
const text = collectionJson(contract);
const collection: Collection = JSON.parse(text);
const variables = new Map(collection.variable.map(({ key, value }) => [key, value]));
const filled = (value: string) => value.replaceAll(/\{\{(\w+)\}\}/g, (_, name) => variables.get(name) ?? '?');
const requests = collection.item.flatMap(({ item }) => item);

test('each operation is one request, with the address and the body that its sample sends', () => {
  const sent = requests.map(({ request: { method, url, body } }) => {
    const pairs = url.query.filter(({ disabled }) => disabled !== true);
    const [path, text] = filled(url.raw).split('?');
    expect(pairs.map(({ key, value }) => `${key}=${value}`).join('&')).toBe(text ?? '');
    return [method, path + (text === undefined ? '' : `?${encodeURI(text).replaceAll('%25', '%')}`), body?.raw];
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
});

test('the key is a variable without a value, and an idempotency key is a new one at each sending', () => {
  expect(variables.get('api_key')).toBe('');
  expect(collection.auth.apikey).toContainEqual({ key: 'value', value: '{{api_key}}' });
  const keyed = requests.filter(({ request }) => request.header.some(({ key }) => key === 'Idempotency-Key'));
  const taken = operationsOf(contract).filter(({ parameters }) =>
    parameters.some(({ name }) => name === 'Idempotency-Key'),
  );
  expect(keyed).toHaveLength(taken.length);
  expect(text.match(/\{\{\$guid\}\}/g)).toHaveLength(taken.length);
});
