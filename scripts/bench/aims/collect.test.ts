import { expect, test } from '@jest/globals';
import { RunningProgram } from '../../processes/program.ts';
import { collectable } from './resident.ts';

/** Says when something that nothing refers to is gone. So little garbage is not collected by itself. */
const WATCHES = `
  const { isMainThread, Worker } = require('node:worker_threads');
  const garbage = new WeakRef({});
  const timer = setInterval(() => {
    if (garbage.deref() !== undefined) return;
    console.log(isMainThread ? 'gone' : 'gone in the thread');
    clearInterval(timer);
  }, 5);
`;
const PROGRAM = `${WATCHES}
  new Worker(${JSON.stringify(WATCHES)}, { eval: true }).once('online', () => console.log('ready'));
  setInterval(() => {}, 1_000);
`;

test('a signal makes all threads collect their garbage, and the process says what it keeps', async () => {
  const env = { ...process.env, ...collectable };
  const program = new RunningProgram([process.execPath, '--disable-warning=ExperimentalWarning', '-e', PROGRAM], {
    env,
  });
  try {
    await program.line((line) => line === 'ready' || undefined);
    expect(program.stdout).not.toContain('gone');
    program.signal('SIGUSR2');
    const kept = await program.line((line) => /^collected 1 (\d+)$/.exec(line)?.[1]);
    expect(Number(kept)).toBeGreaterThan(1_000_000);
    await program.line((line) => line === 'gone' || undefined);
    await program.line((line) => line === 'gone in the thread' || undefined);
  } finally {
    await program.stop('SIGKILL');
  }
});
