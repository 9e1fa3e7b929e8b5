/** The parts of a body that passed its schema. */
import { expect, test } from '@jest/globals';
import { validators } from '../../generated/validators.js';
import { validParts } from './valid-parts.ts';

const ID = '00000000-0000-4000-8000-000000000000';

/** The valid parts of a route's body. */
function validRoute(body: unknown): unknown {
  const judge = validators.setDocumentRoute.body;
  expect(judge(body)).toBe(false);
  return validParts(body, judge.errors ?? []);
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

test('a missing part removes nothing; a route that is wrong as a whole leaves nothing', () => {
  const left = { participants: [{ employee_id: ID }] };
  expect(validRoute({ steps: [left] })).toEqual({ steps: [left] });
  expect(validRoute({ steps: [] })).toEqual({});
  expect(validRoute([])).toBeUndefined();
});
