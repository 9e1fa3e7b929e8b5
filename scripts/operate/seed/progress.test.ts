import { expect, test } from '@jest/globals';
import { grouped, progressLine, progressReporter } from './progress.ts';

test('numbers are grouped by thousands', () => {
  expect([0, 999, 1000, 1234567].map(grouped)).toEqual(['0', '999', '1 000', '1 234 567']);
});

test('a line shows the rate and the remaining time', () => {
  expect(progressLine('demo', 0, 2000, 0)).toBe('demo: 0 of 2 000 employees (0 %)');
  expect(progressLine('demo', 500, 2000, 1000)).toBe('demo: 500 of 2 000 employees (25 %), 500 a second, 3 s left');
  expect(progressLine('demo', 1000, 1_000_000, 1000)).toContain('16 min 39 s left');
  expect(progressLine('demo', 2000, 2000, 4000)).toBe('demo: 2 000 of 2 000 employees (100 %), 4 s, 500 a second');
});

test('without a terminal, plain lines are printed at intervals, and the last one always', () => {
  const lines: string[] = [];
  let time = 0;
  const report = progressReporter('x', 100, { write: (text) => lines.push(text) }, () => time);
  for (let done = 10; done <= 100; done += 10) {
    time += 1_000;
    report(done);
  }
  expect(lines).toHaveLength(2);
  expect(lines.every((line) => line.endsWith('\n') && !line.includes('\r'))).toBe(true);
  expect(lines.at(-1)).toContain('100 of 100');
});
