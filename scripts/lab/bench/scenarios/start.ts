/**
 * The start of a process on a database that is up and has its indexes: how long it takes until the first answer, and how
 * much slower the first request is than later ones, which find compiled code and open connections.
 */
import { median } from '../../../kit/statistics.ts';
import { inTurn } from '../../../world/ask.ts';
import { finding, type Scenario } from '../../scenario.ts';
import { type Measuring, measuring, prepare, startMeasured, timed } from '../measuring.ts';

const LATER = 100;

/** Milliseconds of one start. */
interface Start {
  /** From the start of the process to the first 200. */
  readonly untilAnswer: number;
  readonly firstRequest: number;
  readonly laterRequest: number;
}

async function started({ place }: Measuring, path: string, keys: readonly string[]): Promise<Start> {
  const startedAt = performance.now();
  const server = await startMeasured(place);
  const ask = async (nth: number) => (await timed(server, { path, key: inTurn(keys, nth) })).tookMs;
  const firstRequest = await ask(0);
  const untilAnswer = performance.now() - startedAt;
  const later: number[] = [];
  for (let nth = 1; nth <= LATER; nth++) later.push(await ask(nth));
  await server.process.stop();
  return { untilAnswer, firstRequest, laterRequest: median(later) };
}

async function run(options: Measuring) {
  const { keys, employeeIds } = await prepare(options.place.store, 100);
  // The client's own first request must not be slower than its later ones.
  await started(options, `/employees/${employeeIds[0]}`, keys);
  const starts: Start[] = [];
  const rounds = options.isQuick ? 1 : 7;
  for (let nth = 1; nth <= rounds; nth++) {
    options.say(`start ${nth} of ${rounds}`);
    starts.push(await started(options, `/employees/${employeeIds[0]}`, keys));
  }
  const of = (field: keyof Start) => median(starts.map((one) => one[field]));
  const ratio = median(starts.map(({ firstRequest, laterRequest }) => firstRequest / laterRequest));
  return [
    finding('from the start of the process to its first 200', of('untilAnswer') / 1000, 's', { most: 1.5 }),
    finding('the first request', of('firstRequest'), 'ms'),
    finding(`median of ${LATER} later ones`, of('laterRequest'), 'ms'),
    finding('ratio of the first request to later ones', ratio, '×'),
  ];
}

/** The scenario. */
export const start: Scenario = {
  name: 'start',
  about: 'the start of a process, and its first request against later ones',
  finds: 'a process that starts slowly, or whose first requests are slow',
  run: measuring(run),
};
