/** How each operation is called, as text that can be copied: by curl, by the client for JavaScript, and in Python. */
import { callOf, camelCase, singular } from '../generate/calls.ts';
import { literal, quote } from '../generate/literal.ts';
import {
  type Contract,
  type ContractOperation,
  entriesOf,
  isObject,
  type Json,
  jsonOf,
  operationsOf,
  type Parameter,
  resolve,
  valuesOf,
} from '../read.ts';

/** A sample as `x-codeSamples` holds it. */
export interface CodeSample {
  readonly lang: 'Shell' | 'JavaScript' | 'Python';
  readonly label: 'curl' | 'JavaScript' | 'Python';
  readonly source: string;
}

/** What a sample sends, from the examples of the contract. */
export interface SampleCall {
  readonly method: string;
  readonly origin: string;
  readonly path: string;
  /** The values of the path, in its order. */
  readonly ids: readonly string[];
  readonly query: readonly (readonly [name: string, value: Json])[];
  readonly idempotencyKey: string;
  /** Undefined for an operation without a body. */
  readonly body: Json | undefined;
  /** The call of the client, without its arguments: `client.employees.list`. */
  readonly calls: string;
  /** The name of a row, if the operation is a list that is paged. */
  readonly row: string;
}

/** The address of the contract's first server, with the defaults of its variables. */
export function serverOf({ servers: [server] = [] }: Contract): string {
  const text = server?.url ?? '';
  return text.replaceAll(/\{(\w+)\}/g, (_, name) => server?.variables?.[name]?.default ?? '');
}

/** The samples of every operation, by operationId. */
export function samplesOf(contract: Contract): Map<string, CodeSample[]> {
  return new Map(
    operationsOf(contract).map((operation) => {
      const call = sampleCallOf(contract, operation);
      return [
        operation.operationId,
        [
          { lang: 'Shell', label: 'curl', source: inCurl(call) },
          { lang: 'JavaScript', label: 'JavaScript', source: inJavaScript(call) },
          { lang: 'Python', label: 'Python', source: inPython(call) },
        ],
      ];
    }),
  );
}

/** What the samples of an operation send. */
export function sampleCallOf(contract: Contract, operation: ContractOperation): SampleCall {
  const { parameters, path, method } = operation;
  const within = (place: string) => parameters.filter((parameter) => parameter.in === place);
  const ids = within('path').map((parameter) => String(exampleOf(contract, parameter)));
  const filled = within('path').reduce(
    (text, { name }, i) => text.replace(`{${name}}`, encodeURIComponent(ids[i] ?? '')),
    path,
  );
  const header = within('header').find(({ name }) => name === 'Idempotency-Key');
  const { resource, name } = callOf(operation);
  return {
    method: method.toUpperCase(),
    origin: serverOf(contract),
    path: filled,
    ids,
    query: within('query').flatMap((parameter) => queryOf(contract, parameter)),
    idempotencyKey: header === undefined ? '' : String(exampleOf(contract, header) ?? ''),
    body: bodyOf(contract, operation),
    calls: `client.${resource}.${name}`,
    row: rowOf(contract, operation),
  };
}

/** Filters by id would find nothing in a tenant that has no such id, and only an earlier page gives a page token. */
const isShown = (name: string) => name !== 'page_token' && !name.endsWith('_id');

function queryOf(contract: Contract, parameter: Parameter): [string, Json][] {
  const [name, value] = [parameter.name, exampleOf(contract, parameter)];
  return value === undefined || !isShown(name) ? [] : [[name, value]];
}

/** The value that the contract gives for a parameter as its first example. */
function exampleOf(contract: Contract, { example, examples, schema }: Parameter): Json | undefined {
  const [named = {}] = valuesOf(examples);
  return example ?? resolve(contract, named).value ?? resolve(contract, schema).examples?.[0];
}

/** The first example of the body. */
function bodyOf(contract: Contract, { request }: ContractOperation): Json | undefined {
  const [first = {}] = valuesOf(jsonOf(request)?.examples);
  return request && (resolve(contract, first).value ?? {});
}

