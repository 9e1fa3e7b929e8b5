import { expect, test } from '@jest/globals';
import type { OperationId } from '../../../generated/contract.ts';
import { validators } from '../../judge/validators.ts';
import { type BodyField, componentSchema, contractInputs, inputsOf } from './contract-inputs.ts';
import { rightBody, rightValues, withValue, wrongValues } from './input-values.ts';

const fieldOf = (operationId: OperationId, path: string) =>
  inputsOf(operationId).fields.find((field) => field.path === path) as BodyField;

test('a schema is read with its references, its alternatives and what counts as absent', () => {
  expect(fieldOf('createDocument', 'date').schema).toMatchObject({
    types: ['string'],
    format: 'date',
    isNullable: true,
    takesEmpty: true,
  });
  expect(fieldOf('reserveFile', 'size_bytes').schema).toMatchObject({
    types: ['string', 'integer'],
    minimum: 1,
    maximum: 52_428_800,
    pattern: '^[1-9][0-9]{0,7}$',
  });
  const { schema, required } = fieldOf('setDocumentRoute', 'steps[].rule');
  expect([schema.values, schema.takesEmpty, schema.isNullable, schema.default, required]).toEqual([
    ['STEP_RULE_ALL', 'STEP_RULE_ANY'],
    true,
    true,
    'STEP_RULE_ALL',
    false,
  ]);
  expect(fieldOf('createDocument', 'template_values').schema.isOpen).toBe(true);
  expect(fieldOf('ingestRecords', 'records').schema.items?.types).toHaveLength(6);
  expect(componentSchema('KedoPersonRecord').fields.map(({ name }) => name)).toContain('birth_date');
});

test('parameters have their place, their repetition and the schema of each value', () => {
  const { parameters } = inputsOf('listEmployees');
  const found = Object.fromEntries(parameters.map((parameter) => [parameter.name, parameter]));
  expect(found.expand).toMatchObject({ place: 'query', repeated: true, maxItems: 100 });
  expect(found.expand?.schema.values).toEqual(['person', 'department', 'job_title', 'manager']);
  expect(found.page_token).toMatchObject({ takesEmpty: true, repeated: false, required: false });
  expect(found.limit?.schema).toMatchObject({ types: ['integer'], minimum: 1, default: 100 });
});

/** Where the validator of the contract sees something wrong: paths such as `steps[0].rule`. */
function blamed(operationId: OperationId, body: unknown): string[] {
  const validate = validators[operationId].body;
  if (validate === null || validate(body)) return [];
  return (validate.errors ?? []).map(({ instancePath, params }) => {
    const added = [params.additionalProperty, params.missingProperty].filter((name) => typeof name === 'string');
    const names = [...instancePath.split('/').slice(1), ...added];
    return names.map((name, at) => (/^\d+$/.test(name) ? `[${name}]` : `${at > 0 ? '.' : ''}${name}`)).join('');
  });
}

const withBody = contractInputs.flatMap(({ operation: { operationId }, body, fields }) =>
  body === undefined
    ? []
    : fields.map((field) => [`${operationId} ${field.path}`, operationId, body, fields, field] as const),
);

test.each(withBody)('%s: right values are right, wrong ones are wrong at the place that is blamed', (...all) => {
  const [, operationId, schema, fields, field] = all;
  const body = rightBody(schema, fields, field);
  expect(blamed(operationId, body)).toEqual([]);
  for (const { what, value } of rightValues(field.schema)) {
    expect([what, blamed(operationId, withValue(body, field.path, value))]).toEqual([what, []]);
  }
  const wrong = wrongValues(field.schema);
  // What may be anything cannot be wrong.
  expect(wrong.length > 0).toBe(field.schema.types.length < 6);
  const at = field.path.replaceAll('[]', '[0]');
  for (const { what, value, within } of wrong) {
    const places = new Set(blamed(operationId, withValue(body, field.path, value)));
    // Ids are read as if they were in small letters, and a number as text is judged when it is read.
    const isRead = /capitals|as text/.test(what);
    expect([what, [...places]]).toEqual([what, isRead ? [] : [`${at}${within}`]]);
  }
  const missing = blamed(operationId, withValue(body, field.path, undefined));
  expect(missing).toEqual(field.required ? [at] : []);
});
