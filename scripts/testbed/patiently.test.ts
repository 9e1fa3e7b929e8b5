/** What tests do on a machine that stands still hides nothing that is wrong. */
import { describe, expect, jest, test } from '@jest/globals';
import { inTime, watchStalls } from './in-time.ts';
import { patiently } from './patiently.ts';
import { undisturbed } from './undisturbed.ts';

const answer = (status: number, headers: Record<string, string> = {}) => ({ status, headers: new Headers(headers) });
/** A function that returns one after the other. */
function inTurn<T>(...given: readonly T[]): () => Promise<T> {
  let nth = 0;
  return async () => given[nth++] as T;
}

describe('a request', () => {
  test('is sent again after the time that a 503 names, and only then', async () => {
    const sent = inTurn(answer(503, { 'retry-after': '1' }), answer(200));
    const startedAt = performance.now();
    expect(await patiently(sent)).toMatchObject({ status: 200 });
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(999);
  });

  test.each([
    ['a 503 that names no time', answer(503)],
    ['a 429', answer(429, { 'retry-after': '1' })],
    ['a 500', answer(500, { 'retry-after': '1' })],
  ])('is not sent again after %s', async (_what, first) => {
    const sent = inTurn(first, answer(200));
    expect(await patiently(sent)).toBe(first);
  });

  test('is sent again with all others of its connection', async () => {
    const sent = inTurn({ answers: [answer(200), answer(503, { 'retry-after': '1' })] }, { answers: [answer(404)] });
    expect((await patiently(sent)).answers).toMatchObject([{ status: 404 }]);
  });
});

describe('an attempt that fails', () => {
  /** Takes so long by the clock of the process, and fails every time. */
  function failing(tookMs: number) {
    let [nowMs, tries] = [0, 0];
    jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
    const attempt = async () => {
      tries++;
      nowMs += tookMs;
      throw new Error(`attempt ${tries}`);
    };
    return { attempt, tries: () => tries };
  }

  test.each([
    ['in time is made once', 90, 1],
    ['late is made again, but not for ever', 110, 5],
  ])('%s', async (_what, tookMs, tries) => {
    const one = failing(tookMs);
    await expect(inTime(100, one.attempt)).rejects.toThrow(`attempt ${tries}`);
    jest.restoreAllMocks();
    expect(one.tries()).toBe(tries);
  });
});

test('a process that stands still notices that', async () => {
  const stalled = watchStalls();
  const endAt = performance.now() + 300;
  while (performance.now() < endAt);
  expect(stalled()).toBeGreaterThanOrEqual(200);
});

test('a check is made again where it got no answer, and not where it finds something', async () => {
  const checks = inTurn('SKIPPED the database is not reached', 'FAIL no answer within 10 s', 'FAIL is off', 'OK');
  expect(await undisturbed(checks)).toBe('FAIL is off');
});
