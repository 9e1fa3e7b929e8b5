import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { fixture } from '../changed.ts';
import {
  type Contract,
  entriesOf,
  jsonOf,
  operationsOf,
  parseContract,
  readContract,
  resolve,
  type Schema,
} from '../read.ts';
import { forGenerators, openapiJson } from './openapi-json.ts';

const contract = await readContract(join(import.meta.dirname, '../../../openapi.yaml'));
const simple = forGenerators(contract);

/**
 * A contract with one event and one operation, whose request has the schema `taken` and whose answer has the schema
 * `given`.
 */
function contractOf(taken: Schema, given: Schema): Contract {
  const body = (name: string) => ({
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } },
  });
  const named = (operationId: string) => ({ operationId, summary: '', tags: [] });
  const post = { ...named('doIt'), requestBody: body('Taken'), responses: { '200': body('Given') } };
  return {
    openapi: '3.1.0',
    info: { title: 'Small', summary: 'A small one.', description: 'A long text.' },
    paths: { '/do': { post } },
    webhooks: { done: { post: { ...named('onDone'), requestBody: body('Event'), responses: {} } } },
    components: {
      ...fixture.components,
      schemas: { Taken: taken, Given: given, Event: { type: 'string', enum: ['done'] } },
    },
  };
}

const taken = (schema: Schema) => forGenerators(contractOf(schema, {})).components.schemas.Taken;
const given = (schema: Schema) => forGenerators(contractOf({}, schema)).components.schemas.Given;

describe('what generators stumble over', () => {
  test('text with a format that may be empty is text', () => {
    const date = { type: 'string', format: 'date' };
    const empty = { type: 'string', const: '' };
    expect(taken({ description: 'A day.', anyOf: [date, empty] })).toEqual({ description: 'A day.', type: 'string' });
    const record = { additionalProperties: true, anyOf: [date, empty, { type: 'null' }] };
    expect(taken(record)).toEqual({ additionalProperties: true, type: ['string', 'null'] });
  });

  test('alternatives of different types exclude each other, and several types are any value', () => {
    const number = { type: 'integer', minimum: 1 };
    const text = { type: 'string', pattern: '^[0-9]$', 'x-pattern-words': [] };
    const { 'x-pattern-words': _words, ...plain } = text;
    expect(taken({ anyOf: [number, text], examples: [1, '1'] })).toEqual({
      oneOf: [number, plain],
      examples: [1, '1'],
    });
    expect(taken({ anyOf: [number, number] })).toEqual({ anyOf: [number, number] });
    expect(taken({ description: 'Any.', type: ['string', 'boolean'] })).toEqual({ description: 'Any.' });
    expect(taken(text)).toEqual({ type: 'string', pattern: '^[0-9]$' });
  });

  test('null for an absent field is left out, except in open objects', () => {
    const properties = {
      a: { type: ['string', 'null'], enum: ['b', '', null] },
      c: { anyOf: [{ type: 'integer' }, { type: 'string' }, { type: 'null' }] },
    };
    const object = { type: 'object', properties, additionalProperties: false };
    expect(taken(object)).toEqual({
      ...object,
      properties: {
        a: { type: 'string', enum: ['b', ''] },
        c: { oneOf: [{ type: 'integer' }, { type: 'string' }] },
      },
    });
    const open = { ...object, properties: { a: properties.a }, additionalProperties: true };
    expect(taken(open)).toEqual(open);
  });

  test('alternatives that include any value become any value', () => {
    const records = [{ $ref: '#/components/schemas/Given' }, { title: 'Else', description: 'Skipped.' }];
    expect(taken({ type: 'array', items: { description: 'A record.', anyOf: records } })).toEqual({
      type: 'array',
      items: { description: 'A record.\n- Given' },
    });
  });

  test('alternatives that are all objects are one object with any fields', () => {
    const object = { type: 'object', properties: {}, additionalProperties: false };
    expect(taken({ description: 'One.', anyOf: [object, object] })).toEqual({
      description: 'One.',
      type: 'object',
      additionalProperties: true,
    });
  });

  test('an object with names beyond ASCII is a map that describes them, also within another one', () => {
    const properties = { Имя: { type: 'string', description: 'Name.' }, Род: { $ref: '#/components/schemas/Given' } };
    const record = {
      type: 'object',
      description: 'One.\n',
      required: ['Имя'],
      properties,
      additionalProperties: false,
    };
    const map = {
      type: 'object',
      description: 'One.\n- `Имя` (required): Name.\n- `Род`, a Given: ',
      additionalProperties: true,
    };
    expect(taken({ type: 'object', properties: { a: record } })).toEqual({ type: 'object', properties: { a: map } });
    const ascii = { type: 'object', properties: { '@type': { type: 'string', pattern: '^a$' } }, required: ['@type'] };
    expect(taken(ascii)).toEqual(ascii);
  });

  test('a constant that is not text is a boolean', () => {
    expect(taken({ type: 'boolean', const: false })).toEqual({ type: 'boolean' });
    expect(taken({ type: 'string', const: 'a' })).toEqual({ type: 'string', const: 'a' });
  });

  test('an answer may gain fields and values, and its text is not checked; a request stays exact', () => {
    const value = { type: 'string', enum: ['a', 'b'], pattern: '^[ab]$' };
    const object = {
      type: 'object',
      properties: { value, described: { ...value, description: '`a` and `b`.' } },
      additionalProperties: false,
    };
    expect(taken(object)).toEqual(object);
    expect(given(object)).toEqual({
      type: 'object',
      properties: {
        value: { type: 'string', description: '\n- `a`\n- `b`' },
        described: { type: 'string', description: '`a` and `b`.' },
      },
      additionalProperties: true,
    });
    const schema = { type: 'object', properties: { additionalProperties: { type: 'boolean', description: 'No.' } } };
    expect(given(schema)).toEqual({
      type: 'object',
      description: '\n- `additionalProperties`: No.',
      additionalProperties: true,
    });
  });

  test('webhooks are left out, and the schemas of events are treated as answers', () => {
    const { webhooks, components } = forGenerators(contractOf({}, {}));
    expect(webhooks).toBeUndefined();
    expect(components.schemas).toMatchObject({ Event: { description: '\n- `done`' } });
  });

  test('the short description says what the file is, and the document where it says less', () => {
    const { info, 'x-simplifications': simplifications } = forGenerators(contractOf({}, {}));
    expect(info).toEqual({
      title: 'Small',
      summary: 'A small one.',
      description: expect.stringMatching(/^A small one\. Made/),
    });
    expect(simplifications).toContain('A field that is always `true` or always `false` is a boolean.');
  });
});

