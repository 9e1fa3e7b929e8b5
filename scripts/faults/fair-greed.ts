/** How the greedy tenant of `fair` asks: as often as it likes, without waiting for answers. */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { note } from '../../handlers/testing/leftovers.ts';
import { makePatient } from '../patient.ts';
import type { Contest } from './fair-contests.ts';
import type { FairWorld } from './fair-sides.ts';

/** What it asked for, and how much of that it got. */
export interface Greed {
  readonly begun: number;
  readonly good: number;
}

/** A greedy tenant that asks. */
export interface Greedy {
  /** Asks no more, waits for the answers, and tells how many there were. */
  end(): Promise<Greed>;
}

/** How many answers are waited for at a time. */
const MOST_OPEN = 200;
const CLIENT = join(import.meta.dirname, 'fair-client.ts');

/** Asks so often in a second. @param ask for the nth thing; tells the status, or nothing where all went well */
export function askAndAsk(perSecond: number, ask: (nth: number) => Promise<{ status: number } | undefined>): Greedy {
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
 * Has the greedy tenant ask. Its requests come from a process of their own, which takes only the processor time that the
 * service leaves: what a client elsewhere does to its own machine must not be measured.
 */
export async function beGreedy(contest: Contest, world: FairWorld): Promise<Greedy> {
  const { name, perSecond, asks, greedy } = contest;
  if (greedy) return askAndAsk(perSecond, () => greedy(world).then(() => undefined));
  if (!asks) throw new Error(`Nobody is greedy in ${name}.`);
  const client = fork(CLIENT, { detached: true, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  makePatient(client);
  note(client);
  client.send({ name, url: world.url, side: world.greedy });
  await once(client, 'message');
  return {
    async end() {
      const told = once(client, 'message');
      client.send('end');
      const [greed] = await told;
      client.disconnect();
      return greed as Greed;
    },
  };
}
