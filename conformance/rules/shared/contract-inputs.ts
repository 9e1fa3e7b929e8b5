/**
 * What the contract says of inputs, rows and lists, in one reading: families make their rules and faults from it. Values
 * that fit a schema or break it are in input-values.ts.
 */
import { type Operation, type OperationId, operations } from '../../../generated/contract.ts';
import contract from '../../../generated/schemas.json' with { type: 'json' };

export type JsonType = 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array';

/** A schema with its references followed and its alternatives joined: limits of each type count for that type only. */
export interface InputSchema {
  /** The JSON types of its values, `null` left out; an integer is no number here unless both are named. */
  readonly types: readonly JsonType[];
  /** Whether `null` is taken: it counts as absent (D-6a). */
  readonly isNullable: boolean;
  /** Whether `""` counts as absent, although the format or the enumeration does not have it. */
  readonly takesEmpty: boolean;
  readonly format?: string;
  /** The values of an enumeration, in our spelling. */
  readonly values?: readonly string[];
  /** The numbers and booleans of an enumeration. */
  readonly choices?: readonly unknown[];
  readonly pattern?: string;
  /** Texts that break the pattern, one for each thing that it demands. */
  readonly refused: readonly string[];
  readonly minLength?: number;
  /** In code points. */
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly isUnique: boolean;
  readonly items?: InputSchema;
  readonly fields: readonly SchemaField[];
  /** The objects that a value may be, where it may be one of several, or anything else too; then it has no fields. */
  readonly shapes: readonly InputSchema[];
  /** Whether an object may have fields that are not declared. */
  readonly isOpen: boolean;
  readonly default?: unknown;
  readonly example?: unknown;
}

export interface SchemaField {
  readonly name: string;
  readonly required: boolean;
  readonly schema: InputSchema;
}

/** A field at any depth of a body. */
export interface BodyField extends SchemaField {
  /** Such as `steps[].participants[].employee_id`. */
  readonly path: string;
}

export interface InputParameter {
  readonly name: string;
  readonly place: 'path' | 'query' | 'header';
  readonly required: boolean;
  /** Whether it may stand in a query several times; then `schema` is that of each value. */
  readonly repeated: boolean;
  /** How many values it may have. */
  readonly maxItems?: number;
  /** Whether an empty value counts as absent. */
  readonly takesEmpty: boolean;
  readonly schema: InputSchema;
}

/** What an operation takes. */
export interface OperationInputs {
  readonly operation: Operation;
  readonly parameters: readonly InputParameter[];
  readonly body?: InputSchema;
  /** Every field of the body, each after its holder. */
  readonly fields: readonly BodyField[];
}

/** An operation that lists rows. */
export interface ContractList {
  readonly operationId: OperationId;
  /** The property of the answer that holds the rows. */
  readonly rows: string;
  readonly row: InputSchema;
  /** Whether it has pages: a limit and a page token. */
  readonly isPaged: boolean;
  /** Its query parameters without the limit and the page token. */
  readonly filters: readonly InputParameter[];
  /** The operation that reads a single row. */
  readonly single?: OperationId;
  /** The property of that operation's answer that holds the row. */
  readonly singleRow?: string;
}

interface RawSchema {
  $ref?: string;
  type?: string | string[];
  anyOf?: RawSchema[];
  oneOf?: RawSchema[];
  allOf?: RawSchema[];
  enum?: unknown[];
  const?: unknown;
  required?: string[];
  properties?: Record<string, RawSchema>;
  additionalProperties?: unknown;
  items?: RawSchema;
  uniqueItems?: boolean;
  examples?: unknown[];
  'x-pattern-words'?: { refuses?: string[] }[];
  [keyword: string]: unknown;
}

interface RawParameter {
  name: string;
  in: InputParameter['place'];
  required: boolean;
  allowEmptyValue: boolean;
  schema: RawSchema;
}

interface RawContract {
  operations: Record<string, { parameters: RawParameter[]; body?: RawSchema; answer?: RawSchema }>;
  schemas: Record<string, RawSchema>;
}

const raw = contract as unknown as RawContract;

const TYPES: readonly JsonType[] = ['string', 'integer', 'number', 'boolean', 'object', 'array'];
const LIMITS = ['format', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems', 'default'];
const DEEPEST = 8;

const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);

/** A schema without reference: that of the component, with what stands beside the reference. */
function followed({ $ref, ...own }: RawSchema): RawSchema {
  return $ref === undefined ? own : { ...followed(raw.schemas[nameOf($ref)] ?? {}), ...own };
}

/** The alternatives of a schema; one if it has none. */
function alternativesOf(schema: RawSchema): RawSchema[] {
  const { anyOf, oneOf, allOf = [], ...own } = followed(schema);
  const whole: RawSchema = Object.assign({}, own, ...allOf.map(followed));
  const parts = anyOf ?? oneOf;
  return parts === undefined ? [whole] : parts.flatMap(alternativesOf).map((part) => ({ ...whole, ...part }));
}

const isOpenSchema = ({ additionalProperties }: RawSchema): boolean =>
  additionalProperties !== false && additionalProperties !== undefined;

