import { describe, expect, test } from '@jest/globals';
import type { Delivery } from '../callbacks/delivery.ts';
import { bodyVerdict, countVerdict, listenedFor, spanVerdict, waitsVerdict } from './attempts.ts';

const schedule = { waits_s: [15, 60, 240, 960, 3840, 15_360, 61_440], jitter: 0.1, late_s: 30 };

/** Attempts separated by these waits, in seconds. */
function attempts(waits: readonly number[], bodies: readonly string[] = []): Delivery[] {
  let at_ms = 1_000_000;
  return [0, ...waits].map((wait, i) => {
    at_ms += wait * 1000;
    return { at_ms, body: bodies[i] ?? 'e30=' } as Delivery;
  });
}

describe('attempts over a day', () => {
  test('at the declared times, with jitter and network delay, break no rule', () => {
    const all = attempts(schedule.waits_s.map((wait) => wait * 1.08 + 2));
    expect(waitsVerdict(all, schedule)).toBe('');
    expect(spanVerdict(all)).toBe('');
    expect(countVerdict(all, true)).toBe('');
    expect(bodyVerdict(all)).toBe('');
  });

  test('that come too soon, too late, too often or changed break the rule', () => {
    expect(waitsVerdict(attempts([15, 50, 240]), schedule)).toContain('wait 2 took 50 s');
    expect(waitsVerdict(attempts([15, 60, 400]), schedule)).toContain('wait 3 took 400 s');
    expect(spanVerdict(attempts([1, 1, 1, 1, 1, 1, 17 * 3600]))).toContain('17.0 hours');
    expect(countVerdict(attempts([1, 1, 1, 1, 1, 1, 1, 1]), false)).toBe('9 attempts came');
    expect(countVerdict(attempts([1, 1]), true)).toContain('3 attempts came in more than a day');
    expect(bodyVerdict(attempts([1], ['YQ==', 'Yg==']))).toContain('differs');
  });

  test('are not judged if too few were received', () => {
    expect(waitsVerdict(attempts([15]), schedule)).toBeUndefined();
    expect(spanVerdict(attempts([15, 60]))).toBeUndefined();
    expect(countVerdict(attempts([15, 60]), false)).toBeUndefined();
    expect(bodyVerdict(attempts([]))).toBeUndefined();
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
