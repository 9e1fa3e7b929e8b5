/** The end of a program, seen from outside: what it printed, its exit code, what it leaves behind. */
import { writeFile } from 'node:fs/promises';
import { constants } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { eventually } from './eventually.ts';
import { nodeScript, RunningProgram } from './program.ts';
import { testFolder } from './testing/test-folder.ts';

const module = (name: string) => JSON.stringify(new URL(name, import.meta.url).href);
const BEGINNING = `import { runMain, untilStopped } from ${module('./ending.ts')};
import { RunningProgram } from ${module('./program.ts')};
const forEver = () => new Promise(() => setInterval(() => {}, 1000));
const aborted = () => Promise.race([forEver(), new Promise((resolve) => untilStopped().addEventListener('abort', resolve))]);
`;

const dir = testFolder();
let made = 0;

/** Writes a program whose `main` has this body. @returns its command line */
async function program(body: string): Promise<string[]> {
  const file = path.join(dir, `${++made}.mjs`);
  await writeFile(file, `${BEGINNING}await runMain(async () => { ${body} });`);
  return nodeScript(file);
}

/** Starts it, and waits until it has written `ready …` to standard error. @returns the word after it, too */
async function started(body: string): Promise<{ running: RunningProgram; word: string }> {
  const heard = Promise.withResolvers<void>();
  const onOutput = (_: string, from: string) => from === 'stderr' && heard.resolve();
  const running = new RunningProgram(await program(body), { onOutput });
  await Promise.race([heard.promise, running.ended]);
  return { running, word: /ready (\w+)/.exec(running.stderr)?.[1] ?? '' };
}

const hears = (running: RunningProgram) => new Promise((resolve) => running.child.stderr?.once('data', resolve));

/** Reads nothing of what it prints before it ends. */
function readAtEnd({ child }: RunningProgram): void {
  child.stdout?.pause();
  child.once('exit', () => child.stdout?.resume());
}

describe('what a program has printed', () => {
  // More than pipes and sockets hold.
  const PRINT = "process.stdout.write('x'.repeat(2 ** 20)); process.stderr.write('ready');";

  test('is written to its end, although the reader is slow', async () => {
    const running = new RunningProgram(await program(`${PRINT} return 3;`), { keptOutput: 2 ** 21 });
    running.child.stdout?.pause();
    await hears(running);
    running.child.stdout?.resume();
    expect([await running.ended, running.stdout.length]).toEqual([3, 2 ** 20]);
  });

  test('does not keep a program that was asked to stop', async () => {
    const running = new RunningProgram(await program(`const stop = aborted(); ${PRINT} await stop; return 0;`));
    readAtEnd(running);
    await hears(running);
    expect(await running.stop()).toBe(0);
  });

  test.each([
    ['ends it quietly', 'await forEver();', 0, 'ready'],
    ['stops a program that tidies up', "await aborted(); process.stderr.write(' tidy'); return 4;", 4, 'ready tidy'],
  ])('and a reader that goes away %s', async (_, rest, code, said) => {
    const print = "setInterval(() => process.stdout.write('line\\n'), 1); process.stderr.write('ready');";
    const { running } = await started(
      rest.startsWith('await aborted') ? `setTimeout(() => { ${print} }); ${rest}` : `${print} ${rest}`,
    );
    running.child.stdout?.destroy();
    expect([await running.ended, running.stderr]).toEqual([code, said]);
  });

  test.each([
    ['is a failure', 'return 0;', ''],
    [
      'is no reason to stop a program that tidies up',
      "untilStopped(); await new Promise(setImmediate); process.stderr.write('goes on '); return 0;",
      'goes on ',
    ],
  ])('but cannot be written %s', async (_, rest, before) => {
    const [node = '', ...args] = await program(`console.log('line'); ${rest}`);
    const shell = ['sh', '-c', 'exec "$@" > /dev/full', 'sh', node, ...args];
    const running = new RunningProgram(shell);
    expect([await running.ended, running.stderr]).toEqual([
      1,
      `${before}The output could not be written: ENOSPC: no space left on device, write\n`,
    ]);
  });
});

describe.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s', (signal) => {
  const killed = 128 + constants.signals[signal];
  const child = `new RunningProgram(${JSON.stringify([process.execPath, '-e', "process.on('SIGTERM', () => { console.log('ended'); process.exit(); }); console.log('on'); setInterval(() => {}, 1000);"])}, { onOutput: (text) => process.stderr.write('ready ' + text) })`;

  test('ends a program and what it has started', async () => {
    const { running } = await started(`const { pid } = ${child}; process.stdout.write(String(pid)); await forEver();`);
    expect(await running.stop(signal)).toBe(killed);
    await eventually('the end of what it has started', () => {
      try {
        return !process.kill(Number(running.stdout), 0);
      } catch {
        return true;
      }
    });
  });

  test('sent twice at once is one request to stop, which a program answers with its own exit code', async () => {
    const body = `const stop = aborted(); process.stderr.write('ready'); await stop;
      await new Promise((next) => setTimeout(next, 50)); return 6;`;
    const { running } = await started(body);
    running.signal(signal);
    expect(await running.stop(signal)).toBe(6);
  });

  test('sent again while a stopped program writes its last output is the same request', async () => {
    const body = `const stop = aborted(); process.stdout.write('x'.repeat(2 ** 20)); process.stderr.write('ready');
      await stop; process.stderr.write('tidy'); return 6;`;
    const { running } = await started(body);
    readAtEnd(running);
    running.signal(signal);
    while (!running.stderr.includes('tidy')) await hears(running);
    expect(await running.stop(signal)).toBe(6);
  });

  test('sent again later ends a program that does not end', async () => {
    const body = `untilStopped().addEventListener('abort', () => {
        const now = performance.now();
        performance.now = () => now + 5000;
        console.log('ready');
      });
      process.stderr.write('ready'); await forEver();`;
    const { running } = await started(body);
    running.signal(signal);
    await running.line((line) => line);
    expect(await running.stop(signal)).toBe(killed);
  });
});
