import type { RequestListener } from 'node:http';
import { expect, test } from '@jest/globals';
import { LATEST_MS } from '../engine/pacer.ts';
import type { TestContext } from '../engine/test-context.ts';
import { madeError } from '../mutation/alter.ts';
import { served } from '../testing/small-target.ts';
import { Api } from './api.ts';
import { type Exchange, headerOf } from './exchange.ts';
import { Silence } from './silence.ts';

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
const ofRun = () => ({ permit: async () => 'KEY', lateKeys: new Map<string, number>(), silence: new Silence() });
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
  const sending = apiOf(contextOf({ record, run: { ...ofRun() } })).send({ path: '/x', onAnswer });
  await answered;
  const atMs = performance.now();
  expect(recorded).toEqual([]);
  mayJudge();
  await sending;
  expect(recorded.map((exchange) => exchange.target)).toEqual(['/developer/v1/x']);
  expect(recorded[0]?.receivedAtMs).toBeLessThanOrEqual(atMs);
});

test.each(['wire', 'wireAnswers'] as const)('%s sends nothing once the check has to end', async (send) => {
  let asked = 0;
  answer = (_request, response) => {
    asked++;
    response.end('{}');
  };
  const permit = Promise.withResolvers<string>();
  let refusal: Error | undefined;
  const mustGoOn = () => {
    if (refusal) throw refusal;
  };
  const record = () => {};
  const sending = apiOf(contextOf({ mustGoOn, record, run: { permit: () => permit.promise } }))[send](
    'GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n',
  );
  refusal = new Error('over');
  permit.resolve('KEY');
  await expect(sending).rejects.toThrow('over');
  expect(asked).toBe(0);
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
  for (let isAtOnce = false; !isAtOnce; ) {
    let requests = 0;
    answer = (_request, response) => {
      response.statusCode = requests++ === 0 ? 429 : 200;
      setTimeout(() => response.end('{}'), response.statusCode === 429 ? afterMs : 0);
    };
    const statuses: number[] = [];
    let drains = 0;
    const record = ({ status }: Exchange) => statuses.push(status);
    const run = { ...ofRun(), drain: () => drains++ };
    const beganMs = performance.now();
    await apiOf(contextOf({ mayBeRefused, record, run })).send({ path: '/x' });
    // On a busy machine an answer that is sent at once may arrive late, which is another case.
    isAtOnce = afterMs > 0 || performance.now() - beganMs < LATEST_MS;
    if (isAtOnce) expect([statuses, drains]).toEqual([judged, drained]);
  }
});

test('a refusal by the limit right after a late answer to the same key is repeated, too', async () => {
  const statuses: number[] = [];
  let drains = 0;
  const lateKeys = new Map([['KEY', performance.now()]]);
  const record = ({ status }: Exchange) => statuses.push(status);
  const api = apiOf(contextOf({ record, run: { ...ofRun(), lateKeys, drain: () => drains++ } }));
  for (const [told, left] of [[429], [429]].entries()) {
    answer = (_request, response) => {
      response.statusCode = left.shift() ?? 200;
      response.end('{}');
    };
    if (told === 1) lateKeys.set('KEY', performance.now() - 2_001);
    await api.send({ path: '/x' });
  }
  expect([statuses, drains]).toEqual([[200, 429], 1]);
});

test.each([
  ['is repeated after that', 'GET', '3', false, [503, 200], [3]],
  ['is judged when it came three times', 'GET', '3', false, [503, 503, 503], [3, 3]],
  ['without that is judged', 'GET', '', false, [503], []],
  ['to a write is judged', 'POST', '3', false, [503], []],
  ['that a rule expects is judged', 'GET', '3', true, [503], []],
  ['to one who asks for a share in such a rule is repeated', 'GET', '3', true, [503, 200], [3], true],
])(
  'an answer 503 that says when to repeat %s',
  async (_what, method, retryAfter, mayBeUnavailable, statuses, waited, isPatient = false) => {
    let requests = 0;
    answer = (_request, response) => {
      response.statusCode = statuses[requests++] ?? 500;
      if (retryAfter !== '') response.setHeader('Retry-After', retryAfter);
      response.end(madeError('UNAVAILABLE').body);
    };
    const judged: number[] = [];
    const waits: number[] = [];
    const context = contextOf({
      values: { error_code_pointer: '/details/0/reason', error_codes: {} },
      mayBeUnavailable,
      record: ({ status }: Exchange) => judged.push(status),
      waitUntilAvailable: async (exchange: Exchange) => void waits.push(Number(headerOf(exchange, 'retry-after'))),
      run: { ...ofRun() },
    });
    await apiOf(context).send({ method, path: '/x', isPatient });
    expect([judged, waits, requests]).toEqual([[statuses.at(-1)], waited, statuses.length]);
  },
);
