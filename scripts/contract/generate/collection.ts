/**
 * A collection of requests for Postman, which Bruno imports, too: each operation once, with the values of its sample in the
 * docs. Made by hand, because openapi-to-postmanv2 gives other ids at each run and ten times the text.
 */
import { sampleCallOf, serverOf } from '../docs/samples.ts';
import { type Contract, type ContractOperation, type Json, operationsOf } from '../read.ts';
import { singular } from './calls.ts';

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';
const ABOUT =
  'Set the variables of the collection: base_url to the address of the deployment, api_key to a key of yours. The ids in the ' +
  'other variables are examples. Made from openapi.yaml by `npm run generate`; /docs of a deployment explains the requests.';

/** The text of generated/collection.json. It holds no secret: the key is a variable without a value. */
export function collectionJson(contract: Contract): string {
  const operations = operationsOf(contract);
  const folders = (contract.tags ?? []).map(({ name, 'x-displayName': title = name, description = '' }) => ({
    name: title,
    description,
    item: operations.filter(({ tag }) => tag === name).map((operation) => requestOf(contract, operation)),
  }));
  const ids = operations.flatMap((operation) => idsOf(contract, operation));
  const collection = {
    info: { name: contract.info.title, description: ABOUT, schema: SCHEMA },
    auth: {
      type: 'apikey',
      apikey: pairs({ key: 'X-API-Key', value: '{{api_key}}', in: 'header' }),
    },
    variable: pairs({ base_url: serverOf(contract), api_key: '', ...Object.fromEntries(ids) }),
    item: folders.filter(({ item }) => item.length > 0),
  };
  return `${JSON.stringify(collection, null, 1)}\n`;
}

const pairs = (values: Readonly<Record<string, string>>) =>
  Object.entries(values).map(([key, value]) => ({ key, value }));

/** The variables for the ids in the path of an operation, with their examples. `id` is named after the resource. */
function idsOf(contract: Contract, operation: ContractOperation): [variable: string, example: string][] {
  const { path } = sampleCallOf(contract, operation);
  const examples = path.split('/');
  return operation.path.split('/').flatMap((part, index) => {
    const [, name] = /^\{(\w*id)\}$/.exec(part) ?? [];
    if (name === undefined) return [];
    return [[name === 'id' ? `${singular(operation.tag)}_id` : name, examples[index] ?? '']];
  });
}

function requestOf(contract: Contract, operation: ContractOperation): Json {
  const { method, path, query, idempotencyKey, body } = sampleCallOf(contract, operation);
  const { summary, description = '' } = operation.source;
  const ids = new Map(idsOf(contract, operation).map(([name, example]) => [example, `{{${name}}}`]));
  const parts = path
    .slice(1)
    .split('/')
    .map((part) => ids.get(part) ?? part);
  const shown = queryOf(operation, query);
  const text = shown
    .filter(({ disabled }) => !disabled)
    .map(({ key, value }) => `${key}=${value}`)
    .join('&');
  const headers = pairs({
    ...(idempotencyKey === '' ? {} : { 'Idempotency-Key': '{{$guid}}' }),
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
  });
  return {
    name: summary,
    request: {
      method,
      description,
      header: headers,
      url: {
        raw: `{{base_url}}/${parts.join('/')}${text === '' ? '' : `?${text}`}`,
        host: ['{{base_url}}'],
        path: parts,
        query: shown,
      },
      ...(body === undefined
        ? {}
        : { body: { mode: 'raw', raw: JSON.stringify(body, null, 2), options: { raw: { language: 'json' } } } }),
    },
  };
}

/** Every parameter of the query. Those that the sample leaves out are there to be switched on. */
function queryOf({ parameters }: ContractOperation, sample: readonly (readonly [name: string, value: Json])[]) {
  return parameters
    .filter((parameter) => parameter.in === 'query')
    .flatMap(({ name: key, description = '' }) => {
      const [, found] = sample.find(([each]) => each === key) ?? [];
      // Postman sends them as they are, but for blanks and letters beyond ASCII.
      const values =
        found === undefined
          ? ['']
          : [found].flat().map((each) => String(each).replaceAll(/[%&#+]/g, encodeURIComponent));
      return values.map((value) => ({
        key,
        value,
        description: description.trim(),
        disabled: found === undefined,
      }));
    });
}
