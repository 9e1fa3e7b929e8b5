import { expect, test } from '@jest/globals';
import { run } from '../../kit/run-program.ts';
import { runCheck } from './run.ts';

const HANGS = [process.execPath, '-e', 'setInterval(() => {}, 1000)'];
const here = { cwd: import.meta.dirname };

test('a program that does not end is ended, and fails its check', async () => {
  expect(await run(HANGS, { ...here, withinMs: 50 })).toBe('a time-out after 0.05 s');
  const { passed, failures } = await runCheck('the check', HANGS, { ...here, withinMs: 50 });
  expect([passed, failures]).toEqual([0, [expect.stringMatching(/^the check ended with a time-out after 0.05 s/)]]);
});

test('a program that ends in time is judged by its exit code', async () => {
  expect(await run([process.execPath, '-e', 'process.exit(3)'], here)).toBe(3);
});
