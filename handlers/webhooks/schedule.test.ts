import { expect, test } from '@jest/globals';
import { MAX_ATTEMPTS, MAX_FAILURES, waitAfter } from './schedule.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The waits of D-27. */
const WAITS = [
  15 * SECOND,
  MINUTE,
  4 * MINUTE,
  16 * MINUTE,
  64 * MINUTE,
  4 * HOUR + 16 * MINUTE,
  17 * HOUR + 4 * MINUTE,
];

test.each([...WAITS.entries()])('the wait after failure %d + 1 is %d ms, and up to 10 %% more', (nth, wait) => {
  expect(waitAfter(nth + 1, 0)).toBe(wait);
  expect(waitAfter(nth + 1, 0.5)).toBe(wait * 1.05);
  expect(waitAfter(nth + 1, 1 - Number.EPSILON)).toBeLessThanOrEqual(wait * 1.1);
});

test('8 attempts take 22 h 45 min at least, and 20 failures in a row disable', () => {
  const all = Array.from({ length: MAX_ATTEMPTS - 1 }, (_, n) => waitAfter(n + 1, 0)).reduce((a, b) => a + b);
  expect([MAX_ATTEMPTS, MAX_FAILURES, WAITS.length]).toEqual([8, 20, 7]);
  expect(Math.floor(all / MINUTE)).toBe(22 * 60 + 45);
});
