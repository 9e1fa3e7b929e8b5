import { describe, expect, test } from '@jest/globals';
import { instantMs } from './instant.ts';

describe('instantMs', () => {
  test.each([
    ['2026-01-02T03:04:05Z', Date.UTC(2026, 0, 2, 3, 4, 5)],
    ['2026-01-02t03:04:05z', Date.UTC(2026, 0, 2, 3, 4, 5)],
    ['2026-01-02T08:04:05+05:00', Date.UTC(2026, 0, 2, 3, 4, 5)],
    ['2026-01-02T03:04:05.1Z', Date.UTC(2026, 0, 2, 3, 4, 5, 100)],
    ['2026-01-02T03:04:05.123000000Z', Date.UTC(2026, 0, 2, 3, 4, 5, 123)],
  ])('%s means the same instant in both directions of rounding', (text, expected) => {
    expect(instantMs('since', text, 'up')).toBe(expected);
    expect(instantMs('since', text, 'down')).toBe(expected);
  });

  test('digits beyond the millisecond round up or down as requested', () => {
    const base = Date.UTC(2026, 0, 2, 3, 4, 5, 123);
    expect(instantMs('since', '2026-01-02T03:04:05.123000001Z', 'up')).toBe(base + 1);
    expect(instantMs('since', '2026-01-02T03:04:05.123999999Z', 'down')).toBe(base);
  });

  test.each(['2026-01-02', '2026-01-02T03:04:05.0123456789Z'])(
    '%s is refused with the name of its parameter',
    (text) => {
      expect(() => instantMs('since', text, 'up')).toThrow(/^Invalid since: must be .*nine fraction digits/);
    },
  );
});
