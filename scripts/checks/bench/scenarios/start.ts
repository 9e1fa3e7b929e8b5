/**
 * The start of a process on a database that is up and has its indexes: how long it takes until the first answer, and how
 * much slower the first request is than later ones, which find compiled code and open connections.
 */
import { inTurn } from '../../../testbed/ask.ts';
import { median } from '../../statistics.ts';
import { Client } from '../load.ts';
import { prepare } from '../place.ts';
import { finding, first, type Scenario, type ScenarioOptions, withProcesses } from '../scenario.ts';

const LATER = 100;

/** Milliseconds of one start. */
interface Start {
  /** From the start of the process to the first 200. */
  readonly untilAnswer: number;
  readonly firstRequest: number;
  readonly laterRequest: number;
}

async function started(options: ScenarioOptions, path: string, keys: readonly string[]): Promise<Start> {
  const startedAt = performance.now();
  return withProcesses(options, [{ ROLE: 'all' }], async (processes) => {
    using client = new Client(first(processes).url);
    const ask = (nth: number) => client.must(path, { key: inTurn(keys, nth) });
    const { sentMs, answeredMs } = await ask(0);
    const later: number[] = [];
    for (let nth = 1; nth <= LATER; nth++) {
      const one = await ask(nth);
      later.push(one.answeredMs - one.sentMs);
    }
    return {
      untilAnswer: answeredMs - startedAt,
      firstRequest: answeredMs - sentMs,
      laterRequest: median(later),
    };
  });
}

async function run(options: ScenarioOptions) {
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
  seconds: 30,
  run,
};
