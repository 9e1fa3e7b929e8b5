import {
  asArray,
  asObject,
  asString,
  type Contract,
  ContractError,
  type ContractOperation,
  entriesOf,
  errorNamesOf,
  isObject,
  type Json,
  type JsonObject,
  jsonSchemaOf,
  operationsOf,
  resolve,
} from '../read.ts';
import { heading, literal, union } from './literal.ts';

/** Every path of the interface starts with this. */
export const PREFIX = '/developer/v1';
const DEFAULT_BODY_LIMIT_BYTES = 1_048_576;

/**
 * The text of generated/operations.ts: one row per operation, for code that serves or calls operations in a general
 * way, without knowing each of them.
 */
export function operationsModule(contract: Contract): string {
  const operations = operationsOf(contract);
  const rows = operations.map((operation) => `  ${operation.operationId}: ${literal(row(contract, operation), 1)},`);
  return `${heading('the table of operations')}
import type { ErrorName } from './errors.ts';

/** Every path of the interface begins with this. */
export const prefix = ${literal(PREFIX)};

export type OperationId = ${union(operations.map((operation) => operation.operationId))};

/** What operations require of a key. */
export const scopes = ${literal(scopesOf(operations))} as const;
export type Scope = (typeof scopes)[number];

export interface Parameter {
  /** As in the contract; a header's own spelling, whatever case it is sent in. */
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  /** Type of the value, or of each value where it may be repeated. */
  readonly kind: 'string' | 'integer' | 'boolean';
  readonly repeated: boolean;
  readonly required: boolean;
  /** Whether it is an id: upper case means the same as lower case (D-14). */
  readonly isId: boolean;
  /** What an absent parameter stands for. */
  readonly default?: string | number | boolean;
}

export interface Operation {
  readonly operationId: OperationId;
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** Full path with {parameters}, as in the contract. */
  readonly path: string;
  /** Express' path below the prefix. */
  readonly route: string;
  readonly tag: string;
  /** Release in which the operation came. */
  readonly since: string;
  /** null: any accepted key will do. */
  readonly scope: Scope | null;
  /** Whether an Idempotency-Key is taken; null: the header is ignored. */
  readonly idempotency: 'required' | 'optional' | null;
  /** 'optional': no body counts as \`{}\`. */
  readonly body: 'none' | 'optional' | 'required';
  readonly bodyLimitBytes: number;
  /** Names of the fields that a body may have, at any depth. */
  readonly bodyFields: readonly string[];
  /** Fields of a body that take an object with any members. Its numbers must be exact (D-17). */
  readonly openFields: readonly string[];
  /**
   * Where a body may have ids: upper case means the same as lower case (D-14). Each path is a list of field names, with \`*\` for every item
   * of an array.
   */
  readonly bodyIds: readonly (readonly string[])[];
  /** Where a body may have \`null\` for a field that is absent (D-6a), as paths of the same form. */
  readonly bodyOptionals: readonly (readonly string[])[];
  readonly parameters: readonly Parameter[];
  /** Everything but success that the operation may answer. */
  readonly errors: readonly ErrorName[];
}

export const operations: Readonly<Record<OperationId, Operation>> = {
${rows.join('\n')}
};
`;
}

/**
 * The scope that an operation requires, or null. @throws ContractError if it requires more than one or says nothing
 * about scopes.
 */
function scopeOf(operation: ContractOperation): string | null {
  const security = asArray(operation.source.security);
  const first = asObject(security[0]).ApiKey;
  if (security.length !== 1 || !Array.isArray(first) || first.length > 1) {
    throw new ContractError(
      `${operation.operationId}: "security" must be [{ApiKey: ['scope']}], or [{ApiKey: []}] where no scope is needed.`,
    );
  }
  return first.length === 0 ? null : asString(first[0]);
}

function scopesOf(operations: readonly ContractOperation[]): string[] {
  const scopes = operations.map(scopeOf).filter((scope) => scope !== null);
  return [...new Set(scopes)].sort();
}

function row(contract: Contract, operation: ContractOperation): Json {
  const { operationId, method, path, source } = operation;
  if (!path.startsWith(`${PREFIX}/`)) throw new ContractError(`${operationId}: the path must begin with ${PREFIX}/.`);
  return {
    operationId,
    method,
    path,
    route: path.slice(PREFIX.length).replaceAll(/\{([^}]+)\}/g, ':$1'),
    tag: asString(asArray(source.tags)[0]),
    since: asString(source['x-since']),
    scope: scopeOf(operation),
    idempotency: idempotencyOf(operation),
    body: bodyOf(contract, operation),
    bodyLimitBytes:
      typeof source['x-body-limit-bytes'] === 'number' ? source['x-body-limit-bytes'] : DEFAULT_BODY_LIMIT_BYTES,
    bodyFields: bodyFieldsOf(contract, operation),
    openFields: openFieldsOf(contract, operation),
    bodyIds: bodyPathsOf(contract, operation, isId),
    bodyOptionals: bodyPathsOf(contract, operation, isOptional),
    parameters: operation.parameters
      .filter((parameter) => ['path', 'query', 'header'].includes(asString(parameter.in)))
      .map((parameter) => parameterRow(contract, operationId, parameter)),
    errors: errorNamesOf(contract, operation),
  };
}

