import {
  asArray,
  asObject,
  asString,
  type Contract,
  ContractError,
  catalogueOf,
  entriesOf,
  type Json,
  type JsonObject,
  mapSchema,
  operationsOf,
  resolve,
} from './read.ts';

/** The largest body of an operation that states none, in bytes. */
const USUAL_BODY_LIMIT = 1_048_576;

/** What one side says to the other: its headers, parameters or errors, each with its schema. */
type SaidParts = readonly (readonly [name: string, schema: JsonObject, isRequired: boolean])[];

/**
 * The contract in plain OpenAPI, in as few forms as possible, for a tool that neither knows our marks nor looks into the
 * schemas of parameters and headers: these become bodies of operations beside their own, and so do errors. Events become
 * answers, because the service sends them. A change of one is then a change of a property.
 */
export function spelledOut(contract: Contract): Contract {
  const { schemas, securitySchemes } = asObject(contract.components);
  const plainSchemas = entriesOf(schemas).map(([name, schema]) => [name, mapSchema(schema, plainSchema)]);
  return {
    openapi: '3.1.0',
    info: { title: 'Contract', version: '1' },
    paths: { ...operations(contract), ...events(contract), ...errors(contract) },
    components: { schemas: Object.fromEntries(plainSchemas), securitySchemes },
  };
}

/** `*` stands for unknown properties; each key of redaction is a property beside the one that it hides. */
function plainSchema(node: JsonObject): JsonObject {
  if (node.not !== undefined) throw new ContractError('A schema with "not" cannot be compared with another one.');
  if (![node.type].flat().includes('object') && node.properties === undefined) return node;
  const marks = entriesOf(node.properties).flatMap(([name, part]) => {
    const key = asString(asObject(part)['x-personal-data']);
    return key === '' ? [] : [[`${name} redacted as ${key}`, {}]];
  });
  const unknown = node.additionalProperties === false ? {} : { '*': asObject(node.additionalProperties) };
  return { ...node, properties: { ...asObject(node.properties), ...Object.fromEntries(marks), ...unknown } };
}

function operations(contract: Contract): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const { operationId, path, method, source, parameters } of operationsOf(contract)) {
    const { requestBody, security, responses } = source;
    const body = resolve(contract, requestBody ?? {});
    const limit = { type: 'integer', maximum: source['x-body-limit-bytes'] ?? USUAL_BODY_LIMIT };
    const answers = entriesOf(responses).map(([status, answer]) => [status, resolve(contract, answer)] as const);
    const operation = {
      operationId,
      security,
      ...(requestBody !== undefined && { requestBody: { ...body, content: plainContent(body.content) } }),
      responses: Object.fromEntries(answers.map(([status, answer]) => [status, answerOf(answer.content)])),
    };
    const said: SaidParts = [...parameters.map(parameterOf(path)), ['largest body', limit, false]];
    const heads = answers.map(([status, answer]) => [status, answerOf(json(headersOf(contract, answer)))]);
    paths[path] = { ...paths[path], [method]: operation };
    paths[`${path}/parameters`] = {
      ...paths[`${path}/parameters`],
      [method]: { requestBody: { content: plainContent(json(said)) }, responses: {} },
    };
    paths[`${path}/headers`] = { ...paths[`${path}/headers`], [method]: { responses: Object.fromEntries(heads) } };
  }
  return paths;
}

/** A path parameter is known by its place. The way in which several values are written is part of a name. */
function parameterOf(path: string): (parameter: JsonObject) => SaidParts[number] {
  return ({ name, in: where, style, explode, schema, required }) => {
    const usual = where === 'query' ? 'form' : 'simple';
    const isUsual = (style ?? usual) === usual && (explode ?? usual === 'form') === (usual === 'form');
    const known =
      where === 'path'
        ? path.split('{').findIndex((part) => part.startsWith(`${name}}`))
        : asString(name).toLowerCase();
    const way = isUsual ? '' : `, style ${style}, explode ${explode}`;
    return [`${where} ${known}${way}`, asObject(schema), required === true];
  };
}

/** The service sends events, so they are compared as answers. */
function events(contract: Contract): JsonObject {
  const paths = entriesOf(contract.webhooks).flatMap(([name, item]) => {
    const sent = entriesOf(item).map(([method, source]) => {
      const { content } = resolve(contract, asObject(source).requestBody ?? {});
      const parameters = asArray(asObject(source).parameters).map((parameter) => resolve(contract, parameter));
      const headers = Object.fromEntries(parameters.map((parameter) => [asString(parameter.name), parameter]));
      return { method, body: answerOf(content), head: answerOf(json(headersOf(contract, { headers }))) };
    });
    return [
      [`/events/${name}`, Object.fromEntries(sent.map(({ method, body }) => [method, { responses: { 200: body } }]))],
      [
        `/events/${name}/headers`,
        Object.fromEntries(sent.map(({ method, head }) => [method, { responses: { 200: head } }])),
      ],
    ];
  });
  return Object.fromEntries(paths);
}

/** Clients decide by the status, the number and the textual code of an error. */
function errors(contract: Contract): JsonObject {
  const paths = catalogueOf(contract).map(([name, example]) => {
    const { value, 'x-http-status': status } = example;
    const { code, details } = asObject(value);
    const { reason } = asObject(asArray(details)[0]);
    const said: SaidParts = [
      ['code', { const: code }, true],
      ['reason', { const: reason }, true],
    ];
    return [`/errors/${name}`, { get: { responses: { [String(status)]: answerOf(json(said)) } } }];
  });
  return Object.fromEntries(paths);
}

function headersOf(contract: Contract, answer: JsonObject): SaidParts {
  return entriesOf(answer.headers).map(([name, header]) => {
    const { schema, required } = resolve(contract, header);
    return [name.toLowerCase(), asObject(schema), required === true];
  });
}

/** The content of a body with these properties. */
function json(said: SaidParts): JsonObject {
  const properties = Object.fromEntries(said.map(([name, schema]) => [name, schema]));
  const required = said.filter(([, , isRequired]) => isRequired).map(([name]) => name);
  return { 'application/json': { schema: { type: 'object', properties, required, additionalProperties: false } } };
}

function answerOf(content: Json | undefined): JsonObject {
  return { description: '', content: plainContent(content) };
}

function plainContent(content: Json | undefined): JsonObject {
  const media = entriesOf(content).map(([type, each]) => {
    const { schema } = asObject(each);
    return [type, schema === undefined ? {} : { schema: mapSchema(schema, plainSchema) }];
  });
  return Object.fromEntries(media);
}
