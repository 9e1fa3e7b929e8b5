import { _, Ajv2020, type KeywordCxt, type Options } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import {
  type Contract,
  ContractError,
  type ContractOperation,
  componentName,
  entriesOf,
  type KeyPath,
  mapSchema,
  operationsOf,
  type Parameter,
  resolve,
  SCHEMA_MAP_KEYWORDS,
  type Schema,
  schemasIn,
} from '../read.ts';
import { demandsOf, withDemands } from '../rules-patterns.ts';
import { formats, isUnique } from './formats.ts';
import { heading } from './literal.ts';
import { asExpression, boundText, MAX_VIOLATIONS, runtimeText } from './validators-code.ts';

/** Keywords that only describe. The validators do not need them. */
const ANNOTATIONS = [
  'title',
  'description',
  'default',
  'example',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  'externalDocs',
  'discriminator',
  'xml',
  '$comment',
];

/**
 * Inside these keywords a check must not be able to report many errors: the limit on violations would end it, although
 * another alternative might still pass.
 */
const ALTERNATIVES = ['anyOf', 'oneOf', 'not', 'if', 'contains'];
const OPEN_ENDED = [
  'items',
  'prefixItems',
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'contains',
];

/** Violations of a request get their words from `handlers/http/violations.ts`. */
const REQUEST_OPTIONS: Options = { allErrors: true, messages: false };
const ANSWER_OPTIONS: Options = { allErrors: true };

/**
 * The text of generated/validators.js: for each operation, functions that check parameters, body and 200 answer. Ajv 8
 * compiles them, and they have no dependency at run time. Requests collect up to MAX_VIOLATIONS violations, answers
 * all of them.
 * @throws ContractError for a schema that cannot be compiled, for example with an unknown format or keyword.
 */
export async function validatorsModule(contract: Contract): Promise<string> {
  const operations = operationsOf(contract);
  const requests = operations.flatMap((operation): [string, Schema][] => {
    const { operationId, body } = operation;
    const parameters: [string, Schema] = [`${operationId}_parameters`, parametersSchema(operation)];
    return body === undefined ? [parameters] : [parameters, [`${operationId}_body`, body]];
  });
  const answers = operations.map(({ operationId, answer = {} }): [string, Schema] => [`${operationId}_answer`, answer]);
  const table = operations.map(({ operationId, body }) => {
    const ofBody = body === undefined ? 'null' : `bounded(requests.${operationId}_body)`;
    return `  ${operationId}: { parameters: bounded(requests.${operationId}_parameters), body: ${ofBody}, answer: answers.${operationId}_answer },`;
  });
  const text = [
    heading('Compiled by Ajv; judges parameters, bodies and answers without any dependency'),
    await runtimeText(),
    boundText(),
    `const requests = ${compile(contract, requests, REQUEST_OPTIONS)};`,
    `const answers = ${compile(contract, [...answers, ['errorBody', { $ref: '#/components/schemas/Status' }]], ANSWER_OPTIONS)};`,
    `export const validators = {\n${table.join('\n')}\n};`,
    'export { instantOf, isCalendarDay, isDay, isShownInstant };',
    'export const errorBody = answers.errorBody;',
    '',
  ].join('\n');
  for (const forbidden of ['require(', 'new Function', 'eval(', 'import ']) {
    if (text.includes(forbidden)) {
      throw new ContractError(
        `The validators would contain "${forbidden}"; a keyword needs a run-time helper that formats.ts lacks.`,
      );
    }
  }
  return text;
}

/** The text of generated/validators.d.ts, which the service and the suite share. */
export const validatorsTypes = (): string => `${heading('Types of validators.js')}
import type { OperationId, OperationTable } from './contract.ts';

/** One violation. It holds names and limits of the contract and names of fields, never a value that was sent. */
export interface ValidationError {
  /** JSON pointer to what is wrong; '' is the whole. Of parameters it begins with /path, /query or /header. */
  instancePath: string;
  /** The keyword that was violated: required, additionalProperties, type, format, maxLength, enum, … */
  keyword: string;
  /** What the keyword demands: \`{missingProperty}\`, \`{additionalProperty}\`, \`{type}\`, \`{format}\`, \`{limit}\`, \`{allowedValues}\`, … */
  params: Record<string, unknown>;
  /** Ajv's words, for answers only. */
  message?: string;
}

declare const walked: unique symbol;

/** What a caller sent, after it was gone through once: then nothing that recurses over it takes long. */
export interface WalkedValue {
  readonly [walked]: true;
}

/**
 * True where the value is valid; else \`errors\` holds what is wrong until the next call. Requests report up to ${MAX_VIOLATIONS} violations, answers all.
 * Parameters are one object \`{path: {…}, query: {…}, header: {…}}\`, already parsed to numbers, booleans and arrays; headers have lower-case names.
 */
export type Validate<Value = unknown> = ((value: Value) => boolean) & { errors?: ValidationError[] | null };

export declare const validators: {
  readonly [Id in OperationId]: {
    readonly parameters: Validate<WalkedValue>;
    readonly body: OperationTable[Id]['body'] extends 'none' ? null : Validate<WalkedValue>;
    readonly answer: Validate;
  };
};

/** Judges the body of an error answer. */
export declare const errorBody: Validate;

/** Whether the text is a day of the calendar and of the years 1 to 9999 (D-2), as YYYY-MM-DD. */
export declare const isDay: (text: string) => boolean;

/** The same of numbers. Month and day count from 1. */
export declare const isCalendarDay: (year: number, month: number, day: number) => boolean;

/** Whether an instant, in milliseconds since the epoch, is of the years 1 to 9999 in UTC (D-2). */
export declare const isShownInstant: (ms: number) => boolean;

/**
 * What an RFC 3339 date-time says: milliseconds since the epoch, and whether there are finer digits that are not zero; null
 * if it is no real instant, has more than nine fraction digits, or is of a year outside 1 to 9999 in UTC.
 */
export declare const instantOf: (text: string) => { readonly ms: number; readonly isFiner: boolean } | null;
`;

