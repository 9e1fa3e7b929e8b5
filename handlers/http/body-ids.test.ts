import { expect, test } from '@jest/globals';
import { withLowerCaseIds } from './body-ids.ts';

const paths = [['id'], ['items', '*', 'id'], ['ids', '*']];

test('ids become lower case at every place, and nothing else does', () => {
  const sent = { id: 'A', ids: ['B', 'c'], items: [{ id: 'D', title: 'E' }, { ids: ['F'] }], title: 'G' };
  const before = structuredClone(sent);
  const body = { id: 'a', ids: ['b', 'c'], items: [{ id: 'd', title: 'E' }, { ids: ['F'] }], title: 'G' };
  expect(withLowerCaseIds(sent, paths)).toEqual(body);
  expect(sent).toEqual(before);
});

test.each([
  undefined,
  null,
  'A',
  { id: null, ids: 'A', items: [undefined, 5, null] },
  JSON.parse('{"__proto__":{"id":"A"}}'),
])('parts that are missing or of another type stay as they are (%#)', (sent) => {
  expect(JSON.stringify(withLowerCaseIds(sent, paths))).toBe(JSON.stringify(sent));
});
