/** The row of an operation in the table of the contract. */
import {
  type Contract,
  ContractError,
  type ContractOperation,
  entriesOf,
  type Json,
  type Parameter,
  resolve,
  type Schema,
} from '../read.ts';

/** Every path of the interface starts with this. */
export const PREFIX = '/developer/v1';
/** Of an operation that states none. */
export const DEFAULT_BODY_LIMIT_BYTES = 1_048_576;

/** @throws ContractError for an operation that the service cannot serve in a general way */
export function operationRow(contract: Contract, operation: ContractOperation): Json {
  const { operationId, method, path, tag, source, request, errors, body = {} } = operation;
  if (!path.startsWith(`${PREFIX}/`)) throw new ContractError(`${operationId}: the path must begin with ${PREFIX}/.`);
  const parts = partsIn(contract, body);
  const { properties } = resolve(contract, body);
  const isOpen = (schema: Schema) => resolve(contract, schema).additionalProperties === true;
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
    // The records of an ingest are left out: unknown fields are no error there.
    bodyFields: [...new Set(parts.flatMap(({ name, within }) => (name && !within.some(isOpen) ? name : [])))].sort(),
    openFields: entriesOf(properties)
      .filter(([, property]) => isOpen(property))
      .map(([name]) => name),
    bodyIds: pathsOf(parts.filter(({ schema }) => schema.format === 'uuid')),
    bodyOptionals: pathsOf(parts.filter(isOptional)),
    parameters: operation.parameters.map((parameter) => parameterRow(contract, operationId, parameter)),
    errors: [...errors],
  };
}

/**
 * The scope that an operation requires, or null. @throws ContractError if it requires more than one or says nothing
 * about scopes.
 */
export function scopeOf({ operationId, source }: ContractOperation): string | null {
  const [scopes, ...others] = (source.security ?? []).map(({ ApiKey }) => ApiKey);
  if (scopes === undefined || scopes.length > 1 || others.length > 0) {
    throw new ContractError(
      `${operationId}: "security" must be [{ApiKey: ['scope']}], or [{ApiKey: []}] where no scope is needed.`,
    );
  }
  return scopes[0] ?? null;
}

/** Whether an operation takes an Idempotency-Key; null: no. */
export function idempotencyOf({ parameters }: ContractOperation): 'required' | 'optional' | null {
  const header = parameters.find(({ in: place, name }) => place === 'header' && name === 'Idempotency-Key');
  if (header === undefined) return null;
  return header.required === true ? 'required' : 'optional';
}

/** A schema in a body, without reference. */
interface BodyPart {
  readonly schema: Schema;
  /** Names of fields, with `*` for every item of an array. */
  readonly path: readonly string[];
  /** Of the field, if it is one. */
  readonly name: string | undefined;
  /** The schemas around it, the outermost first. */
  readonly within: readonly Schema[];
}

/** The schemas in a body, at any depth; one that contains itself is followed once. */
function partsIn(
  contract: Contract,
  part: Schema,
  path: readonly string[] = [],
  within: readonly Schema[] = [],
  name?: string,
): BodyPart[] {
  const schema = resolve(contract, part);
  if (within.includes(schema)) return [];
  const { allOf = [], anyOf = [], oneOf = [], items, properties } = schema;
  const inside = [...within, schema];
  return [
    { schema, path, name, within },
    ...[...allOf, ...anyOf, ...oneOf].flatMap((each) => partsIn(contract, each, path, inside)),
    ...entriesOf(properties).flatMap(([field, each]) => partsIn(contract, each, [...path, field], inside, field)),
    ...(items ? partsIn(contract, items, [...path, '*'], inside) : []),
  ];
}

/** Whether a field can be absent; what open objects hold has rules of its own. */
function isOptional({ name, within }: BodyPart): boolean {
  const { additionalProperties, required } = within.at(-1) ?? {};
  return name !== undefined && additionalProperties === false && !required?.includes(name);
}

/** The paths of parts, each once. */
const pathsOf = (parts: readonly BodyPart[]): string[][] =>
  Array.from(new Map(parts.map(({ path }) => [path.join('.'), [...path]])).values());

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
