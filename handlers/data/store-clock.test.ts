import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { Store } from './store.ts';
import { readStoreClock, storeNowMs } from './store-clock.ts';

const START = Date.parse('2026-03-16T00:00:00Z');

beforeEach(() => {
  jest.useFakeTimers({ now: START });
});
afterEach(() => {
  jest.useRealTimers();
});

/**
 * Asks a database whose clock is `aheadMs` ahead. @param tookMs time until the answer is read, all of it on the way
 * back
 */
async function ask(aheadMs: number, tookMs: number): Promise<number> {
  const command = async () => {
    const localTime = new Date(Date.now() + aheadMs);
    jest.setSystemTime(Date.now() + tookMs);
    return { localTime };
  };
  await readStoreClock({ db: { command } } as unknown as Store);
  return storeNowMs() - Date.now();
}

test.each([
  ['an hour ahead', 3_600_000, 3_600_000],
  ['an hour behind', -3_600_000, -3_600_000],
  ['as good as right', 1_500, 0],
])('a clock that is %s', async (_what, aheadMs, skewMs) => {
  expect(await ask(aheadMs, 0)).toBe(skewMs);
});

test('an answer that is read late does not make the clocks differ', async () => {
  expect(await ask(0, 9_000)).toBe(0);
  // Retries would be too early or too late by the same amount.
  expect(await ask(3_600_000, 9_000)).toBe(3_600_000 - 4_500);
});
