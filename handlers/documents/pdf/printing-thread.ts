/** The thread that prints: it gets one job at a time and answers with the bytes, or with why there are none. */
import { parentPort } from 'node:worker_threads';
import { documentLayout } from './layout.ts';
import { print } from './print.ts';
import type { Job, Printed } from './printer.ts';
import { sheetLayout } from './sheet-layout.ts';

/** Where it happened; the message itself might quote what is printed. */
const placesOf = ({ stack = '' }: Error) =>
  stack
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .join('');

parentPort?.on('message', async (job: Job) => {
  const answer: Printed = await print(
    job.kind === 'document' ? documentLayout(job.input) : sheetLayout(job.input),
  ).then(
    (bytes) => ({ bytes }),
    (error: Error) => ({ failure: `${error.name} ${placesOf(error)}` }),
  );
  parentPort?.postMessage(answer);
});
