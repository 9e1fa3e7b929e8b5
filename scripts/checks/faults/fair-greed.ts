/** How the greedy tenant of `fair` sends requests: as often as it likes, without waiting for answers. */
import { once } from 'node:events';
import { join } from 'node:path';
import type { OwnProcessor } from '../../../conformance/processes/own-processor.ts';
import { nodeScript, RunningProgram } from '../../../conformance/processes/program.ts';
import { SteadyLoad } from '../steady-load.ts';
import type { Contest } from './fair-contests.ts';
import type { FairTenants } from './fair-tenants.ts';

/** How much it requested, and how much of that it got. */
export interface Greed {
  readonly begun: number;
  readonly good: number;
}

/** A greedy tenant that is sending requests. */
export interface GreedyTenant {
  /** Stops sending, waits for the answers, and returns how many there were. */
  end(): Promise<Greed>;
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
export async function beGreedy(
  contest: Contest,
  tenants: FairTenants,
  own: OwnProcessor | undefined,
): Promise<GreedyTenant> {
  const { name, perSecond, asks, greedy } = contest;
  if (greedy) return askAndAsk(perSecond, () => greedy(tenants).then(() => true));
  if (!asks) throw new Error(`The contest ${name} has no greedy client.`);
  const onOutput = (text: string) => process.stderr.write(text);
  const argv = nodeScript(CLIENT);
  const { child: client } = new RunningProgram(own?.argv(argv) ?? argv, {
    isPatient: own === undefined,
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
      return greed as Greed;
    },
  };
}
