import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { EXIT, Failure } from '../../conformance/command-line.ts';

/** Any JSON value in a contract. Code checks each field before using it and assumes no type. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
/** An object of a contract. */
export interface JsonObject {
  [key: string]: Json | undefined;
}
/** A whole OpenAPI 3.1 document as parsed. */
export type Contract = JsonObject;

/** An operation with everything that it inherits from its path. Its references are resolved one level deep. */
export interface ContractOperation {
  operationId: string;
  method: string;
  /** The full path as in the contract, `/developer/v1/employees/{employee_id}`. */
  path: string;
  source: JsonObject;
  parameters: JsonObject[];
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/**
 * A tool cannot work with a contract. The message says where the problem is and what to do, and needs no stack trace.
 */
export class ContractError extends Failure {
  override name = 'ContractError';

  constructor(message: string) {
    super(EXIT.refused, message);
  }
}

/**
 * Parses the contract at `path` (YAML or JSON).
 * @throws ContractError when the file is missing, is not YAML, or holds no OpenAPI 3.1 document.
 */
export async function readContract(path: string): Promise<Contract> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch {
    throw new ContractError(`There is no readable file ${path}. Give the path of an OpenAPI 3.1 document.`);
  }
  return parseContract(text, path);
}

/** Parses the text of a contract; errors call it `name`. Throws like `readContract`. */
export function parseContract(text: string, name: string): Contract {
  let value: unknown;
  try {
    // Contracts use no aliases. Refusing all of them protects against a text whose aliases expand without end.
    value = parse(text, { maxAliasCount: 0 });
  } catch (error) {
    throw new ContractError(`${name} is not valid YAML: ${error instanceof Error ? error.message : String(error)}`);
  }
  const contract = asObject(value as Json);
  if (!String(contract.openapi ?? '').startsWith('3.1')) {
    throw new ContractError(`${name} has no "openapi: 3.1.x" at its root.`);
  }
  return contract;
}

