import { DEFAULT_BODY_LIMIT_BYTES } from './generate/operations.ts';
import {
  type Contract,
  ContractError,
  catalogueOf,
  entriesOf,
  eventsOf,
  type JsonObject,
  type Message,
  mapped,
  mapSchema,
  operationsOf,
  type Parameter,
  resolve,
  type Schema,
} from './read.ts';

/** What one side says to the other: its headers, parameters or errors, each with its schema. */
type SaidParts = readonly (readonly [name: string, schema: Schema, isRequired?: boolean])[];

/**
 * The contract in plain OpenAPI, in as few forms as possible, for a tool that neither knows our marks nor looks into the
 * schemas of parameters and headers: these become bodies of operations beside their own, and so do errors. Events become
 * answers, because the service sends them. A change of one is then a change of a property.
 */
export function spelledOut(contract: Contract) {
  const { schemas, securitySchemes } = contract.components;
  return {
    openapi: '3.1.0',
    info: { title: 'Contract', version: '1' },
    paths: { ...operations(contract), ...events(contract), ...errors(contract) },
    components: { schemas: mapped(schemas, plain), securitySchemes },
  };
}

const plain = (schema: Schema): Schema => mapSchema(schema, plainNode);

/** `*` stands for unknown properties; each key of redaction is a property beside the one that it hides. */
function plainNode(node: Schema): Schema {
  if (node.not !== undefined) throw new ContractError('A schema with "not" cannot be compared with another one.');
  const { properties, additionalProperties: others = true } = node;
  if (![node.type].flat().includes('object') && properties === undefined) return node;
  const marks = entriesOf(properties).flatMap(([name, { 'x-personal-data': key }]) =>
    key === undefined ? [] : [[`${name} redacted as ${key}`, {}]],
  );
  const unknown = others === false ? {} : { '*': others === true ? {} : others };
  return { ...node, properties: { ...properties, ...Object.fromEntries(marks), ...unknown } };
}

function operations(contract: Contract): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const { operationId, path, method, source, parameters, request, answers } of operationsOf(contract)) {
    const { security, 'x-body-limit-bytes': maximum = DEFAULT_BODY_LIMIT_BYTES } = source;
    const add = (place: string, operation: JsonObject) => {
      paths[place] = { ...paths[place], [method]: operation };
    };
    const byStatus = (change: (answer: Message) => JsonObject) =>
      Object.fromEntries(answers.map(([status, answer]) => [status, change(answer)]));
    const said: SaidParts = [...parameters.map(parameterOf(path)), ['largest body', { type: 'integer', maximum }]];
    add(path, {
      operationId,
      security,
      ...(request && { requestBody: { ...request, content: plainContent(request) } }),
      responses: byStatus(answerOf),
    });
    add(`${path}/parameters`, { requestBody: { content: plainContent(json(said)) }, responses: {} });
    add(`${path}/headers`, { responses: byStatus((answer) => answerOf(headersOf(contract, answer))) });
  }
  return paths;
}

/** A path parameter is known by its place. The way in which several values are written is part of a name. */
function parameterOf(path: string): (parameter: Parameter) => SaidParts[number] {
  return ({ name, in: where, style, explode, schema, required }) => {
    const usual = where === 'query' ? 'form' : 'simple';
    const isUsual = (style ?? usual) === usual && (explode ?? usual === 'form') === (usual === 'form');
    const known =
      where === 'path' ? path.split('{').findIndex((part) => part.startsWith(`${name}}`)) : name.toLowerCase();
    const way = isUsual ? '' : `, style ${style}, explode ${explode}`;
    return [`${where} ${known}${way}`, schema, required];
  };
}

/** The service sends events, so they are compared as answers. */
function events(contract: Contract): JsonObject {
  const paths = eventsOf(contract).flatMap(({ path, method, request = {}, parameters }) => {
    const headers = Object.fromEntries(parameters.map((parameter) => [parameter.name, parameter]));
    const head = headersOf(contract, { headers });
    return [
      [`/events/${path}`, { [method]: { responses: { 200: answerOf(request) } } }],
      [`/events/${path}/headers`, { [method]: { responses: { 200: answerOf(head) } } }],
    ];
  });
  return Object.fromEntries(paths);
}

/** Clients decide by the status, the number and the textual code of an error. */
const errors = (contract: Contract): JsonObject =>
  Object.fromEntries(
    catalogueOf(contract).map(({ name, status, code, reason }) => {
      const said: SaidParts = [
        ['code', { const: code }, true],
        ['reason', { const: reason }, true],
      ];
      return [`/errors/${name}`, { get: { responses: { [String(status)]: answerOf(json(said)) } } }];
    }),
  );

const headersOf = (contract: Contract, { headers }: Message): Message =>
  json(
    entriesOf(headers).map(([name, header]) => {
      const { schema, required } = resolve(contract, header);
      return [name.toLowerCase(), schema, required];
    }),
  );

/** A message with these properties. */
function json(said: SaidParts): Message {
  const properties = Object.fromEntries(said.map(([name, schema]) => [name, schema]));
  const required = said.filter(([, , isRequired]) => isRequired).map(([name]) => name);
  const schema = { type: 'object', properties, required, additionalProperties: false };
  return { content: { 'application/json': { schema } } };
}

const answerOf = (message: Message): JsonObject => ({ description: '', content: plainContent(message) });

const plainContent = ({ content }: Message) =>
  mapped(content, ({ schema }) => (schema ? { schema: plain(schema) } : {}));
