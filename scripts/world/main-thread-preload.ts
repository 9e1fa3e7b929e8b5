/** Loaded into a service (`node --import`), says on SIGUSR2 how long its main thread was held since the last time. */
import { isMainThread } from 'node:worker_threads';
import { watchThread } from './thread-watch.ts';

if (isMainThread) {
  const taken = watchThread();
  process.on('SIGUSR2', () => void process.stdout.write(`${JSON.stringify({ event: 'held', ...taken() })}\n`));
}
