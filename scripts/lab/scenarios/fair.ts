/**
 * A greedy tenant requests as much as it can of something that tenants share, and a patient tenant requests the same
 * now and then (D-33). The patient one is measured alternately alone and together with the greedy one, on the same
 * process, so that other load on the machine affects both measurements equally.
 */

import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { nodeScript, RunningProgram } from '../../kit/program.ts';
import { percentile } from '../../kit/statistics.ts';
import { unexpectedLines } from '../judges/logs.ts';
import { type Result, type Scenario, type ScenarioOptions, size, slack } from '../scenario.ts';
import { inOwnWorld, type OwnWorld } from '../scene.ts';
import { SteadyLoad } from '../steady-load.ts';
import { type Contest, contests } from './fair-contests.ts';
import { type FairTenants, makeTenant } from './fair-tenants.ts';
import { type OwnProcessor, ownProcessor } from './own-processor.ts';

/** A greedy tenant that is sending requests. */
interface GreedyTenant {
  /** Stops sending, and waits for the answers. @returns how much it requested, and how much of that it got */
  end(): Promise<{ readonly begun: number; readonly good: number }>;
}

/** How many requests may wait for an answer at a time. */
const MOST_OPEN = 200;
const CLIENT = join(import.meta.dirname, 'fair-client.ts');

/** Sends this many requests per second. @param ask makes the nth request, and says whether it got what it asked for */
export function askAndAsk(perSecond: number, ask: (nth: number) => Promise<boolean>): GreedyTenant {
  let open = 0;
  const load = new SteadyLoad(perSecond, async (nth) => {
    if (open >= MOST_OPEN) return undefined;
    open += 1;
    const isGood = await ask(nth).catch(() => false);
    open -= 1;
    return isGood;
  });
  return {
    async end() {
      const begun = (await load.end()).filter((isGood) => isGood !== undefined);
      return { begun: begun.length, good: begun.filter(Boolean).length };
    },
  };
}

/**
 * Makes the greedy tenant send requests. They come from a separate process, on a processor of its own: in reality the
 * client uses its own machine, so its load must not be measured.
 * @param own where the machine has no such processor, the client gets only the time that the service leaves
 */
async function beGreedy(contest: Contest, tenants: FairTenants, own: OwnProcessor | undefined): Promise<GreedyTenant> {
  const { name, perSecond, asks, greedy } = contest;
  if (greedy) return askAndAsk(perSecond, () => greedy(tenants).then(() => true));
  if (!asks) throw new Error(`The contest ${name} has no greedy client.`);
  const onOutput = (text: string) => process.stderr.write(text);
  const argv = nodeScript(CLIENT);
  const { child: client } = new RunningProgram(own?.argv(argv) ?? argv, {
    niceness: own === undefined ? 19 : 0,
    hasMessages: true,
    onOutput,
  });
  client.send({ name, url: tenants.url, side: tenants.greedy });
  await once(client, 'message');
  return {
    async end() {
      const reported = once(client, 'message');
      client.send('end');
      const [greed] = await reported;
      client.disconnect();
      return greed;
    },
  };
}

const OWN = 'The greedy client had a processor of its own; the service and its database had the others.';
const SHARED =
  'No processor could be left to the greedy client (taskset, two processors), so its cost is measured too.';
const MOST_RATIO = 2;
/** The time between two requests of the patient tenant, in milliseconds: its keys never reach their limit. */
const PATIENT_MS = 100;
/** How long the greedy tenant runs before the patient tenant is measured together with it. */
const HEAD_START_MS = 1_000;
const EMPLOYEES = { greedy: 5_000, patient: 1_000 };
const WARM = 10;

