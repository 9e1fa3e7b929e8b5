import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { temporaryFolder } from '../../../kit/leftovers.ts';
import { RunningProgram } from '../../../kit/program.ts';
import { collectable } from './resident.ts';

/** Two threads, which say when something that nothing refers to is gone. */
const PROGRAM = `
  import { isMainThread, Worker } from 'node:worker_threads';
  const name = isMainThread ? 'main' : 'other';
  const garbage = new WeakRef({});
  const timer = setInterval(() => {
    if (garbage.deref() !== undefined) return;
    console.log(name + ' collected');
    clearInterval(timer);
  }, 5);
  if (isMainThread) new Worker(new URL(import.meta.url));
  console.log(name + ' runs');
  setInterval(() => {}, 1_000);
`;

test('a signal makes all threads collect their garbage, and the process says what it keeps', async () => {
  const env = { ...process.env, ...collectable };
  const folder = temporaryFolder('collect-');
  // A thread whose program is given as text does not load what NODE_OPTIONS names.
  const file = join(folder, 'program.mjs');
  writeFileSync(file, PROGRAM);
  // An idle process would collect its garbage by itself, after some seconds.
  const program = new RunningProgram([process.execPath, '--no-memory-reducer', file], { env });
  try {
    const says = (words: string) => program.line((line) => line === words);
    await says('main runs');
    // The thread runs its script once what is loaded before it listens.
    await says('other runs');
    expect(program.stdout).not.toContain('collected');
    program.signal('SIGUSR2');
    const kept = await program.line((line) => /^collected 1 (\d+)$/.exec(line)?.[1]);
    expect(Number(kept)).toBeGreaterThan(1_000_000);
    await says('main collected');
    await says('other collected');
  } finally {
    await program.stop('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
});
