/** How each operation is called, as text that can be copied: by curl, by the client for JavaScript, and in Python. */
import { camelCase, methodOf, singular } from '../generate/calls.ts';
import { literal } from '../generate/literal.ts';
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
} from '../read.ts';

/** A sample as `x-codeSamples` holds it. */
export interface CodeSample {
  readonly lang: 'Shell' | 'JavaScript' | 'Python';
  readonly label: 'curl' | 'JavaScript' | 'Python';
  readonly source: string;
}

/** What a sample sends, from the examples of the contract. */
type SampleCall = ReturnType<typeof sampleCallOf>;

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
export function sampleCallOf(contract: Contract, operation: ContractOperation) {
  const { parameters, path, method } = operation;
  const within = (place: string) => parameters.filter((parameter) => parameter.in === place);
  const ids = within('path').map((parameter) => String(exampleOf(contract, parameter)));
  const filled = within('path').reduce(
    (text, { name }, i) => text.replace(`{${name}}`, encodeURIComponent(ids[i] ?? '')),
    path,
  );
  const header = within('header').find(({ name }) => name === 'Idempotency-Key');
  const { resource, name } = methodOf(operation);
  return {
    method: method.toUpperCase(),
    origin: serverOf(contract),
    path: filled,
    /** The values of the path, in its order. */
    ids,
    query: within('query').flatMap((parameter) => queryOf(contract, parameter)),
    idempotencyKey: header === undefined ? '' : String(exampleOf(contract, header) ?? ''),
    /** Undefined for an operation without a body. */
    body: bodyOf(contract, operation),
    /** The call of the client, without its arguments: `client.employees.list`. */
    calls: `client.${resource}.${name}`,
    /** The name of a row, if the operation is a list that is paged. */
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
  const [named = {}] = Object.values(examples ?? {});
  return example ?? resolve(contract, named).value ?? resolve(contract, schema).examples?.[0];
}

/** The first example of the body. */
function bodyOf(contract: Contract, { request }: ContractOperation): Json | undefined {
  const [first = {}] = Object.values(jsonOf(request)?.examples ?? {});
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
  const values = [...ids.map((id) => literal(id)), ...(given === undefined || isEmpty ? [] : [wrapped(given)])];
  const call = `${calls}(${values.join(', ')})`;
  const use =
    row === ''
      ? `const answer = await ${call};\nconsole.log(answer);`
      : `for await (const ${row} of ${call}) {\n  console.log(${row});\n}`;
  return `import { DeveloperApi } from 'developer-api-client';

const client = new DeveloperApi({
  apiKey: process.env.KEY,
  baseUrl: ${literal(origin)},
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

const PYTHON_WORDS: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };

/** JSON as Python, which spells three values in another way; a comma stands after the last part, too. */
const pythonLiteral = (value: Json, indent: string): string =>
  JSON.stringify(value, null, 4)
    .replaceAll(/(?<=[^,[{])$(?=\n)/gm, ',')
    .replaceAll(/(?<=^\s*(?:"\w+": )?)(?:true|false|null)(?=,$)/gm, (word) => PYTHON_WORDS[word] ?? word)
    .replaceAll('\n', `\n${indent}`);