test('names that generators for Go use themselves are replaced for them', () => {
  const found = simple.components.schemas;
  expect(found.GetEmployeeResponse?.['x-go-name']).toBe('GetEmployeeAnswer');
  expect(found.Route?.['x-ogen-name']).toBe('DocumentRoute');
  expect(found.Employee).not.toHaveProperty('x-go-name');
});

test('no character in it is one that readers of YAML refuse', () => {
  expect(openapiJson(contract)).not.toMatch(/[^\n\x20-\x7e\xa0-\ud7ff\ue000-\ufffd]/);
});

describe('of the contract', () => {
  const shapes = (of: Contract) =>
    operationsOf(of).map(({ operationId, method, path, source, parameters }) => {
      const { requestBody, responses, security, tags } = source;
      return { operationId, method, path, security, tags, parameters, requestBody, responses };
    });

  test('every operation stays as it is, with its parameters, bodies, answers and scopes', () => {
    expect(shapes(simple)).toEqual(shapes(contract));
    expect(shapes(simple).length).toBeGreaterThan(20);
  });

  test('everything outside schemas stays, and every schema', () => {
    const { schemas: simpleSchemas, ...rest } = simple.components;
    const { schemas: exactSchemas, ...exactRest } = contract.components;
    expect(rest).toEqual(exactRest);
    expect(Object.keys(simpleSchemas)).toEqual(Object.keys(exactSchemas));
  });

  test('is JSON, and generating it again gives the same file', () => {
    expect(parseContract(openapiJson(contract), 'openapi.json')).toEqual(simple);
  });

  test('every example of the contract is valid by it', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema(simple, 'openapi.json');
    const found = operationsOf(contract).flatMap(({ operationId, request, answers }) =>
      [['body', request] as const, ...answers].flatMap(([where, message]) =>
        entriesOf(jsonOf(message)?.examples).map(([name, example]) => ({
          what: `${operationId} ${where} ${name}`,
          schema: `openapi.json${jsonOf(message)?.schema?.$ref}`,
          value: resolve(contract, example).value,
        })),
      ),
    );
    const refused = found.filter(({ schema, value }) => !ajv.validate({ $ref: schema }, value));
    expect(refused.map(({ what }) => what)).toEqual([]);
    expect(found.length).toBeGreaterThan(100);
  });
});
