import { describe, expect, test } from '@jest/globals';
import { schemaProblems } from './schema.ts';
import { LARGEST_VALUES, sizeViolations, templateValueViolations } from './values.ts';

const schema = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 5 },
    letter: { type: 'string', maxLength: 1 },
    rate: { type: 'number' },
    day: { type: 'string', format: 'date' },
    kind: { type: 'string', enum: ['очный', 'заочный'] },
    remote: { type: 'boolean' },
    version: { type: 'string', const: 'v1' },
    tags: { type: 'array', items: { type: 'string', maxLength: 10 } },
    text: { type: 'string' },
    rows: {
      type: 'array',
      items: {
        type: 'object',
        properties: { title: { type: 'string' }, amount: { type: 'number', minimum: 0 } },
        required: ['title'],
        additionalProperties: false,
      },
    },
  },
  required: ['name'],
  additionalProperties: false,
};
const text = JSON.stringify(schema);
const violations = (values: unknown) => templateValueViolations(text, values);
const fields = (values: unknown) => violations(values).map(({ field }) => field);
const name = 'Әсел';

test('the schema of these tests can be published', () => {
  expect(schemaProblems(schema)).toEqual([]);
});

test.each<[string, string, string]>([
  ['name', 'too long', 'at most 5 characters'],
  ['letter', 'X-17', 'at most 1 character'],
  ['day', '2023-02-29', 'calendar'],
  ['kind', 'secret value', 'lists'],
  ['remote', 'yes!', 'true or false'],
  ['version', 'v2', 'one value'],
])('%s: the refusal of %j says why, without the value', (field, value, said) => {
  const [first, ...others] = violations({ name, [field]: value });
  expect(others).toEqual([]);
  expect(first?.field).toBe(`template_values.${field}`);
  expect(first?.description).toContain(said);
  // A description contains no value, and no text in the template's language.
  expect(first?.description).toMatch(/^[\x20-\x7e]+$/);
  if (value.length > 3) expect(first?.description).not.toContain(value);
});

test('lengths are counted in code points', () => {
  expect(violations({ name: '😀😀😀😀😀' })).toEqual([]);
  expect(fields({ name: '😀😀😀😀😀😀' })).toEqual(['template_values.name']);
});

test('a number that may have lost digits is refused', () => {
  for (const rate of [2 ** 53, -1e300, Number.POSITIVE_INFINITY]) {
    expect(fields({ name, rate })).toEqual(['template_values.rate']);
  }
  for (const rate of [2 ** 53 - 1, -(2 ** 53 - 1)]) expect(violations({ name, rate })).toEqual([]);
});

test('a value that breaks a keyword which this service does not know is refused with a reason', () => {
  const stored = JSON.stringify({ ...schema, properties: { ...schema.properties, name: { type: 'string', not: {} } } });
  expect(templateValueViolations(stored, { name })).toEqual([
    { field: 'template_values.name', description: expect.stringContaining('variable_schema') },
  ]);
});

test('nested fields are named by their path', () => {
  const values = { name, tags: ['ok', 'much too long'], rows: [{ title: 'a' }, { amount: -1, extra: 1 }, 7] };
  expect(fields(values)).toEqual([
    'template_values.tags[1]',
    'template_values.rows[1].title',
    'template_values.rows[1].amount',
    'template_values.rows[1].extra',
    'template_values.rows[2]',
  ]);
  const said = violations(values).map(({ description }) => description);
  expect(said.slice(1)).toEqual(
    ['required', 'at least 0', 'field', 'object'].map((word) => expect.stringContaining(word)),
  );
});

test.each(['__proto__', 'constructor', 'prototype', '_bsontype', '$where', 'a.b', '', 'a\u0000b', 'toString'])(
  'the key %j of a row is an unknown field like any other',
  (key) => {
    const inRow = JSON.parse(`{"name": "x", "rows": [{"title": "a", ${JSON.stringify(key)}: {"polluted": 1}}]}`);
    expect(fields(inRow)).toEqual([`template_values.rows[0].${key}`]);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  },
);

