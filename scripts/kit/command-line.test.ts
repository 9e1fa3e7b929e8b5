import { expect, test } from '@jest/globals';
import {
  commaList,
  commandLine,
  exitingWith,
  printable,
  refuse,
  runProgram,
  seconds,
  wholeNumber,
} from './command-line.ts';

class KnownFailure extends Error {}

/** Runs a program with the option --number. @returns its exit code and what it has written as the reason */
async function run(work: () => number, ...argv: string[]): Promise<[code: number, reason: string]> {
  let reason = '';
  const output = {
    stdout: () => {},
    stderr: (text: string) => {
      reason += text;
    },
  };
  const program = commandLine('program', 'Tests.', output)
    .option('--number <N>', 'a number', wholeNumber(1, 9_999))
    .action(exitingWith(work));
  return [await runProgram(program, argv, (error) => (error instanceof KnownFailure ? 4 : undefined)), reason];
}

const done = () => 0;
const failing = (error: Error) => () => {
  throw error;
};

test('an invalid command line is reported in one sentence, with exit code 2', async () => {
  expect(await run(done, '--nonsense')).toEqual([2, "error: unknown option '--nonsense'\n"]);
  for (const number of ['0', '10000', '1.5', 'x', '']) {
    expect(await run(done, '--number', number)).toEqual([
      2,
      expect.stringMatching(/^error: .* It must be a whole number from 1 to 9999\.\n$/),
    ]);
  }
  expect(await run(done, '--number', '1_000')).toEqual([0, '']);
  expect(await run(done, '--help')).toEqual([0, '']);
});

test('the exit code is what the command returns, or what its error means', async () => {
  expect(await run(() => 3)).toEqual([3, '']);
  expect(await run(() => refuse('No.'))).toEqual([1, 'No.\n']);
  expect(await run(failing(new KnownFailure('Known.')))).toEqual([4, 'Known.\n']);
  await expect(run(failing(new TypeError('a fault')))).rejects.toThrow('a fault');
});

test('durations have units, and lists are separated by commas', () => {
  expect([seconds('90'), seconds('90s'), seconds('10m'), seconds('8h')]).toEqual([90, 90, 600, 28_800]);
  for (const text of ['0', '8d', '200h', '']) expect(() => seconds(text)).toThrow('at most a week');
  expect(commaList('a, b,,a')).toEqual(['a', 'b']);
});

test('what would steer a terminal is written as an escape, and JSON stays what it was', async () => {
  const text = '\u001b[2J \u009b31m \r \u202eabc\u2066 \u2028';
  expect(printable(text)).toBe(String.raw`\u001b[2J \u009b31m \u000d \u202eabc\u2066 \u2028`);
  expect(printable('Әсел — 漢字 😀\tone\ntwo')).toBe('Әсел — 漢字 😀\tone\ntwo');
  expect(JSON.parse(printable(JSON.stringify({ text })))).toEqual({ text });
  expect(await run(failing(new KnownFailure('no \u001b[2J')))).toEqual([4, `no \\u001b[2J\n`]);
});
