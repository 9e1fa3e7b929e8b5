/**
 * Loaded into a child process before its program (`node --import`): ends it as SIGTERM would when the parent is gone,
 * however that ended. The parent holds the other end of standard input and writes nothing.
 */
import { Socket } from 'node:net';

process.stdin
  .once('end', () => process.kill(process.pid, 'SIGTERM'))
  .once('error', () => {})
  .resume();
// The watch alone must not keep the program running.
if (process.stdin instanceof Socket) process.stdin.unref();
