/**
 * Loaded into a child process before its program (`node --import`). When the parent is gone, however it ended, this
 * ends the child as SIGTERM would. The parent holds the other end of standard input and writes nothing.
 */
import { Socket } from 'node:net';
import { isMainThread, Worker } from 'node:worker_threads';

const DEADLINE_MS = 4_000;

// Threads of the program load this file, too. They do not watch, because the standard input of a thread ends at once.
if (isMainThread) watch();

function watch(): void {
  process.stdin
    .once('end', () => {
      // The deadline runs in a separate thread, because a program may block forever while it ends if nobody reads its
      // output any more.
      const deadline = `setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${DEADLINE_MS})`;
      new Worker(deadline, { eval: true, execArgv: [] }).unref();
      process.kill(process.pid, 'SIGTERM');
    })
    .once('error', () => {})
    .resume();
  // Watching alone must not keep the program running.
  if (process.stdin instanceof Socket) process.stdin.unref();
}