function rowOf(contract: Contract, { parameters, answer = {} }: ContractOperation): string {
  if (!parameters.some(({ name }) => name === 'page_token')) return '';
  const list = entriesOf(resolve(contract, answer).properties).find(([, { type }]) => type === 'array');
  return camelCase(singular(list?.[0] ?? ''));
}

function urlOf({ origin, path, query }: SampleCall): string {
  const pairs = query.flatMap(([name, value]) =>
    [value].flat().map((each) => `${name}=${encodeURIComponent(String(each)).replaceAll('%3A', ':')}`),
  );
  return origin + path + (pairs.length === 0 ? '' : `?${pairs.join('&')}`);
}

/** A word for a shell. */
const word = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

function inCurl(call: SampleCall): string {
  const { method, body, idempotencyKey } = call;
  const words = [
    ...(method === 'GET' || (method === 'POST' && body !== undefined) ? [] : [`-X ${method}`]),
    '-H "X-API-Key: $KEY"',
    ...(idempotencyKey === '' ? [] : [`-H ${word(`Idempotency-Key: ${idempotencyKey}`)}`]),
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d ${word(JSON.stringify(body, null, 2))}`]),
  ];
  return [`curl ${word(urlOf(call))}`, ...words].join(' \\\n  ');
}

/** Samples stand in a narrow column. */
const SAMPLE_INDENT = 28;

function inJavaScript({ origin, ids, query, body, calls, row }: SampleCall): string {
  const given = body ?? (query.length === 0 ? undefined : Object.fromEntries(query));
  const isEmpty = isObject(given) && Object.keys(given).length === 0;
  const values = [...ids.map(quote), ...(given === undefined || isEmpty ? [] : [wrapped(given)])];
  const call = `${calls}(${values.join(', ')})`;
  const use =
    row === ''
      ? `const answer = await ${call};\nconsole.log(answer);`
      : `for await (const ${row} of ${call}) {\n  console.log(${row});\n}`;
  return `import { DeveloperApi } from 'developer-api-client';

const client = new DeveloperApi({
  apiKey: process.env.KEY,
  baseUrl: ${quote(origin)},
});
${use}`;
}

/** A value as source, each of its fields in a line if it does not fit into a narrow one. */
function wrapped(value: Json): string {
  return literal(value, SAMPLE_INDENT).replaceAll(`\n${'  '.repeat(SAMPLE_INDENT)}`, '\n');
}

function inPython(call: SampleCall): string {
  const { method, body, idempotencyKey } = call;
  const headers = [
    '"X-API-Key": os.environ["KEY"],',
    ...(idempotencyKey === '' ? [] : [`"Idempotency-Key": ${JSON.stringify(idempotencyKey)},`]),
    ...(body === undefined ? [] : ['"Content-Type": "application/json",']),
  ];
  const values = [
    JSON.stringify(urlOf(call)),
    ...(method === 'GET' ? [] : [`method=${JSON.stringify(method)}`]),
    `headers={\n${headers.map((line) => `        ${line}\n`).join('')}    }`,
    ...(body === undefined ? [] : [`data=json.dumps(${pythonLiteral(body, '    ')}).encode()`]),
  ];
  return `import json, os
from urllib.request import Request, urlopen

request = Request(
${values.map((value) => `    ${value},\n`).join('')})
with urlopen(request) as answer:
    print(json.load(answer))`;
}

/** JSON as Python, which spells three values in another way. */
function pythonLiteral(value: Json, indent: string): string {
  const inner = `${indent}    `;
  const lines = (parts: string[], [open, close]: readonly [string, string]) =>
    parts.length === 0
      ? open + close
      : `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`;
  if (Array.isArray(value))
    return lines(
      value.map((each) => pythonLiteral(each, inner)),
      ['[', ']'],
    );
  if (isObject(value)) {
    const fields = entriesOf(value).map(([key, each]) => `${JSON.stringify(key)}: ${pythonLiteral(each, inner)}`);
    return lines(fields, ['{', '}']);
  }
  if (value === null) return 'None';
  return typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value);
}
