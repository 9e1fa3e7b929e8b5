import { expect, test } from '@jest/globals';
import { grouped, progressReporter } from './progress.ts';

test('numbers are grouped by thousands', () => {
  expect([0, 999, 1000, 1234567].map(grouped)).toEqual(['0', '999', '1 000', '1 234 567']);
});

test('without a terminal, plain lines are printed at intervals, and the last one always', () => {
  const lines: string[] = [];
  let time = 0;
  const report = progressReporter('x', 2000, { write: (text) => lines.push(text) }, () => time);
  for (let done = 200; done <= 2000; done += 200) {
    time += 1_000;
    report(done);
  }
  expect(lines).toEqual(['x: 1 000 of 2 000 employees (50 %)\n', 'x: 2 000 of 2 000 employees (100 %)\n']);
});