describe('bounds', () => {
  test('at most 20 of very many wrong values are named', () => {
    const keys = Object.fromEntries(Array.from({ length: 100_000 }, (_, nth) => [`k${nth}`, 1]));
    expect(fields({ name, ...keys })).toHaveLength(20);
    expect(fields({ name, tags: Array.from({ length: 300_000 }, () => 1) })).toHaveLength(20);
    expect(fields({ name, rows: Array.from({ length: 100_000 }, () => ({})) })).toHaveLength(20);
    expect(fields({ ['k'.repeat(1_000_000)]: 1 })[1]?.length).toBeLessThan(100);
    const required = Array.from({ length: 25 }, (_, nth) => `k${nth}`);
    const properties = Object.fromEntries(required.map((each) => [each, { type: 'string' }]));
    expect(templateValueViolations(JSON.stringify({ ...schema, properties, required }), {})).toHaveLength(20);
  });

  test('exactly 100,000 characters are accepted, where each value counts as 40 more, and no more', () => {
    const most = 100_000 - (40 + name.length) - 40;
    expect(sizeViolations({ name, text: 'a'.repeat(most) })).toEqual([]);
    expect(sizeViolations({ name, text: 'a'.repeat(most + 1) })).toHaveLength(1);
    // The first value alone has as many as are allowed.
    expect(sizeViolations({ text: 'a'.repeat(100_000 - 40), name })).toHaveLength(1);
  });

  test('a refusal of too many characters says how many are allowed, and how lines and entries count', () => {
    const [only] = sizeViolations({ name, text: 'a'.repeat(LARGEST_VALUES) });
    for (const number of ['100000', '80', '40']) expect(only?.description.split(/\D+/)).toContain(number);
  });

  test('values that fill too many pages are refused', () => {
    const fits = { name, text: 'a'.repeat(LARGEST_VALUES - 200) };
    expect([...sizeViolations(fits), ...violations(fits)]).toEqual([]);
    for (const values of [
      { name, text: 'a'.repeat(LARGEST_VALUES + 1) },
      { name, text: '\n'.repeat(LARGEST_VALUES / 50) },
      { name, tags: Array.from({ length: LARGEST_VALUES / 20 }, () => '') },
      { name, rows: Array.from({ length: LARGEST_VALUES / 20 }, () => ({ title: '' })) },
    ]) {
      expect(sizeViolations(values).map(({ field }) => field)).toEqual(['template_values']);
    }
  });
});

describe('a schema is refused for publishing', () => {
  const withVariable = (variable: unknown, id = 'x') => ({ ...schema, properties: { [id]: variable }, required: [] });

  test.each<[string, unknown]>([
    ['of no object', { type: 'string' }],
    ['that is not one', 'x'],
    ['that is nothing', undefined],
    ['with unknown variables allowed', { ...schema, additionalProperties: true }],
    ['without additionalProperties', { type: 'object', properties: {}, required: [] }],
    ['with $ref', { ...schema, $ref: '#' }],
    ['with $ref in a variable', withVariable({ $ref: '#' })],
    ['with a pattern', withVariable({ type: 'string', pattern: '(a+)+$' })],
    ['with another format', withVariable({ type: 'string', format: 'email' })],
    ['with null', withVariable({ type: 'null' })],
    ['with two types', withVariable({ type: ['string', 'number'] })],
    ['with nested lists', withVariable({ type: 'array', items: { type: 'array', items: { type: 'string' } } })],
    ['with an object outside a list', withVariable({ type: 'object', properties: {} })],
    [
      'with two levels of objects',
      withVariable({
        type: 'array',
        items: { ...schema, properties: { deep: { ...schema, properties: {} } }, required: [] },
      }),
    ],
    ['with an unknown required one', { ...schema, required: ['nobody'] }],
    ['with one required twice', { ...schema, required: ['name', 'name'] }],
    ['with a limit of another type', withVariable({ type: 'string', minimum: 1 })],
    ['with limits the wrong way round', withVariable({ type: 'integer', minimum: 2, maximum: 1 })],
    ['with a choice of another type', withVariable({ type: 'integer', enum: [1, '2'] })],
    ['with a choice twice', withVariable({ type: 'string', enum: ['a', 'a'] })],
    ['with an empty choice', withVariable({ type: 'string', enum: [] })],
    ['with a name that placeholders cannot name', withVariable({ type: 'string' }, 'a.b')],
    ['with the name constructor', withVariable({ type: 'string' }, 'constructor')],
    ['with the name __proto__', JSON.parse(JSON.stringify(schema).replace('"name":', '"__proto__":'))],
    [
      'with too many variables',
      {
        ...schema,
        required: [],
        properties: Object.fromEntries(Array.from({ length: 101 }, (_, nth) => [`v${nth}`, { type: 'string' }])),
      },
    ],
  ])('%s', (_, wrong) => {
    expect(schemaProblems(wrong)).not.toEqual([]);
  });
});