/** Whether an operation takes an Idempotency-Key; null: no. */
export function idempotencyOf(operation: ContractOperation): 'required' | 'optional' | null {
  const header = operation.parameters.find(
    (parameter) => parameter.in === 'header' && asString(parameter.name).toLowerCase() === 'idempotency-key',
  );
  if (header === undefined) return null;
  return header.required === true ? 'required' : 'optional';
}

function bodyOf(contract: Contract, operation: ContractOperation): Json {
  if (operation.source.requestBody === undefined) return 'none';
  return resolve(contract, operation.source.requestBody).required === true ? 'required' : 'optional';
}

/**
 * Every field name in the schema of the body. The records of an ingest are left out: unknown fields are no error there.
 */
function bodyFieldsOf(contract: Contract, operation: ContractOperation): string[] {
  if (operation.source.requestBody === undefined) return [];
  const content = asObject(resolve(contract, operation.source.requestBody).content);
  const names = new Set<string>();
  const seen = new Set<JsonObject>();
  const visit = (value: Json | undefined): void => {
    if (!isObject(value)) return;
    const schema = resolve(contract, value);
    if (seen.has(schema) || schema.additionalProperties === true) return;
    seen.add(schema);
    for (const [name, property] of entriesOf(schema.properties)) {
      names.add(name);
      visit(property);
    }
    for (const part of ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => asArray(schema[keyword]))) visit(part);
    visit(schema.items);
  };
  for (const [, media] of entriesOf(content)) visit(asObject(media).schema);
  return [...names].sort();
}

/** The names of the body's own fields whose schema admits any member. */
function openFieldsOf(contract: Contract, operation: ContractOperation): string[] {
  if (operation.source.requestBody === undefined) return [];
  const { properties } = resolve(contract, jsonSchemaOf(contract, operation.source.requestBody));
  return entriesOf(properties)
    .filter(([, property]) => resolve(contract, property).additionalProperties === true)
    .map(([name]) => name);
}

/** Whether a schema, or one of its alternatives, is of an id. */
const isId = ({ format }: JsonObject): boolean => format === 'uuid';
/** Whether a field can be absent; what open objects hold has rules of its own. */
const isOptional = (_schema: JsonObject, name: string | undefined, holder: JsonObject): boolean =>
  name !== undefined && holder.additionalProperties === false && !asArray(holder.required).includes(name);

/**
 * The paths in a body to what is wanted.
 * @param isWanted is asked about each schema; gets the name of its field, if it is one, and the object around it
 */
function bodyPathsOf(
  contract: Contract,
  operation: ContractOperation,
  isWanted: (schema: JsonObject, name: string | undefined, holder: JsonObject) => boolean,
): string[][] {
  const found = new Map<string, string[]>();
  const visit = (
    value: Json | undefined,
    path: readonly string[],
    within: readonly JsonObject[],
    name?: string,
  ): void => {
    const schema = resolve(contract, value);
    if (within.includes(schema)) return;
    if (isWanted(schema, name, within.at(-1) ?? {})) found.set(path.join('.'), [...path]);
    const inside = [...within, schema];
    for (const part of ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => asArray(schema[keyword]))) {
      visit(part, path, inside);
    }
    for (const [field, property] of entriesOf(schema.properties)) visit(property, [...path, field], inside, field);
    if (isObject(schema.items)) visit(schema.items, [...path, '*'], inside);
  };
  if (operation.source.requestBody !== undefined) visit(jsonSchemaOf(contract, operation.source.requestBody), [], []);
  return [...found.values()];
}

function parameterRow(contract: Contract, operationId: string, parameter: JsonObject): Json {
  const schema = resolve(contract, parameter.schema);
  const repeated = schema.type === 'array';
  const value = repeated ? resolve(contract, schema.items) : schema;
  const kind = asString(value.type);
  if (!['string', 'integer', 'boolean'].includes(kind)) {
    throw new ContractError(
      `${operationId}: the parameter ${asString(parameter.name)} needs a schema whose type is string, integer or boolean, or an array of one of these.`,
    );
  }
  const found: JsonObject = {
    name: parameter.name,
    in: parameter.in,
    kind,
    repeated,
    required: parameter.required === true,
    isId: /^(?:.+_)?id$/.test(asString(parameter.name)),
  };
  if (isScalar(schema.default)) found.default = schema.default;
  return found;
}

function isScalar(value: Json | undefined): boolean {
  return value !== undefined && value !== null && !isObject(value) && !Array.isArray(value);
}

/**
 * The names of the parameters in one place (path, query, header) that have a default. They are always present once a
 * request has been read.
 */
export function defaultedParameters(contract: Contract, operation: ContractOperation, place: string): string[] {
  return operation.parameters
    .filter((parameter) => parameter.in === place && isScalar(resolve(contract, parameter.schema).default))
    .map((parameter) => asString(parameter.name));
}

/** True if the operation has a parameter in that place. */
export function hasParameters(operation: ContractOperation, place: string): boolean {
  return operation.parameters.some((parameter) => parameter.in === place);
}
