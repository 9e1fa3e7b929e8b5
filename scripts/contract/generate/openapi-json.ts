/**
 * The contract as JSON for client generators, served at `/openapi.json`. It states nothing that the authored contract
 * does not state, only less: everything the service accepts or sends is also valid by this document, but for `null` in
 * place of an absent field. Validators are never made from it.
 */
import {
  asArray,
  asObject,
  asString,
  type Contract,
  componentName,
  entriesOf,
  type Json,
  type JsonObject,
  jsonSchemaOf,
  mapSchema,
  operationsOf,
  reachableSchemas,
  resolve,
} from '../read.ts';
import { withoutNull } from './without-null.ts';

/** What generators fail on, and what replaces it in each case. This text becomes part of the document. */
const SIMPLIFICATIONS = [
  '`webhooks` is left out, since a client sends none of them; the schemas of their bodies stay.',
  'Text that has a format or else is empty is text; its format stands in the description of the component.',
  'Where one of several alternatives is any value, only any value is left; the description lists the others. Alternatives that are all objects are an object with any fields, and the description lists them. Alternatives of different types are `oneOf`, which means the same.',
  'What may be text, a number or a boolean is any value.',
  'An optional field of a request does not take `null`, which means that it is absent; in a record of an ingest it does, since there it clears.',
  'An object whose fields have names beyond ASCII, or one of the name `additionalProperties`, is a map; its description lists the fields. So the schema of the variables of a template is a map.',
  'A field that is always `true` or always `false` is a boolean.',
  'What a pattern demands is not told in words (`x-pattern-words`).',
  'Components whose names generators for Go use for something else have another one for them, as `x-go-name` or `x-ogen-name`.',
  'Text in answers and events has no `pattern`: who reads it need not check it, and some generators garble the expression.',
  'An enumeration in answers and events is text, since a later release may add values; the description lists those of now.',
  'Objects in answers and events may have further fields, since a later release may add some.',
] as const;

/** Short, because generators repeat the description at the top of every file. */
const INTRODUCTION =
  'Made from openapi.yaml by `npm run generate`, for generators of clients. The contract itself is served as `/openapi.yaml`, ' +
  'for reading as `/docs`; `x-simplifications` says where it is more exact than this.';

/** The text of generated/openapi.json. */
export function openapiJson(contract: Contract): string {
  return `${JSON.stringify(forGenerators(contract), null, 1)}\n`;
}

/** A copy of the contract from which generators make clients that compile and can read what the service sends. */
export function forGenerators(exact: Contract): Contract {
  const contract = withoutNull(exact);
  const { webhooks, ...rest } = contract;
  const info = asObject(contract.info);
  const components = asObject(contract.components);
  const answers = new Set(answeredSchemas(contract));
  const operations = operationsOf(contract).map(({ operationId }) => operationId);
  const schemas = entriesOf(components.schemas).map(([name, schema]) => [
    name,
    named(
      name,
      operations,
      mapSchema(schema, (node) =>
        answers.has(name) ? received(simplified(contract, node)) : simplified(contract, node),
      ),
    ),
  ]);
  return {
    ...rest,
    info: { ...info, description: `${asString(info.summary)} ${INTRODUCTION}` },
    'x-simplifications': [...SIMPLIFICATIONS],
    components: { ...components, schemas: Object.fromEntries(schemas) },
  };
}

/** Names of the component schemas that answers and events use. */
function answeredSchemas(contract: Contract): string[] {
  const answers = operationsOf(contract).flatMap(({ source }) => Object.values(asObject(source.responses)));
  const events = Object.values(asObject(contract.webhooks)).map((item) => asObject(asObject(item).post).requestBody);
  return reachableSchemas(
    contract,
    [...answers, ...events].map((holder) => jsonSchemaOf(contract, resolve(contract, holder))),
  );
}

/**
 * A component with another name for generators for Go that use its own for something else: oapi-codegen that of the
 * answer of an operation, ogen `Route`.
 */
function named(name: string, operations: readonly string[], schema: Json): Json {
  if (name === 'Route') return { ...asObject(schema), 'x-ogen-name': 'DocumentRoute' };
  const operation = operations.find((id) => name.toLowerCase() === `${id}response`.toLowerCase());
  return operation === undefined ? schema : { ...asObject(schema), 'x-go-name': name.replace(/Response$/, 'Answer') };
}

function simplified(contract: Contract, exact: JsonObject): JsonObject {
  const { 'x-pattern-words': _words, ...node } = exact;
  const { anyOf, ...rest } = node;
  if (anyOf !== undefined) {
    const parts = asArray(anyOf).map(asObject);
    if (parts.some(takesAnything)) return { ...rest, description: listed(rest, recordsOf(parts)) };
    if (parts.some((part) => part.const === '')) {
      const types = new Set(parts.map(({ type }) => asString(type)));
      return { ...rest, type: types.size === 1 ? 'string' : [...types] };
    }
    if (parts.every((part) => resolve(contract, part).type === 'object')) {
      return { ...rest, type: 'object', additionalProperties: true, description: listed(rest, recordsOf(parts)) };
    }
    if (new Set(parts.map(({ type }) => type)).size === parts.length) return { ...rest, oneOf: parts };
  }
  if (Array.isArray(node.type) && node.type.filter((type) => type !== 'null').length > 1) {
    const { type: _several, ...anything } = node;
    return anything;
  }
  if (typeof node.const === 'boolean') {
    const { const: _always, ...boolean } = node;
    return boolean;
  }
  const { properties, required, ...other } = node;
  const fields = entriesOf(properties);
  if (!fields.some(([name]) => name === 'additionalProperties' || /[^\x20-\x7e]/.test(name))) return node;
  return { ...other, additionalProperties: true, description: listed(other, fields.map(fieldOf(asArray(required)))) };
}

/** Whether a schema allows any value. */
function takesAnything(schema: JsonObject): boolean {
  return entriesOf(schema).every(([keyword]) => keyword === 'title' || keyword === 'description');
}

function recordsOf(parts: readonly JsonObject[]): string[] {
  return parts.map((part) => componentName(part, 'schemas')).filter((name) => name !== undefined);
}

function fieldOf(required: readonly Json[]): (field: [string, Json]) => string {
  return ([name, schema]) => {
    const { description, $ref } = asObject(schema);
    const kind = typeof $ref === 'string' ? `, a ${componentName({ $ref }, 'schemas')}` : '';
    return `\`${name}\`${required.includes(name) ? ' (required)' : ''}${kind}: ${asString(description).trim()}`;
  };
}

/** The description of a schema, followed by a list. */
function listed({ description }: JsonObject, lines: readonly string[]): string {
  return [asString(description).trim(), ...lines.map((line) => `- ${line}`)].join('\n');
}

/** The values that the description does not mention yet. */
function untold({ description }: JsonObject, values: readonly Json[]): string[] {
  return values.map((value) => `\`${value}\``).filter((value) => !asString(description).includes(value));
}

/** A schema of data that the service sends: such data need no check, and its objects may gain fields. */
function received({ pattern: _pattern, enum: values, ...node }: JsonObject): JsonObject {
  if (values !== undefined) return { ...node, description: listed(node, untold(node, asArray(values))) };
  return node.additionalProperties === false ? { ...node, additionalProperties: true } : node;
}