/** @throws Error when a process does not even start, or when the patient tenant is refused while it is alone */
async function run(world: OwnWorld, options: ScenarioOptions, own: OwnProcessor | undefined): Promise<Result> {
  const greedy = await makeTenant(world.store, EMPLOYEES.greedy);
  const patient = await makeTenant(world.store, EMPLOYEES.patient);
  const server = await world.start({ ROLE: 'all' });
  const tenants: FairTenants = { world, url: server.url, greedy, patient };
  const [lines, wrong]: [string[], string[]] = [[], []];
  const { isChosen, size: sizeOf } = options;
  for (const contest of contests.filter(({ name }) => isChosen(name))) {
    const { alone, beside, asked, served } = await held(contest, tenants, options, own, wrong);
    const ratio = Math.round((100 * beside.p99) / alone.p99) / 100;
    lines.push(
      `${contest.name}: p50/p99 ${alone.p50}/${alone.p99} ms alone, ${beside.p50}/${beside.p99} ms beside the greedy ` +
        `tenant (ratio ${ratio}), who got ${served} of ${asked}.`,
    );
    if (ratio > (contest.mostRatio ?? MOST_RATIO) * sizeOf('slack'))
      wrong.push(`${contest.name}: the p99 grew to ${ratio} times what it was alone`);
  }
  wrong.push(...unexpectedLines(server));
  return { lines: [...lines, own ? OWN : SHARED], wrong };
}

async function held(
  contest: Contest,
  tenants: FairTenants,
  { size: sizeOf, say }: ScenarioOptions,
  own: OwnProcessor | undefined,
  wrong: string[],
): Promise<{ alone: Times; beside: Times; asked: number; served: number }> {
  const [rounds, samples] = [sizeOf('rounds'), sizeOf('samples')];
  await contest.prepare?.(tenants);
  const times = { alone: [] as number[], beside: [] as number[] };
  const figures = () => ({ alone: timesOf(times.alone), beside: timesOf(times.beside) });
  let [asked, served, nth] = [0, 0, 0];
  const measured = async (count: number): Promise<number[]> => {
    const taken: number[] = [];
    for (let sample = 0; sample < count; sample++) {
      await contest.before?.(tenants);
      const fromMs = performance.now();
      await contest.patient(tenants, nth++);
      taken.push(performance.now() - fromMs);
      await pause(PATIENT_MS);
    }
    return taken;
  };
  await measured(WARM);
  for (let round = 0; round < rounds; round++) {
    times.alone.push(...(await measured(samples)));
    const greedy = await beGreedy(contest, tenants, own);
    await pause(HEAD_START_MS);
    // A refusal took no time, so it is not a measurement.
    await measured(samples).then(
      (taken) => times.beside.push(...taken),
      (error) => wrong.push(`${contest.name}: ${(error as Error).message}`),
    );
    const { begun, good } = await greedy.end();
    [asked, served] = [asked + begun, served + good];
    await contest.clear?.(tenants);
    const { alone, beside } = figures();
    say(
      `${contest.name}, ${round + 1} of ${rounds}: p99 ${alone.p99} ms alone, ${beside.p99} ms beside the greedy one`,
    );
  }
  return { ...figures(), asked, served };
}

type Times = ReturnType<typeof timesOf>;

/** Milliseconds. */
function timesOf(taken: readonly number[]) {
  const rounded = (share: number) => Math.round(10 * percentile(taken, share)) / 10;
  return { p50: rounded(0.5), p99: rounded(0.99) };
}

/**
 * The scenario. It takes minutes, and a ratio of latencies is meaningful only on an idle machine.
 */
export const fair: Scenario = {
  name: 'fair',
  about: 'One tenant requests as much as it can of what tenants share: another tenant waits at most twice as long.',
  finds: 'something that tenants share and that is not handed out tenant by tenant',
  defect: {
    file: 'handlers/fairness/shares.ts',
    find: 'this.#tenants.delete(tenantId); waiting.delete(first);',
    replace: 'waiting.delete(first);',
  },
  sizes: [
    size('rounds', 'alone and beside the greedy tenant, in turn', 3, 1),
    size('samples', 'of the patient tenant in each half of a round', 60, 10),
    slack,
  ],
  parts: contests.map(({ name }) => name),
  async run(options) {
    const own = ownProcessor();
    try {
      return await inOwnWorld((world) => run(world, options, own))(options);
    } finally {
      own?.release();
    }
  },
};