/** What a schema says of values. @param depth how many schemas it stands in: one that holds itself is cut */
export function schemaFrom(schema: RawSchema, depth = 0): InputSchema {
  const found = alternativesOf(schema);
  const isAnything = found.some(({ type, enum: values, const: only }) => !type && !values && only === undefined);
  const typesOf = ({ type = [] }: RawSchema) => [type].flat();
  const named = found.flatMap(typesOf);
  const constants = found.flatMap(({ enum: values, const: only }) => values ?? (only === undefined ? [] : [only]));
  const values = constants.filter((value) => typeof value === 'string' && value !== '') as string[];
  const choices = constants.filter((value) => typeof value === 'number' || typeof value === 'boolean');
  const objects = found.filter((one) => typesOf(one).includes('object'));
  const isOne = objects.length === 1 && !isAnything;
  const [whole = {}] = isOne ? objects : [];
  const item = isAnything || depth > DEEPEST ? undefined : found.find(({ items }) => items !== undefined)?.items;
  const fields = depth > DEEPEST ? [] : Object.entries(whole.properties ?? {});
  const limits = found.flatMap((one) => Object.entries(one).filter(([keyword]) => LIMITS.includes(keyword)));
  return {
    ...Object.fromEntries(limits),
    types: isAnything ? TYPES : TYPES.filter((type) => named.includes(type)),
    isNullable: isAnything || named.includes('null') || constants.includes(null),
    takesEmpty: constants.includes(''),
    values: values.length > 0 ? values : undefined,
    choices: choices.length > 0 ? choices : undefined,
    refused: found.flatMap((one) => one['x-pattern-words'] ?? []).flatMap(({ refuses = [] }) => refuses),
    isUnique: found.some(({ uniqueItems }) => uniqueItems === true),
    items: item && schemaFrom(item, depth + 1),
    fields: fields.map(([name, field]) => ({
      name,
      required: whole.required?.includes(name) === true,
      schema: schemaFrom(field, depth + 1),
    })),
    shapes: isOne || depth > DEEPEST ? [] : objects.map((shape) => schemaFrom(shape, depth + 1)),
    isOpen: isAnything || objects.length > 1 || isOpenSchema(whole),
    example: found.flatMap(({ examples = [] }) => examples)[0],
  };
}

/** The schema of a component, such as that of a record of ingest. */
export const componentSchema = (name: string): InputSchema => schemaFrom({ $ref: name });

/** Every field below a schema, each after its holder. @param at the path of the schema, `''` for a whole body */
export function fieldsBelow(schema: InputSchema, at = ''): BodyField[] {
  const own = schema.fields.flatMap((field): BodyField[] => {
    const path = at === '' ? field.name : `${at}.${field.name}`;
    return [{ ...field, path }, ...fieldsBelow(field.schema, path)];
  });
  return schema.items === undefined ? own : [...own, ...fieldsBelow(schema.items, `${at}[]`)];
}

function parameterFrom({ name, in: place, required, allowEmptyValue, schema }: RawParameter): InputParameter {
  const whole = schemaFrom(schema);
  const one = whole.items ?? whole;
  const { maxItems } = whole;
  return { name, place, required, repeated: one !== whole, maxItems, takesEmpty: allowEmptyValue, schema: one };
}

function inputsFrom(operation: Operation): OperationInputs {
  const { parameters, body } = raw.operations[operation.operationId] ?? { parameters: [] };
  const schema = body && schemaFrom(body);
  return {
    operation,
    parameters: parameters.map(parameterFrom),
    body: schema,
    fields: schema ? fieldsBelow(schema) : [],
  };
}

/** Every operation with what it takes, in the order of the contract. */
export const contractInputs: readonly OperationInputs[] = Object.values(operations).map(inputsFrom);

/** What one operation takes. */
export function inputsOf(operationId: OperationId): OperationInputs {
  const found = contractInputs.find(({ operation }) => operation.operationId === operationId);
  if (found === undefined) throw new Error(`the contract has no ${operationId}`);
  return found;
}

/** The schema of an operation's successful answer. */
export const answerOf = (operationId: OperationId): InputSchema =>
  schemaFrom(raw.operations[operationId]?.answer ?? {});

const PAGING = ['limit', 'page_token'];

function singleOf({ path }: Operation, row: InputSchema): Pick<ContractList, 'single' | 'singleRow'> {
  const below = Object.values(operations).find(
    (other) => other.method === 'get' && other.path.startsWith(`${path}/{`) && other.path.endsWith('}'),
  );
  if (below === undefined) return {};
  const names = ({ fields }: InputSchema) => fields.map(({ name }) => name).join();
  const held = answerOf(below.operationId).fields.find(({ schema }) => names(schema) === names(row));
  return { single: held && below.operationId, singleRow: held?.name };
}

/** Every operation that lists rows, in the order of the contract. */
export const contractLists: readonly ContractList[] = contractInputs.flatMap(({ operation, parameters }) => {
  const { fields } = answerOf(operation.operationId);
  const held = fields.find(({ schema }) => schema.types.includes('array') && schema.items !== undefined);
  if (operation.method !== 'get' || held?.schema.items === undefined) return [];
  return [
    {
      operationId: operation.operationId,
      rows: held.name,
      row: held.schema.items,
      isPaged: PAGING.every((paging) => parameters.some(({ name }) => name === paging)),
      filters: parameters.filter(({ name, place }) => place === 'query' && !PAGING.includes(name)),
      ...singleOf(operation, held.schema.items),
    },
  ];
});
