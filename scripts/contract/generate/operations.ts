import {
  type Contract,
  ContractError,
  type ContractOperation,
  entriesOf,
  type Json,
  operationsOf,
  type Parameter,
  resolve,
  type Schema,
} from '../read.ts';
import { heading, literal, rowsOf, union } from './literal.ts';

/** Every path of the interface starts with this. */
export const PREFIX = '/developer/v1';
const DEFAULT_BODY_LIMIT_BYTES = 1_048_576;

/**
 * The text of generated/operations.ts: one row per operation, for code that serves or calls operations in a general
 * way, without knowing each of them.
 */
export function operationsModule(contract: Contract): string {
  const operations = operationsOf(contract);
  const rows = operations.map((operation) => [operation.operationId, row(contract, operation)] as const);
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
${rowsOf(rows)}
};
`;
}

/**
 * The scope that an operation requires, or null. @throws ContractError if it requires more than one or says nothing
 * about scopes.
 */
function scopeOf({ operationId, source }: ContractOperation): string | null {
  const [scopes, ...others] = (source.security ?? []).map(({ ApiKey }) => ApiKey);
  if (scopes === undefined || scopes.length > 1 || others.length > 0) {
    throw new ContractError(
      `${operationId}: "security" must be [{ApiKey: ['scope']}], or [{ApiKey: []}] where no scope is needed.`,
    );
  }
  return scopes[0] ?? null;
}

function scopesOf(operations: readonly ContractOperation[]): string[] {
  const scopes = operations.map(scopeOf).filter((scope) => scope !== null);
  return [...new Set(scopes)].sort();
}

function row(contract: Contract, operation: ContractOperation): Json {
  const { operationId, method, path, tag, source, request, errors } = operation;
  if (!path.startsWith(`${PREFIX}/`)) throw new ContractError(`${operationId}: the path must begin with ${PREFIX}/.`);
  const { body = {} } = operation;
  const { properties } = resolve(contract, body);
  return {
    operationId,
    method,
    path,
    route: path.slice(PREFIX.length).replaceAll(/\{([^}]+)\}/g, ':$1'),
    tag,
    since: source['x-since'],
    scope: scopeOf(operation),
    idempotency: idempotencyOf(operation),
    body: request === undefined ? 'none' : request.required === true ? 'required' : 'optional',
    bodyLimitBytes: source['x-body-limit-bytes'] ?? DEFAULT_BODY_LIMIT_BYTES,
    bodyFields: bodyFieldsOf(contract, body),
    openFields: entriesOf(properties)
      .filter(([, property]) => resolve(contract, property).additionalProperties === true)
      .map(([name]) => name),
    bodyIds: bodyPathsOf(contract, body, isId),
    bodyOptionals: bodyPathsOf(contract, body, isOptional),
    parameters: operation.parameters.map((parameter) => parameterRow(contract, operationId, parameter)),
    errors: [...errors],
  };
}

/** Whether an operation takes an Idempotency-Key; null: no. */
export function idempotencyOf({ parameters }: ContractOperation): 'required' | 'optional' | null {
  const header = parameters.find(({ in: place, name }) => place === 'header' && name === 'Idempotency-Key');
  if (header === undefined) return null;
  return header.required === true ? 'required' : 'optional';
}

const partsOf = ({ allOf = [], anyOf = [], oneOf = [] }: Schema): Schema[] => [...allOf, ...anyOf, ...oneOf];

/**
 * Every field name in the schema of the body. The records of an ingest are left out: unknown fields are no error there.
 */
function bodyFieldsOf(contract: Contract, body: Schema): string[] {
  const names = new Set<string>();
  const seen = new Set<Schema>();
  const visit = (part: Schema): void => {
    const schema = resolve(contract, part);
    if (seen.has(schema) || schema.additionalProperties === true) return;
    seen.add(schema);
    for (const [name, property] of entriesOf(schema.properties)) {
      names.add(name);
      visit(property);
    }
    for (const each of partsOf(schema)) visit(each);
    if (schema.items) visit(schema.items);
  };
  visit(body);
  return [...names].sort();
}

/** Whether a schema, or one of its alternatives, is of an id. */
const isId = ({ format }: Schema): boolean => format === 'uuid';
/** Whether a field can be absent; what open objects hold has rules of its own. */
const isOptional = (_schema: Schema, name: string | undefined, holder: Schema): boolean =>
  name !== undefined && holder.additionalProperties === false && !holder.required?.includes(name);

/**
 * The paths in a body to what is wanted.
 * @param isWanted is asked about each schema; gets the name of its field, if it is one, and the object around it
 */
function bodyPathsOf(
  contract: Contract,
  body: Schema,
  isWanted: (schema: Schema, name: string | undefined, holder: Schema) => boolean,
): string[][] {
  const found = new Map<string, string[]>();
  const visit = (part: Schema, path: readonly string[], within: readonly Schema[], name?: string): void => {
    const schema = resolve(contract, part);
    if (within.includes(schema)) return;
    if (isWanted(schema, name, within.at(-1) ?? {})) found.set(path.join('.'), [...path]);
    const inside = [...within, schema];
    for (const each of partsOf(schema)) visit(each, path, inside);
    for (const [field, property] of entriesOf(schema.properties)) visit(property, [...path, field], inside, field);
    if (schema.items) visit(schema.items, [...path, '*'], inside);
  };
  visit(body, [], []);
  return [...found.values()];
}

function parameterRow(contract: Contract, operationId: string, parameter: Parameter): Json {
  const { name, in: place, required = false } = parameter;
  const schema = resolve(contract, parameter.schema);
  const { type: kind } = resolve(contract, schema.items ?? schema);
  if (typeof kind !== 'string' || !['string', 'integer', 'boolean'].includes(kind)) {
    throw new ContractError(
      `${operationId}: the parameter ${name} needs a schema whose type is string, integer or boolean, or an array of one of these.`,
    );
  }
  return {
    name,
    in: place,
    kind,
    repeated: schema.items !== undefined,
    required,
    isId: /^(?:.+_)?id$/.test(name),
    default: schema.default,
  };
}

/**
 * The names of the parameters in one place (path, query, header) that have a default. They are always present once a
 * request has been read.
 */
export const defaultedParameters = (contract: Contract, { parameters }: ContractOperation, place: string): string[] =>
  parameters
    .filter((parameter) => parameter.in === place && resolve(contract, parameter.schema).default !== undefined)
    .map(({ name }) => name);

/** True if the operation has a parameter in that place. */
export const hasParameters = ({ parameters }: ContractOperation, place: string): boolean =>
  parameters.some((parameter) => parameter.in === place);