/** One schema for `{path, query, header}`. Headers that the contract does not name are ignored. */
function parametersSchema(operation: ContractOperation): Schema {
  const part = (place: string): Schema => {
    const named = operation.parameters.filter((parameter) => parameter.in === place);
    const key = ({ name }: Parameter): string => (place === 'header' ? name.toLowerCase() : name);
    return {
      type: 'object',
      properties: Object.fromEntries(named.map((parameter) => [key(parameter), parameter.schema])),
      required: named.filter((parameter) => parameter.required === true).map(key),
      additionalProperties: place === 'header',
    };
  };
  return {
    type: 'object',
    properties: { path: part('path'), query: part('query'), header: part('header') },
    required: ['path', 'query', 'header'],
    additionalProperties: false,
  };
}

/** An expression whose value is an object of the compiled functions. */
function compile(contract: Contract, wanted: readonly [string, Schema][], options: Options): string {
  const ajv = new Ajv2020({
    ...options,
    strict: true,
    strictTypes: false,
    strictRequired: false,
    allowUnionTypes: true,
    inlineRefs: 3,
    formats,
    code: { source: true, esm: true, lines: true, formats: _`formats` },
  });
  useOwnUniqueItems(ajv);
  const components = new Map<string, Schema>();
  for (const [name, schema] of entriesOf(contract.components.schemas)) {
    components.set(idOf(name), prepared(contract, schema));
  }
  for (const [id, schema] of components) ajv.addSchema({ $id: id, ...schema });
  const exports: Record<string, string> = {};
  for (const [name, schema] of wanted) {
    const ready = prepared(contract, schema);
    if (options === REQUEST_OPTIONS) refuseOpenEndedAlternatives(components, name, ready);
    const id = typeof ready.$ref === 'string' ? ready.$ref : `operation:${name}`;
    exports[name] = id;
    if (id !== ready.$ref) ajv.addSchema({ $id: id, ...ready });
  }
  try {
    const code = standalone.default(ajv, exports);
    return asExpression(code, options === REQUEST_OPTIONS);
  } catch (error) {
    throw new ContractError(`A schema cannot be compiled: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** A schema that refers to `$id`s instead of places in the document, without the keywords that only describe. */
function prepared(contract: Contract, schema: Schema): Schema {
  return mapSchema(schema, (node) => {
    let copy: Schema = {};
    for (const [key, value] of entriesOf(node)) {
      if (key.startsWith('x-') || ANNOTATIONS.includes(key)) continue;
      copy[key] = value;
    }
    if (node.pattern !== undefined) copy = withDemands(copy, demandsOf(node, node.pattern));
    if (node.$ref !== undefined) {
      const name = componentName(node, 'schemas');
      if (name === undefined) throw new ContractError(`${node.$ref}: a schema may refer to component schemas only.`);
      resolve(contract, node);
      copy.$ref = idOf(name);
    }
    // If one alternative accepts any value, the list of alternatives restricts nothing. It is there only for readers.
    if (copy.anyOf?.some((part) => entriesOf(part).length === 0)) delete copy.anyOf;
    return copy;
  });
}

function idOf(component: string): string {
  return `component:${component}`;
}

/**
 * Replaces `uniqueItems` by a check in linear time: Ajv's own compares every pair if the elements are references, which
 * a hostile body could exploit.
 */
function useOwnUniqueItems(ajv: Ajv2020): void {
  ajv.removeKeyword('uniqueItems');
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    error: { message: 'must NOT have duplicate items' },
    code(context: KeywordCxt) {
      if (context.schema !== true) return;
      const unique = context.gen.scopeValue('func', { ref: isUnique, code: _`isUnique` });
      context.fail(_`!${unique}(${context.data})`);
    },
  });
}

/** @throws ContractError if an alternative in a request could report an unlimited number of errors. */
function refuseOpenEndedAlternatives(components: ReadonlyMap<string, Schema>, name: string, root: Schema): void {
  const seen = new Set<string>();
  const walk = (schema: Schema, inside: boolean): void => {
    for (const [node, place] of schemasIn(schema)) {
      const alternative = inside || keywordsOf(place).some((keyword) => ALTERNATIVES.includes(keyword));
      const open = OPEN_ENDED.filter((key) => node[key] !== undefined && node[key] !== true);
      if (alternative && open.length > 0) {
        throw new ContractError(
          `${name}: ${place.join('/') || 'the schema'} has "${open.join('", "')}" within ${ALTERNATIVES.join(', ')}. Alternatives of a request must be scalars or plain conditions.`,
        );
      }
      const id = node.$ref;
      if (id === undefined || seen.has(`${id} ${alternative}`)) continue;
      seen.add(`${id} ${alternative}`);
      walk(components.get(id) ?? {}, alternative);
    }
  };
  walk(root, false);
}

/** The keywords on the way to a schema, without property names, even if a property is named like a keyword. */
const keywordsOf = (place: KeyPath): string[] =>
  place.filter((_part, index) => !SCHEMA_MAP_KEYWORDS.includes(place[index - 1] ?? ''));
