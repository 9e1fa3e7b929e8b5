import { afterEach, describe, expect, test } from '@jest/globals';
import { setClockOffset } from './clock.ts';
import { dayAfter, todayIn } from './day.ts';

afterEach(() => setClockOffset(0));

describe('todayIn', () => {
  test.each([
    ['2026-03-02T18:50:00.000Z', 'Asia/Almaty', '2026-03-02'],
    ['2026-03-02T19:00:00.500Z', 'Asia/Almaty', '2026-03-03'],
    ['2026-03-02T19:00:00.500Z', 'UTC', '2026-03-02'],
    ['2026-01-01T04:59:00.000Z', 'America/New_York', '2025-12-31'],
    ['2024-02-29T10:30:00.000Z', 'Pacific/Kiritimati', '2024-03-01'],
  ])('%s in %s is %s', (instant, zone, day) => {
    // The clock keeps running meanwhile, but by much less than the time to the next day.
    setClockOffset(Date.parse(instant) - Date.now());
    expect(todayIn(zone)).toBe(day);
  });
});

test.each([
  ['2026-03-31', '2026-04-01'],
  ['2024-02-28', '2024-02-29'],
  ['2026-12-31', '2027-01-01'],
  ['9999-12-31', ''],
])('the day after %s is %j', (day, next) => {
  expect(dayAfter(day)).toBe(next);
});
