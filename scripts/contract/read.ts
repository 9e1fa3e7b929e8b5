import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { EXIT, Failure } from '../kit/command-line.ts';

/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json | undefined;
}

/** What may stand in a contract where something else may be referred to. Redocly judges the form of all that follows. */
interface ContractNode extends JsonObject {
  $ref?: string;
  description?: string;
  'x-decision'?: string | string[];
  'x-since'?: string;
}

export interface Schema extends ContractNode {
  type?: string | string[];
  format?: string;
  pattern?: string;
  enum?: Json[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  examples?: Json[];
  'x-personal-data'?: string;
  'x-secret'?: boolean;
  'x-pattern-words'?: { demands: string; pattern?: string; refuses: string[] }[];
}

interface Example extends ContractNode {
  summary?: string;
  value?: Json;
}

/** An error of the catalogue: all examples that are components are errors. */
interface ErrorExample extends Example {
  summary: string;
  description: string;
  value: { code: number; message: string; details: { '@type'?: string; reason?: string }[] };
  'x-http-status': number;
  'x-remedy': string;
}

interface Media extends JsonObject {
  schema?: Schema;
  examples?: Record<string, Example>;
}

/** A header; with a name and a place, a parameter. */
interface Header extends ContractNode {
  required?: boolean;
  schema: Schema;
  example?: Json;
  examples?: Record<string, Example>;
}

export interface Parameter extends Header {
  name: string;
  in: string;
}

/** What a request or an answer holds. */
export interface Message extends ContractNode {
  required?: boolean;
  headers?: Record<string, Header>;
  content?: Record<string, Media>;
}

interface OperationSource extends ContractNode {
  operationId: string;
  summary: string;
  tags: string[];
  parameters?: Parameter[];
  requestBody?: Message;
  responses: Record<string, Message>;
  security?: Record<string, string[]>[];
  'x-body-limit-bytes'?: number;
}

/** The operations by their methods. */
type PathItem = Record<string, OperationSource>;

export interface Decision extends JsonObject {
  title: string;
  text: string;
  kind?: string;
  about?: string;
  /** Where it goes beyond or against the source: what the source says and what the contract does, one sentence each. */
  departures?: Departure[];
}

interface Departure extends JsonObject {
  kind: 'beyond' | 'against';
  source: string;
  instead: string;
}

interface Components extends JsonObject {
  schemas: Record<string, Schema>;
  examples: Record<string, ErrorExample>;
  securitySchemes: Record<string, JsonObject>;
  parameters?: Record<string, Parameter>;
  headers?: Record<string, Header>;
  responses?: Record<string, Message>;
}

interface Info extends JsonObject {
  title: string;
  summary: string;
  description: string;
}

/** A whole OpenAPI 3.1 document. */
export interface Contract extends JsonObject {
  info: Info;
  servers?: { url: string; variables?: Record<string, { default: string }> }[];
  tags?: { name: string; description?: string; 'x-displayName'?: string }[];
  paths: Record<string, PathItem>;
  webhooks?: Record<string, PathItem>;
  components: Components;
  'x-tagGroups'?: { name: string; tags: string[] }[];
  'x-decisions'?: Record<string, Decision>;
  'x-unrouted-responses'?: Record<string, Message>;
}

/** An operation. Its own references are replaced by what they refer to. */
export interface ContractOperation {
  readonly operationId: string;
  readonly method: string;
  /** The full path as in the contract, `/developer/v1/employees/{employee_id}`. */
  readonly path: string;
  readonly tag: string;
  readonly source: OperationSource;
  readonly parameters: readonly Parameter[];
  /** Undefined for an operation without a body. */
  readonly request: Message | undefined;
  /** By status. */
  readonly answers: readonly (readonly [status: string, answer: Message])[];
  /** The schema of the body. */
  readonly body: Schema | undefined;
  /** The schema of the answer 200. */
  readonly answer: Schema | undefined;
  /** The names of the errors that it can answer with, in alphabetical order. */
  readonly errors: readonly string[];
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
  if (!String(Object(value).openapi).startsWith('3.1')) {
    throw new ContractError(`${name} has no "openapi: 3.1.x" at its root.`);
  }
  return value as Contract;
}

/** True for a JSON object; false for an array and for null. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The fields of an object as pairs, without those that are undefined; none if there is no object. */
export function entriesOf<T extends Json>(object: Readonly<Record<string, T | undefined>> = {}): [string, T][] {
  return Object.entries(object).filter((entry): entry is [string, T] => entry[1] !== undefined);
}

/** A copy of an object in which each value is changed. */
export const mapped = <T extends Json, R>(
  object: Readonly<Record<string, T | undefined>> | undefined,
  change: (value: T, key: string) => R,
): Record<string, R> => Object.fromEntries(entriesOf(object).map(([key, value]) => [key, change(value, key)]));

/**
 * What `$ref: '#/…'` points at (RFC 6901); references to references are followed.
 * @throws ContractError for a reference that leaves the document, points at nothing, or points back to itself.
 */
export function resolve<T extends ContractNode>(contract: Contract, node: T): T {
  let current = node;
  for (let hops = 0; hops < 20; hops += 1) {
    if (current.$ref === undefined) return current;
    // A reference stands where its target may stand.
    current = at(contract, current.$ref) as T;
  }
  throw new ContractError(`${JSON.stringify(node)} refers to itself.`);
}

function at(contract: Contract, ref: string): Json {
  if (!ref.startsWith('#/')) throw new ContractError(`${ref}: only references into the document itself are allowed.`);
  const keys = ref.slice(2).split('/');
  const target = keys.reduce<Json | undefined>((node, part) => {
    const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
    return Object.hasOwn(Object(node), key) ? (node as JsonObject)[key] : undefined;
  }, contract);
  if (target === undefined)
    throw new ContractError(`${ref} has no target. Add the component or correct the reference.`);
  return target;
}

/**
 * The name of the component that a reference points at: `#/components/schemas/Employee` → `Employee`; otherwise
 * undefined.
 */
export function componentName({ $ref = '' }: ContractNode, section: string): string | undefined {
  const start = `#/components/${section}/`;
  return $ref.startsWith(start) ? $ref.slice(start.length) : undefined;
}

/**
 * The operations under `paths` in the order of the document. Those under `webhooks` are left out: the receiver
 * implements them.
 */
export const operationsOf = (contract: Contract): ContractOperation[] => operationsIn(contract, contract.paths);

/** The events that the service sends, as operations. */
export const eventsOf = (contract: Contract): ContractOperation[] => operationsIn(contract, contract.webhooks);

const operationsIn = (contract: Contract, paths: Contract['webhooks']): ContractOperation[] =>
  entriesOf(paths).flatMap(([path, item]) =>
    entriesOf(item)
      .filter(([method]) => METHODS.includes(method))
      .map(([method, source]) => operationOf(contract, path, method, source)),
  );

function operationOf(contract: Contract, path: string, method: string, source: OperationSource): ContractOperation {
  const request = source.requestBody && resolve(contract, source.requestBody);
  const answers = entriesOf(source.responses).map(([status, answer]) => [status, resolve(contract, answer)] as const);
  const refusals = answers.filter(([status]) => !status.startsWith('2'));
  const errors = refusals.flatMap(([, answer]) =>
    Object.values(jsonOf(answer)?.examples ?? {}).map((example) => componentName(example, 'examples')),
  );
  return {
    operationId: source.operationId,
    method,
    path,
    tag: source.tags?.[0] ?? '',
    source,
    parameters: (source.parameters ?? []).map((parameter) => resolve(contract, parameter)),
    request,
    answers,
    body: jsonOf(request)?.schema,
    answer: jsonOf(answers.find(([status]) => status === '200')?.[1])?.schema,
    errors: [...new Set(errors.filter((name) => name !== undefined))].sort(),
  };
}

/** What a request or an answer holds as JSON. */
export const jsonOf = (message: Message | undefined): Media | undefined => message?.content?.['application/json'];

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
export function mapSchema(schema: Schema, change: (node: Schema) => Schema): Schema {
  const within = (part: Json): Json => (isObject(part) ? mapSchema(part, change) : part);
  const copy = mapped(schema, (value, key) => {
    if (SCHEMA_KEYWORDS.includes(key)) return within(value);
    if (SCHEMA_LIST_KEYWORDS.includes(key) && Array.isArray(value)) return value.map(within);
    return SCHEMA_MAP_KEYWORDS.includes(key) && isObject(value) ? mapped(value, within) : value;
  });
  return change(copy);
}

/** The keys from a value to a place within it. */
export type KeyPath = readonly string[];

/** Every schema inside a schema, itself first, with its place. References are not followed. */
export function* schemasIn(
  schema: Json | undefined,
  place: KeyPath = [],
): Generator<readonly [node: Schema, place: KeyPath]> {
  if (!isObject(schema)) return;
  yield [schema, place];
  for (const [key, value] of entriesOf(schema)) {
    if (SCHEMA_KEYWORDS.includes(key)) yield* schemasIn(value, [...place, key]);
    else if (SCHEMA_LIST_KEYWORDS.includes(key) || SCHEMA_MAP_KEYWORDS.includes(key)) {
      for (const [name, part] of Object.entries(value ?? {})) yield* schemasIn(part, [...place, key, name]);
    }
  }
}

/** A schema of a component: the whole, or a part of it. */
interface FoundSchema {
  readonly component: string;
  readonly node: Schema;
  readonly place: KeyPath;
}

/** Every schema of the components, at any depth. */
export const schemasOf = ({ components: { schemas } }: Contract): FoundSchema[] =>
  entriesOf(schemas).flatMap(([component, schema]) =>
    [...schemasIn(schema, ['components', 'schemas', component])].map(([node, place]) => ({ component, node, place })),
  );

/** Every property of the component schemas, at any depth. */
export const propertiesOf = (contract: Contract) =>
  schemasOf(contract).flatMap(({ component, node, place }) =>
    entriesOf(node.properties).map(([name, property]) => ({
      component,
      node,
      name,
      property,
      place: [...place, 'properties', name],
    })),
  );

/** What may stand anywhere in a contract. */
export interface AnyNode extends ContractNode {
  pattern?: string;
  'x-pattern-words'?: Schema['x-pattern-words'];
  schema?: Schema;
  example?: Json;
  /** In a schema it is a list; of a parameter, a header or a media type they have names. */
  examples?: Json[] | Record<string, Example>;
}

/**
 * Every object inside a value, itself first, with its place.
 * @param isLeft whether the value of a key is left out, with everything in it
 */
export function* nodesIn(
  value: Json | undefined,
  isLeft: (key: string, place: KeyPath) => boolean = () => false,
  place: KeyPath = [],
): Generator<readonly [node: AnyNode, place: KeyPath]> {
  if (isObject(value)) yield [value, place];
  for (const [key, part] of Object.entries(typeof value === 'object' && value !== null ? value : {})) {
    if (!isLeft(key, place)) yield* nodesIn(part, isLeft, [...place, key]);
  }
}

/** A copy of a value in which `change` is applied to everything inside, the innermost first; undefined removes it. */
export const revised = <T extends Json>(value: T, change: (key: string, value: Json) => Json | undefined): T =>
  JSON.parse(JSON.stringify(value), change);

/** Whether the value of a key is data, such as an example, and no part of the contract that says something. */
export function isData(key: string, place: KeyPath): boolean {
  if (SCHEMA_MAP_KEYWORDS.includes(place.at(-1) ?? '')) return false;
  return key.startsWith('x-') || ['example', 'examples', 'value', 'default', 'const', 'enum'].includes(key);
}

/** The references in a value, and in what they refer to. */
export function referencesIn(contract: Contract, root: Json | undefined): Set<string> {
  const found = new Set<string>();
  const walk = (value: Json | undefined): void => {
    for (const [{ $ref }] of nodesIn(value)) {
      if ($ref === undefined || found.has($ref)) continue;
      found.add($ref);
      walk(at(contract, $ref));
    }
  };
  walk(root);
  return found;
}

/** Names of all component schemas that can be reached from `roots`, in alphabetical order. */
export function reachableSchemas(contract: Contract, roots: readonly (Schema | undefined)[]): string[] {
  const names = roots
    .flatMap((root) => [...referencesIn(contract, root)])
    .map(($ref) => componentName({ $ref }, 'schemas'))
    .filter((name) => name !== undefined);
  return [...new Set(names)].sort();
}

/** An error of the catalogue, with what clients decide by. */
export interface CatalogueError {
  readonly name: string;
  readonly status: number;
  /** Canonical gRPC number. */
  readonly code: number;
  readonly message: string;
  /** The textual code; empty if the error has none. */
  readonly reason: string;
  /** The name of the page of the docs that explains it; errors of one textual code have one page. */
  readonly page: string;
  readonly example: ErrorExample;
}

/** The catalogue's entries in the order of the contract. */
export const catalogueOf = (contract: Contract): CatalogueError[] =>
  entriesOf(contract.components.examples).map(([name, example]) => {
    const { code, message, details } = example.value;
    const reason = details[0]?.reason ?? '';
    const page = `error-${reason.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`;
    return { name, status: example['x-http-status'], code, message, reason, page, example };
  });
