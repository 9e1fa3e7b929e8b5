import { describe, expect, test } from '@jest/globals';
import type { Delivery } from '../callbacks/delivery.ts';
import { attemptsVerdict, listenedFor } from './check-list.ts';

const schedule = { waits_s: [15, 60, 240, 960, 3840, 15_360, 61_440], jitter: 0.1, late_s: 30 };

/** Attempts separated by these waits, in seconds. */
function attempts(waits: readonly number[], bodies: readonly string[] = []): Delivery[] {
  let at_ms = 1_000_000;
  return [0, ...waits].map((wait, i) => {
    at_ms += wait * 1000;
    return { at_ms, body: bodies[i] ?? 'e30=' } as Delivery;
  });
}

const verdict = (all: readonly Delivery[], whole = true) => attemptsVerdict(all, schedule, whole);

describe('attempts over a day', () => {
  test('at the declared times, with jitter and network delay, break no rule', () => {
    expect(verdict(attempts(schedule.waits_s.map((wait) => wait * 1.08 + 2)))).toBe('');
  });

  test('that come too soon, too late, too often or changed break the rule', () => {
    expect(verdict(attempts([15, 50, 240]))).toContain('wait 2 took 50 s');
    expect(verdict(attempts([15, 60, 400]))).toContain('wait 3 took 400 s');
    expect(verdict(attempts(Array(8).fill(15)))).toBe('9 attempts came');
    expect(verdict(attempts([15, 60]))).toContain('3 attempts came in more than a day');
    expect(verdict(attempts([15], ['YQ==', 'Yg==']))).toContain('differs');
    const short = [1, 1, 1, 1, 1, 1, 17 * 3600];
    expect(attemptsVerdict(attempts(short), { ...schedule, waits_s: short }, true)).toContain('17.0 hours');
  });

  test('are not judged if too few were received', () => {
    expect(verdict(attempts([15, 60]), false)).toBeUndefined();
  });
});

test('listening counts over a restart of the suite, and not over a pause', () => {
  const spans = (gap: number) => [
    { from: 100_000 + gap, to: 500_000 },
    { from: 0, to: 100_000 },
  ];
  expect(listenedFor(spans(30_000), 50_000, 450_000)).toBe(true);
  expect(listenedFor(spans(90_000), 50_000, 450_000)).toBe(false);
  expect(listenedFor(spans(30_000), 50_000, 450_001)).toBe(false);
});