/** True for a JSON object; false for an array and for null. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value if it is an object, otherwise an empty object. */
export function asObject(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

/** The value if it is an array, otherwise an empty array. */
export function asArray(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

/** The value if it is a string, otherwise an empty string. */
export function asString(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** The fields of an object as pairs, without those that are undefined. */
export function entriesOf(value: Json | undefined): [string, Json][] {
  return Object.entries(asObject(value)).filter((entry): entry is [string, Json] => entry[1] !== undefined);
}

/**
 * What `$ref: '#/…'` points at (RFC 6901); references to references are followed.
 * @throws ContractError for a reference that leaves the document, points at nothing, or points back to itself.
 */
export function resolve(contract: Contract, value: Json | undefined): JsonObject {
  let current = value;
  for (let hops = 0; hops < 20; hops += 1) {
    const node = asObject(current);
    if (typeof node.$ref !== 'string') return node;
    current = at(contract, node.$ref);
  }
  throw new ContractError(`${JSON.stringify(value)} refers to itself.`);
}

function at(contract: Contract, ref: string): Json {
  if (!ref.startsWith('#/')) throw new ContractError(`${ref}: only references into the document itself are allowed.`);
  let node: Json | undefined = contract;
  for (const part of ref.slice(2).split('/')) {
    const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
    node = Array.isArray(node)
      ? node[Number(key)]
      : Object.hasOwn(asObject(node), key)
        ? asObject(node)[key]
        : undefined;
  }
  if (node === undefined) throw new ContractError(`${ref} has no target. Add the component or correct the reference.`);
  return node;
}

/**
 * The name of the component that a reference points at: `#/components/schemas/Employee` → `Employee`; otherwise
 * undefined.
 */
export function componentName(value: Json | undefined, section: string): string | undefined {
  const ref = asObject(value).$ref;
  const start = `#/components/${section}/`;
  return typeof ref === 'string' && ref.startsWith(start) ? ref.slice(start.length) : undefined;
}

/**
 * The operations under `paths` in the order of the document. Those under `webhooks` are left out: the receiver
 * implements them.
 * @throws ContractError for an operation without operationId, or for an operationId that is used twice.
 */
export function operationsOf(contract: Contract): ContractOperation[] {
  const found: ContractOperation[] = [];
  for (const [path, item] of entriesOf(contract.paths)) {
    for (const [method, source] of entriesOf(item)) {
      if (!METHODS.includes(method) || !isObject(source)) continue;
      const operationId = asString(source.operationId);
      if (operationId === '') throw new ContractError(`${method.toUpperCase()} ${path} has no operationId.`);
      if (found.some((other) => other.operationId === operationId)) {
        throw new ContractError(`The operationId ${operationId} is used twice.`);
      }
      const own = asArray(source.parameters).map((parameter) => resolve(contract, parameter));
      const shared = asArray(asObject(item).parameters)
        .map((parameter) => resolve(contract, parameter))
        .filter((parameter) => !own.some((other) => other.name === parameter.name && other.in === parameter.in));
      found.push({ operationId, method, path, source, parameters: [...shared, ...own] });
    }
  }
  return found;
}

/** The events that the service sends, as operations. */
export const eventsOf = (contract: Contract): ContractOperation[] =>
  operationsOf({ ...contract, paths: contract.webhooks });

/** The JSON schema of a body or an answer (`content.application/json.schema`), or undefined if there is none. */
export function jsonSchemaOf(contract: Contract, holder: Json | undefined): JsonObject | undefined {
  const schema = asObject(asObject(resolve(contract, holder).content)['application/json']).schema;
  return isObject(schema) ? schema : undefined;
}

/** Keywords whose value is one schema. */
const SCHEMA_KEYWORDS: readonly string[] = [
  'items',
  'additionalProperties',
  'unevaluatedProperties',
  'unevaluatedItems',
  'propertyNames',
  'contains',
  'not',
  'if',
  'then',
  'else',
  'contentSchema',
];
/** Keywords whose value is a list of schemas. */
const SCHEMA_LIST_KEYWORDS: readonly string[] = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
/** Keywords whose value maps names to schemas. */
export const SCHEMA_MAP_KEYWORDS: readonly string[] = ['properties', 'patternProperties', 'dependentSchemas', '$defs'];

/**
 * A copy of a schema in which `change` is applied to every schema, the innermost first. Property names are never taken
 * for keywords, so a property called `title` or `items` stays as it is.
 */
export function mapSchema(schema: Json, change: (node: JsonObject) => JsonObject): Json {
  if (!isObject(schema)) return schema;
  const copy: JsonObject = {};
  for (const [key, value] of entriesOf(schema)) {
    if (SCHEMA_KEYWORDS.includes(key)) copy[key] = mapSchema(value, change);
    else if (SCHEMA_LIST_KEYWORDS.includes(key)) copy[key] = asArray(value).map((part) => mapSchema(part, change));
    else if (SCHEMA_MAP_KEYWORDS.includes(key)) {
      copy[key] = Object.fromEntries(entriesOf(value).map(([name, part]) => [name, mapSchema(part, change)]));
    } else copy[key] = value;
  }
  return change(copy);
}

/** The keys from a value to a place within it. */
export type KeyPath = readonly string[];

/** Every schema inside a schema, itself first, with its place. References are not followed. */
export function* schemasIn(
  schema: Json | undefined,
  place: KeyPath = [],
): Generator<readonly [node: JsonObject, place: KeyPath]> {
  if (!isObject(schema)) return;
  yield [schema, place];
  for (const [key, value] of entriesOf(schema)) {
    if (SCHEMA_KEYWORDS.includes(key)) yield* schemasIn(value, [...place, key]);
    else if (SCHEMA_LIST_KEYWORDS.includes(key) || SCHEMA_MAP_KEYWORDS.includes(key)) {
      for (const [name, part] of Object.entries(value ?? {})) yield* schemasIn(part, [...place, key, name]);
    }
  }
}

/**
 * Every value inside a value, itself first, with its place.
 * @param isLeft whether the value of a key is left out, with everything in it
 */
export function* valuesIn(
  value: Json | undefined,
  isLeft: (key: string, place: KeyPath) => boolean = () => false,
  place: KeyPath = [],
): Generator<readonly [value: Json, place: KeyPath]> {
  if (value === undefined) return;
  yield [value, place];
  if (typeof value !== 'object' || value === null) return;
  for (const [key, part] of Object.entries(value)) {
    if (!isLeft(key, place)) yield* valuesIn(part, isLeft, [...place, key]);
  }
}

/** Whether the value of a key is data, such as an example, and no part of the contract that says something. */
export function isData(key: string, place: KeyPath): boolean {
  if (SCHEMA_MAP_KEYWORDS.includes(place.at(-1) ?? '')) return false;
  return key.startsWith('x-') || ['example', 'examples', 'value', 'default', 'const', 'enum'].includes(key);
}

/** Names of all component schemas that can be reached from `roots`, in alphabetical order. */
export function reachableSchemas(contract: Contract, roots: readonly (Json | undefined)[]): string[] {
  const seen = new Set<string>();
  const left = [...roots];
  for (const root of left) {
    for (const [node] of schemasIn(root)) {
      const name = componentName(node, 'schemas');
      if (name === undefined || seen.has(name)) continue;
      seen.add(name);
      left.push(at(contract, asString(node.$ref)));
    }
  }
  return [...seen].sort();
}

/**
 * The names of the errors that an operation can answer with, in alphabetical order: the examples of all its answers
 * except 200.
 */
export function errorNamesOf(contract: Contract, operation: ContractOperation): string[] {
  const names = new Set<string>();
  for (const [status, answer] of entriesOf(operation.source.responses)) {
    if (status.startsWith('2')) continue;
    const content = asObject(asObject(resolve(contract, answer).content)['application/json']);
    for (const [, example] of entriesOf(content.examples)) {
      const name = componentName(example, 'examples');
      if (name !== undefined) names.add(name);
    }
  }
  return [...names].sort();
}

/** The catalogue's entries in the order of the contract. */
export function catalogueOf(contract: Contract): [string, JsonObject][] {
  return entriesOf(asObject(contract.components).examples)
    .map(([name, example]): [string, JsonObject] => [name, asObject(example)])
    .filter(([, example]) => example['x-http-status'] !== undefined);
}
