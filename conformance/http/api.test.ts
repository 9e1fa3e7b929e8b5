import type { RequestListener } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { LATEST_MS, Places } from '../engine/pacer.ts';
import { served } from '../engine/small-target.ts';
import type { TestContext } from '../engine/test-context.ts';
import { Api } from './api.ts';
import type { Exchange } from './exchange.ts';

let answer: RequestListener;
const target = served((request, response) => answer(request, response));

/** The part of a check's context that requests with the key KEY use. */
const contextOf = (more: object) =>
  ({
    rule: { id: 'X-1' },
    profile: {},
    secretOf: () => 'secret',
    mustGoOn: () => {},
    ...more,
  }) as unknown as TestContext;
const apiOf = (context: TestContext) => new Api(context, { names: ['KEY'], baseUrl: target.baseUrl });

test('an answer is judged when its caller asks for it, and carries the time of its arrival', async () => {
  answer = (_request, response) => void response.end('{}');
  const recorded: Exchange[] = [];
  const record = (exchange: Exchange) => recorded.push(exchange);
  const { promise: answered, resolve: onceAnswered } = Promise.withResolvers<void>();
  const { promise: judge, resolve: mayJudge } = Promise.withResolvers<void>();
  const onAnswer = () => {
    onceAnswered();
    return judge;
  };
  const sending = apiOf(contextOf({ record, run: { permit: async () => 'KEY' } })).send({ path: '/x', onAnswer });
  await answered;
  const atMs = performance.now();
  expect(recorded).toEqual([]);
  mayJudge();
  await sending;
  expect(recorded.map((exchange) => exchange.target)).toEqual(['/developer/v1/x']);
  expect(recorded[0]?.receivedAtMs).toBeLessThanOrEqual(atMs);
});

test.each([
  [
    'after the target stood still for long is repeated once the pacer has no tokens left',
    LATEST_MS + 50,
    false,
    [200],
    1,
  ],
  ['at once is judged', 0, false, [429], 0],
  ['that a rule expects is judged', LATEST_MS + 50, true, [429], 0],
])('a refusal by the limit %s', async (_what, afterMs, mayBeRefused, judged, drained) => {
  let requests = 0;
  answer = (_request, response) => {
    response.statusCode = requests++ === 0 ? 429 : 200;
    setTimeout(() => response.end('{}'), response.statusCode === 429 ? afterMs : 0);
  };
  const statuses: number[] = [];
  let drains = 0;
  const record = ({ status }: Exchange) => statuses.push(status);
  const run = { permit: async () => 'KEY', drain: () => drains++ };
  await apiOf(contextOf({ mayBeRefused, record, run })).send({ path: '/x' });
  expect([statuses, drains]).toEqual([judged, drained]);
});

test.each([
  ['wait for their place', { limit: 1000 }, false, 2],
  ['wait, too, if they search', { search: 'a' }, false, 2],
  ['do not wait if they are small', { limit: 200 }, false, 4],
  ['do not wait in a rule that asks for more than a share', { limit: 1000 }, true, 4],
])('large reads %s', async (_what, query, mayBeUnavailable, atOnce) => {
  let permits = 0;
  const { promise: mayGo, resolve: go } = Promise.withResolvers<string>();
  const permit = () => {
    permits++;
    return mayGo;
  };
  answer = (_request, response) => void response.end('{}');
  const context = contextOf({ mayBeUnavailable, record: () => {}, run: { permit, largeReads: new Places(2) } });
  const sent = Array.from({ length: 4 }, () => apiOf(context).get('/x', query));
  await setImmediate();
  expect(permits).toBe(atOnce);
  go('KEY');
  await Promise.all(sent);
  expect(permits).toBe(4);
});
