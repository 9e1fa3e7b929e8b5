/**
 * The contract as JSON for client generators, served at `/openapi.json`. It states nothing that the authored contract
 * does not state, only less: everything the service accepts or sends is also valid by this document, but for `null` in
 * place of an absent field. Validators are never made from it.
 */
import {
  type Contract,
  componentName,
  entriesOf,
  eventsOf,
  jsonOf,
  mapped,
  mapSchema,
  operationsOf,
  reachableSchemas,
  resolve,
  type Schema,
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
  const { info, components } = contract;
  const answers = answeredSchemas(contract);
  const operations = operationsOf(contract).map(({ operationId }) => operationId);
  const schemas = mapped(components.schemas, (schema, name) => {
    const change = (node: Schema) =>
      answers.includes(name) ? received(simplified(contract, node)) : simplified(contract, node);
    return named(name, operations, mapSchema(schema, change));
  });
  return {
    ...rest,
    info: { ...info, description: `${info.summary} ${INTRODUCTION}` },
    'x-simplifications': [...SIMPLIFICATIONS],
    components: { ...components, schemas },
  };
}

/** Names of the component schemas that answers and events use. */
function answeredSchemas(contract: Contract): string[] {
  const answers = operationsOf(contract).flatMap((operation) =>
    operation.answers.map(([, answer]) => jsonOf(answer)?.schema),
  );
  return reachableSchemas(contract, [...answers, ...eventsOf(contract).map(({ body }) => body)]);
}

/**
 * A component with another name for generators for Go that use its own for something else: oapi-codegen that of the
 * answer of an operation, ogen `Route`.
 */
function named(name: string, operations: readonly string[], schema: Schema): Schema {
  if (name === 'Route') return { ...schema, 'x-ogen-name': 'DocumentRoute' };
  const operation = operations.find((id) => name.toLowerCase() === `${id}response`.toLowerCase());
  return operation === undefined ? schema : { ...schema, 'x-go-name': name.replace(/Response$/, 'Answer') };
}

function simplified(contract: Contract, exact: Schema): Schema {
  const { 'x-pattern-words': _words, ...node } = exact;
  const { anyOf: parts, ...rest } = node;
  if (parts !== undefined) {
    if (parts.some(takesAnything)) return { ...rest, description: listed(rest, recordsOf(parts)) };
    const types = [...new Set(parts.flatMap(({ type = '' }) => type))];
    if (parts.some((part) => part.const === '')) return { ...rest, type: types.length === 1 ? 'string' : types };
    if (parts.every((part) => resolve(contract, part).type === 'object')) {
      return { ...rest, type: 'object', additionalProperties: true, description: listed(rest, recordsOf(parts)) };
    }
    if (types.length === parts.length) return { ...rest, oneOf: parts };
  }
  if (Array.isArray(node.type) && node.type.filter((type) => type !== 'null').length > 1) {
    const { type: _several, ...anything } = node;
    return anything;
  }
  if (typeof node.const === 'boolean') {
    const { const: _always, ...boolean } = node;
    return boolean;
  }
  const { properties, required = [], ...other } = node;
  const fields = entriesOf(properties);
  if (!fields.some(([name]) => name === 'additionalProperties' || /[^\x20-\x7e]/.test(name))) return node;
  return { ...other, additionalProperties: true, description: listed(other, fields.map(fieldOf(required))) };
}

/** Whether a schema allows any value. */
const takesAnything = (schema: Schema): boolean =>
  Object.keys(schema).every((keyword) => keyword === 'title' || keyword === 'description');

const recordsOf = (parts: readonly Schema[]): string[] =>
  parts.map((part) => componentName(part, 'schemas')).filter((name) => name !== undefined);

function fieldOf(required: readonly string[]): (field: [string, Schema]) => string {
  return ([name, schema]) => {
    const component = componentName(schema, 'schemas');
    const kind = component === undefined ? '' : `, a ${component}`;
    return `\`${name}\`${required.includes(name) ? ' (required)' : ''}${kind}: ${told(schema)}`;
  };
}

const told = ({ description = '' }: Schema): string => description.trim();

/** The description of a schema, followed by a list. */
const listed = (schema: Schema, lines: readonly string[]): string =>
  [told(schema), ...lines.map((line) => `- ${line}`)].join('\n');

/** A schema of data that the service sends: such data need no check, and its objects may gain fields. */
function received({ pattern: _pattern, enum: values, ...node }: Schema): Schema {
  if (values !== undefined) {
    const names = values.map((value) => `\`${value}\``);
    return {
      ...node,
      description: listed(
        node,
        names.filter((name) => !told(node).includes(name)),
      ),
    };
  }
  return node.additionalProperties === false ? { ...node, additionalProperties: true } : node;
}
