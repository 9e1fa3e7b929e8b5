import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { LATEST_MS } from '../engine/pacer.ts';
import type { RunContext } from '../engine/run-context.ts';
import { madeError } from '../mutation/alter.ts';
import { contextIn, runWith, served } from '../testing/small-target.ts';

/** How the target answers its next requests; 200 after that. */
let statuses: number[] = [];
/** How long it keeps a refusal by the limit. */
let refusedAfterMs = 0;
let retryAfter = '';
let asked = 0;
const target = served((_request, response) => {
  const status = statuses[asked++] ?? 200;
  if (retryAfter !== '') response.setHeader('Retry-After', retryAfter);
  setTimeout(() => response.writeHead(status).end(madeError('UNAVAILABLE').body), status === 429 ? refusedAfterMs : 0);
});

let run: RunContext;

beforeEach(() => {
  asked = 0;
  run = runWith({ base_url: target.baseUrl, keys: { full: ['KEY'] } }, { KEY: 'secret' });
});

afterEach(() => run.close());

test('an answer is judged when its caller asks for it, and carries the time of its arrival', async () => {
  statuses = [];
  const context = contextIn(run);
  const [answered, judge] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const onAnswer = () => {
    answered.resolve();
    return judge.promise;
  };
  const sending = context.as('full').send({ path: '/x', onAnswer });
  await answered.promise;
  const atMs = performance.now();
  expect(context.exchanges).toBe(0);
  judge.resolve();
  const { exchange } = await sending;
  expect([context.exchanges, exchange.target]).toEqual([1, '/developer/v1/x']);
  expect(exchange.receivedAtMs).toBeLessThanOrEqual(atMs);
});

test.each(['wire', 'wireAnswers'] as const)('%s sends nothing once the check has to end', async (send) => {
  const permit = Promise.withResolvers<string>();
  jest.spyOn(run, 'permit').mockReturnValue(permit.promise);
  const context = contextIn(run);
  const sending = context.as('full')[send]('GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n');
  context.refuse(new Error('over'));
  permit.resolve('KEY');
  await expect(sending).rejects.toThrow('over');
  expect(asked).toBe(0);
});

test.each<[what: string, how: { afterMs?: number; mayBeRefused?: boolean; lateMs?: number }, judged: number]>([
  ['after the target stood still for long is repeated', { afterMs: LATEST_MS + 50 }, 200],
  ['at once is judged', {}, 429],
  ['that a rule expects is judged', { afterMs: LATEST_MS + 50, mayBeRefused: true }, 429],
  ['right after a late answer to the same key is repeated, too', { lateMs: 0 }, 200],
  ['long after a late answer is judged', { lateMs: 2_001 }, 429],
])('a refusal by the limit %s', async (_what, { afterMs = 0, mayBeRefused = false, lateMs = 10_000 }, judged) => {
  statuses = [429];
  refusedAfterMs = afterMs;
  const drain = jest.spyOn(run, 'drain');
  for (let isAtOnce = false; !isAtOnce; ) {
    asked = 0;
    const lateAtMs = performance.now() - lateMs;
    run.lateKeys.set('KEY', lateAtMs);
    const context = Object.assign(contextIn(run), { mayBeRefused });
    // One that is judged is no fault of the target, and ends the check.
    await context
      .as('full')
      .send({ path: '/x' })
      .catch(() => {});
    // On a busy machine an answer that is sent at once may arrive late, which is another case.
    isAtOnce = afterMs > 0 || run.lateKeys.get('KEY') === lateAtMs;
    if (isAtOnce) expect(context.last?.status).toBe(judged);
  }
  // What is repeated has waited until the pacer has tokens again.
  if (judged === 200) expect(drain).toHaveBeenCalled();
});

test.each([
  ['is repeated after that', 'GET', '1', false, [503, 200]],
  ['is judged when it came three times', 'GET', '0', false, [503, 503, 503]],
  ['without that is judged', 'GET', '', false, [503]],
  ['to a write is judged', 'POST', '0', false, [503]],
  ['that a rule expects is judged', 'GET', '0', true, [503]],
  ['to one who asks for a share in such a rule is repeated', 'GET', '0', true, [503, 200], true],
])(
  'an answer 503 that says when to repeat %s, and only then is a server error',
  async (_what, method, seconds, mayBeUnavailable, all, isPatient = false) => {
    statuses = all;
    retryAfter = seconds;
    const context = Object.assign(contextIn(run), { mayBeUnavailable });
    const fromMs = performance.now();
    const { status } = await context.as('full').send({ method, path: '/x', isPatient });
    expect([status, asked, run.unavailable]).toEqual([all.at(-1), all.length, all.length - 1]);
    expect(performance.now() - fromMs).toBeGreaterThanOrEqual(run.unavailable * Number(seconds) * 990);
    expect(context.judged.has('ERR-1')).toBe(true);
    expect(context.judged.get('GEN-11')?.complaints ?? []).toHaveLength(status === 503 && !mayBeUnavailable ? 1 : 0);
  },
);
