/** The rules for the steps of a route (D-18). */
import { describe, expect, test } from '@jest/globals';
import type { CheckedRequest } from '../../http/handler.ts';
import { routeViolations, unfitParticipants } from './route.ts';
import { step } from './testing/acts.ts';

type Steps = NonNullable<CheckedRequest<'setDocumentRoute'>['body']['steps']>;

/** `A:x,y S:x*`: an approval by x and y, then a signature of x with EDS; `?` is a step of a wrong type. */
function stepsOf(text: string): Steps {
  const types = { A: 'STEP_TYPE_APPROVAL', S: 'STEP_TYPE_SIGNING' } as const;
  return text.split(' ').map((step) => {
    const [type = '', ids = ''] = step.split(':');
    const participants = ids.split(',').map((id) => ({
      employee_id: id.replace('*', ''),
      ...(id.endsWith('*') && { key_type: 'EDS' as const }),
    }));
    return { ...(type !== '?' && { step_type: types[type as keyof typeof types] }), participants };
  });
}

const NO_SIGNING = 'steps must hold at least one step of STEP_TYPE_SIGNING';
const AFTER = 'step_type must not be an approval after a signing step';
const EDS = 'key_type must not be EDS in an approval step';
const TWICE = 'employee_id must not stand twice in one step';

describe('the steps of a route', () => {
  test.each<[string, string[]]>([
    ['S:x', []],
    ['A:x S:x', []],
    ['A:x A:y,x S:x*,y S:x', []],
    ['A:x', [NO_SIGNING]],
    ['A:x A:y', [NO_SIGNING]],
    // What has no right type may have been meant as a signing step; its own fault is named elsewhere.
    ['? A:x', []],
    ['? S:x', []],
    ['S:x A:y', [`steps[1].${AFTER}`]],
    ['A:x S:x A:y S:x A:z', [`steps[2].${AFTER}`, `steps[4].${AFTER}`]],
    ['A:x* S:x', [`steps[0].participants[0].${EDS}`]],
    ['A:x,y* S:x', [`steps[0].participants[1].${EDS}`]],
    ['S:x,y,x', [`steps[0].participants[2].${TWICE}`]],
    ['S:x,x,x', [`steps[0].participants[1].${TWICE}`, `steps[0].participants[2].${TWICE}`]],
    ['S:x A:y*,y', [`steps[1].${AFTER}`, `steps[1].participants[0].${EDS}`, `steps[1].participants[1].${TWICE}`]],
  ])('%s', (text, expected) => {
    const found = routeViolations({ body: { steps: stepsOf(text) } });
    expect(found.map(({ field, description }) => `${field} ${description}`)).toEqual(expected);
  });

  test('of a wrong shape break no rule', () => {
    expect(routeViolations({ body: {} })).toEqual([]);
    const steps = [undefined, { step_type: 'STEP_TYPE_SIGNING' }, { participants: [undefined, {}, {}] }] as Steps;
    expect(routeViolations({ body: { steps } })).toEqual([]);
  });

  test('name each participant who may not take part', () => {
    const [first, second] = [step('SIGNING', 'ALL', 'a', 'b'), step('SIGNING', 'ALL', 'c', 'a')];
    const found = unfitParticipants([first, second], (id) => id === 'a');
    const description =
      'must be an employee whom the initiator sees, or the manager of the initiator, and who is not terminated';
    expect(found).toEqual([
      { field: 'steps[0].participants[1].employee_id', description },
      { field: 'steps[1].participants[0].employee_id', description },
    ]);
    expect(unfitParticipants([first], () => true)).toEqual([]);
  });
});
