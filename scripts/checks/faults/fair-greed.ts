/** How the greedy tenant of `fair` sends requests: as often as it likes, without waiting for answers. */
import { once } from 'node:events';
import { join } from 'node:path';
import type { OwnProcessor } from '../../../conformance/processes/own-processor.ts';
import { nodeScript, RunningProgram } from '../../../conformance/processes/program.ts';
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

/**
 * Sends this many requests per second. @param ask makes the nth request; resolves to the status, or to undefined if all
 * went well
 */
export function askAndAsk(
  perSecond: number,
  ask: (nth: number) => Promise<{ status: number } | undefined>,
): GreedyTenant {
  const open = new Set<Promise<void>>();
  let [begun, good] = [0, 0];
  const timer = setInterval(() => {
    if (open.size >= MOST_OPEN) return;
    const asking = ask(begun++)
      .then((answer) => {
        if ((answer?.status ?? 200) === 200) good += 1;
      })
      .catch(() => {})
      .finally(() => open.delete(asking));
    open.add(asking);
  }, 1_000 / perSecond);
  return {
    async end() {
      clearInterval(timer);
      await Promise.all(open);
      return { begun, good };
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
  if (greedy) return askAndAsk(perSecond, () => greedy(tenants).then(() => undefined));
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
