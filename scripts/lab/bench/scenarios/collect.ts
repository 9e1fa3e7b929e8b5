/**
 * Loaded into a service that is measured (`node --expose-gc --import`), so that the product contains no switch for it.
 * On SIGUSR2 all threads of the process collect their garbage. Then the process says so on its standard output, with the
 * bytes that its main thread keeps in objects and in buffers.
 */
import { BroadcastChannel, isMainThread } from 'node:worker_threads';

/** Collects all that nothing refers to, and gives free pages back to the system. */
function collect(): void {
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

const threads = new BroadcastChannel('collect');
threads.unref();
if (isMainThread) {
  let times = 0;
  process.on('SIGUSR2', () => {
    threads.postMessage(undefined);
    collect();
    times += 1;
    const { heapUsed, external } = process.memoryUsage();
    process.stdout.write(`collected ${times} ${heapUsed + external}\n`);
  });
} else {
  threads.onmessage = collect;
}
