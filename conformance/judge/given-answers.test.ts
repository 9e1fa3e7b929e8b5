import { expect, test } from '@jest/globals';
import type { Exchange } from '../http/exchange.ts';
import { GivenAnswers } from './given-answers.ts';

/** Which of these answers another request had got. */
function given(...answers: { id?: string; sent?: string; target?: string; body?: string }[]): boolean[] {
  const all = new GivenAnswers();
  const named = (id: string | undefined) => (id === undefined ? [] : [['X-Request-Id', id]]);
  return answers.map(({ id, sent, target = '/a', body = '{}' }) => {
    const exchange = { headers: named(id), requestHeaders: named(sent), target, status: 200, body: Buffer.from(body) };
    return all.wasGiven(exchange as unknown as Exchange);
  });
}

test('an answer that comes once more has been kept by somebody', () => {
  expect(given({ id: 'x' }, { id: 'y' }, { id: 'x' }, { id: 'x' })).toEqual([false, false, true, true]);
});

test.each([
  [
    'the caller has chosen the id',
    [
      { id: 'x', sent: 'x' },
      { id: 'x', sent: 'x' },
    ],
  ],
  ['there is no id', [{}, {}]],
  ['the target has one id for all answers', [{ id: 'x' }, { id: 'x', body: '[1]' }, { id: 'x' }]],
  ['the target has one id for all paths', [{ id: 'x' }, { id: 'x', target: '/b' }, { id: 'x' }]],
])('nothing is known where %s', (_what, answers) => {
  expect(given(...answers)).not.toContain(true);
});
