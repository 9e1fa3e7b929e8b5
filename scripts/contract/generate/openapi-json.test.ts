import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import {
  entriesOf,
  eventsOf,
  jsonOf,
  operationsOf,
  propertiesOf,
  reachableSchemas,
  readContract,
  resolve,
  type Schema,
  schemasIn,
} from '../read.ts';
import { forGenerators, openapiJson } from './openapi-json.ts';

const contract = await readContract(join(import.meta.dirname, '../../../openapi.yaml'));
const simple = forGenerators(contract);
const { schemas } = simple.components;

/** The names of the components in which a schema has what generators stumble over. */
const componentsWith = (names: readonly string[], isThere: (schema: Schema) => boolean) =>
  names.filter((name) => [...schemasIn(schemas[name])].some(([schema]) => isThere(schema)));

test.each<[what: string, isThere: (schema: Schema) => boolean]>([
  ['text that may be empty beside its format', ({ anyOf = [] }) => anyOf.some((part) => part.const === '')],
  ['alternatives of which one is any value', ({ anyOf = [] }) => anyOf.some(({ type, $ref }) => !(type ?? $ref))],
  ['alternatives of objects', ({ anyOf = [] }) => anyOf.some((part) => resolve(simple, part).type === 'object')],
  ['several types', ({ type }) => [type].flat().filter((each) => each !== 'null').length > 1],
  ['a constant that is no text', (schema) => typeof schema.const === 'boolean'],
  ['words of a pattern', (schema) => schema['x-pattern-words'] !== undefined],
])('no schema has %s', (_what, isThere) => {
  expect(componentsWith(Object.keys(schemas), isThere)).toEqual([]);
});

test('an object with names beyond ASCII, or one called additionalProperties, is a map that describes them', () => {
  const names = propertiesOf(simple).map(({ name }) => name);
  expect(names.filter((name) => !/^[\x20-\x7e]+$/.test(name) || name === 'additionalProperties')).toEqual([]);
  expect(schemas.LedgerPerson).toMatchObject({ additionalProperties: true });
  expect(schemas.LedgerPerson?.description).toMatch(/^- `ИИН`.*: ./m);
});

test('what is answered or sent may gain fields and values, and its text is not checked; a request stays exact', () => {
  const sent = [...operationsOf(contract).map(({ answer }) => answer), ...eventsOf(contract).map(({ body }) => body)];
  const isStrict = ({ pattern, enum: values, additionalProperties }: Schema) =>
    pattern !== undefined || values !== undefined || additionalProperties === false;
  expect(componentsWith(reachableSchemas(contract, sent), isStrict)).toEqual([]);
  expect(schemas.EmployeeStatus?.description).toContain('`EMPLOYEE_STATUS_ACTIVE`');
  expect(schemas.ReserveFileRequest).toMatchObject({ additionalProperties: false });
  // An absent field is left out instead of null, but for a record of an ingest.
  expect(JSON.stringify(schemas.CreateDocumentRequest)).not.toContain('"null"');
  expect(JSON.stringify(schemas.KedoPersonRecord)).toContain('"null"');
});

test('names that generators for Go use themselves are replaced for them', () => {
  expect(schemas.GetEmployeeResponse?.['x-go-name']).toBe('GetEmployeeAnswer');
  expect(schemas.Route?.['x-ogen-name']).toBe('DocumentRoute');
  expect(schemas.Employee).not.toHaveProperty('x-go-name');
});

test('nothing else changes but the description, which is short', () => {
  const { webhooks: _events, info, components, ...rest } = contract;
  expect(simple).toEqual({
    ...rest,
    info: { ...info, description: expect.stringMatching(/^.* Made from openapi\.yaml/) },
    components: { ...components, schemas: expect.any(Object) },
    'x-simplifications': expect.any(Array),
  });
  expect(Object.keys(schemas)).toEqual(Object.keys(components.schemas));
});

test('no character in it is one that readers of YAML refuse', () => {
  expect(openapiJson(contract)).not.toMatch(/[^\n\x20-\x7e\xa0-\ud7ff\ue000-\ufffd]/);
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
