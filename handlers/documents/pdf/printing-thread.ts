/** The printing thread: it gets one job at a time and answers with the bytes, or with the reason of a failure. */
import { platform, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { documentLayout, type FilledDocument } from './layout.ts';
import { print } from './print.ts';
import type { Job, PrintResult, ThreadData } from './printer.ts';
import { sheetLayout } from './sheet-layout.ts';

/** Where it happened; the message itself might quote what is printed. */
const placesOf = ({ stack = '' }: Error) =>
  stack
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .join('');

const SAMPLE: FilledDocument = {
  id: '00000000-0000-0000-0000-000000000000',
  title: 'Бұйрық',
  number: '1',
  date: '2000-01-01',
  organization: 'ТОО',
  locale: 'kk',
  blocks: [
    { type: 'paragraph', text: 'Мәтін', align: 'left', bold: false, indent: true },
    { type: 'table', columns: [{ title: 'Атауы', width: 1, align: 'left' }], rows: [['Мән']] },
  ],
};

const { isAhead, isForLong } = workerData as ThreadData;
/** The niceness of a thread that prints long documents: on a busy machine it still gets a third of what others get. */
const NICENESS = 5;

// Elsewhere this would be the priority of the whole process.
if (isForLong && platform() === 'linux') setPriority(NICENESS);

// The first document takes many times as long as later ones: fonts are read, and code is compiled.
if (isAhead) await print(documentLayout(SAMPLE));

parentPort?.on('message', async (job: Job) => {
  const answer: PrintResult = await print(
    job.kind === 'document' ? documentLayout(job.input) : sheetLayout(job.input),
  ).then(
    (bytes) => ({ bytes }),
    (error: Error) => ({ failure: `${error.name} ${placesOf(error)}` }),
  );
  parentPort?.postMessage(answer);
});
