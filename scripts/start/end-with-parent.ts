/**
 * Loaded into a child process before its program (`node --import`): ends it as SIGTERM would when the parent is gone,
 * however that ended. The parent holds the other end of standard input and writes nothing.
 */
import { Socket } from 'node:net';
import { isMainThread, Worker } from 'node:worker_threads';

const DEADLINE_MS = 4_000;

// A thread of the program loads this too; what it has for standard input ends at once.
if (isMainThread) watch();

function watch(): void {
  process.stdin
    .once('end', () => {
      // A thread of its own: a program whose output has nobody left to read it may block for ever while it ends.
      const deadline = `setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${DEADLINE_MS})`;
      new Worker(deadline, { eval: true, execArgv: [] }).unref();
      process.kill(process.pid, 'SIGTERM');
    })
    .once('error', () => {})
    .resume();
  // The watch alone must not keep the program running.
  if (process.stdin instanceof Socket) process.stdin.unref();
}
