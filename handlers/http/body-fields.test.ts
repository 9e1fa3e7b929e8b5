import { expect, test } from '@jest/globals';
import { bodyForHandler } from './body-fields.ts';

const bodyIds = [['id'], ['items', '*', 'id'], ['ids', '*']];
const bodyOptionals = [['a'], ['items', '*', 'a', 'b'], ['id']];
const table = { bodyIds, bodyOptionals };

test('ids become lower case at every place, and nothing else does', () => {
  const sent = { id: 'A', ids: ['B', 'c'], items: [{ id: 'D', title: 'E' }, { ids: ['F'] }], title: 'G' };
  const before = structuredClone(sent);
  const body = { id: 'a', ids: ['b', 'c'], items: [{ id: 'd', title: 'E' }, { ids: ['F'] }], title: 'G' };
  expect(bodyForHandler(sent, table)).toEqual(body);
  expect(sent).toEqual(before);
});

test.each([
  undefined,
  null,
  'A',
  { ids: 'A', items: [undefined, 5, null, { a: null }], other: null },
  JSON.parse('{"__proto__":{"id":"A"}}'),
])('parts that are missing or of another type stay as they are (%#)', (sent) => {
  expect(JSON.stringify(bodyForHandler(sent, table))).toBe(JSON.stringify(sent));
});

test('an optional field that is null is absent, at every place, and no other null is', () => {
  const sent = { id: null, a: null, c: null, items: [{ a: { b: null, c: null } }, { a: null, id: null }, null] };
  const before = structuredClone(sent);
  const body = { c: null, items: [{ a: { c: null } }, { a: null, id: null }, null] };
  expect(bodyForHandler(sent, table)).toStrictEqual(body);
  expect(sent).toEqual(before);
});
