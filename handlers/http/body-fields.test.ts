import { expect, test } from '@jest/globals';
import { validators } from '../../generated/validators.js';
import { giveFormOfHandlers, validParts } from './body-fields.ts';

const bodyIds = [['id'], ['items', '*', 'id'], ['ids', '*']];
const bodyOptionals = [['a'], ['items', '*', 'a', 'b'], ['id']];
const table = { bodyIds, bodyOptionals };

test('ids become lower case at every place, and nothing else does', () => {
  const sent = { id: 'A', ids: ['B', 'c'], items: [{ id: 'D', title: 'E' }, { ids: ['F'] }], title: 'G' };
  const body = { id: 'a', ids: ['b', 'c'], items: [{ id: 'd', title: 'E' }, { ids: ['F'] }], title: 'G' };
  giveFormOfHandlers(sent, table);
  expect(sent).toEqual(body);
});

test.each([
  null,
  { ids: 'A', items: [undefined, 5, null, { a: null }], other: null },
  { ids: {}, items: { id: 'A', a: null } },
  JSON.parse('{"__proto__":{"id":"A"}}'),
])('parts that are missing or of another type stay as they are (%#)', (sent) => {
  const before = JSON.stringify(sent);
  giveFormOfHandlers(sent, table);
  expect(JSON.stringify(sent)).toBe(before);
});

test('an optional field that is null is absent, at every place, and no other null is', () => {
  const sent = { id: null, a: null, c: null, items: [{ a: { b: null, c: null } }, { a: null, id: null }, null] };
  const body = { c: null, items: [{ a: { c: null } }, { a: null, id: null }, null] };
  giveFormOfHandlers(sent, table);
  expect(sent).toStrictEqual(body);
});

const ID = '00000000-0000-4000-8000-000000000000';

/** The valid parts of a route's body. */
function validRoute(body: unknown): unknown {
  const judge = validators.setDocumentRoute.body;
  expect(judge(body as never)).toBe(false);
  return validParts(body as never, judge.errors ?? []);
}

test('a wrong part is removed at its place, and the other parts keep theirs', () => {
  const participants = [{ employee_id: 5 }, { employee_id: ID, 'a/b~c': 1 }, 'x', { employee_id: ID }];
  const steps = [{ step_type: 'STEP_TYPE_SIGNING', rule: 'x', participants }, { participants: 'x' }];
  expect(validRoute({ steps, no_such_field: 1, ['__proto__']: 1 })).toEqual({
    steps: [
      { step_type: 'STEP_TYPE_SIGNING', participants: [{}, { employee_id: ID }, undefined, { employee_id: ID }] },
      {},
    ],
  });
});
