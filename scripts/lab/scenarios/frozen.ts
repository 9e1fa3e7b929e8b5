/**
 * A process of the service is frozen with SIGSTOP, at named moments around its writes and answers, for longer than it
 * may hold a lease: a machine that is suspended, or one that swaps. Its clients repeat their requests at another
 * process. Then it wakes, and goes on in the middle of work that another has done.
 */
import { eventually } from '../../kit/eventually.ts';
import { freeze, isFrozen } from '../../kit/frozen.ts';
import { inTurn } from '../../world/ask.ts';
import { OwnDatabase } from '../../world/database.ts';
import type { RunningServer } from '../../world/server.ts';
import { planting } from '../faults/plant.ts';
import { endedBadly } from '../judges/logs.ts';
import { momentsOf } from '../moments.ts';
import { size } from '../scenario.ts';
import { endLeases, type Scene } from '../scene.ts';
import { surviving } from '../surviving.ts';

/** How long a moment is waited for; some occur only once or twice in a document's life. */
const LONGEST_WAIT_MS = 6_000;

/** Waits until the process serves, or is frozen: a moment may come while it starts, and then nothing answers. */
const startedOrFrozen = (server: RunningServer): Promise<true> =>
  eventually('its start', async () => {
    if (isFrozen(server.process)) return true;
    const answer = await fetch(`${server.url}/readyz`, { signal: AbortSignal.timeout(1_000) }).catch(() => undefined);
    return answer?.ok;
  });

/** Freezes a server at the moment, lets another take over, and wakes it. @returns it, and whether the moment came */
async function freezeOnce({ world, ledger, load, random }: Scene, other: RunningServer, point: string) {
  const fault = planting({ point, nth: random.between(1, 3), signal: 'SIGSTOP' });
  const server = await world.run('server', fault, startedOrFrozen);
  ledger.use(server);
  load.begin();
  const isReached = await eventually('its freezing', () => isFrozen(server.process), LONGEST_WAIT_MS).catch(
    () => false,
  );
  if (!isReached) await freeze(server.process);
  ledger.use(other);
  ledger.giveUp();
  await endLeases(world.store);
  await load.end();
  server.process.signal('SIGCONT');
  return { server, isReached };
}

/** The scenario. */
export const frozen = surviving({
  name: 'frozen',
  about: 'Freezes a process for longer than its leases while documents are made and signed; another takes over.',
  finds: 'a process that goes on with work whose lease it has lost, so that an effect comes twice or is undone',
  defect: {
    file: 'handlers/documents/workflow/change.ts',
    find: 'const match = { _id: row._id, rev: row.rev, listed: true };',
    // Late, so that a process is frozen in between.
    replace: 'const match = { _id: row._id, listed: true }; await new Promise((next) => setTimeout(next, 300));',
  },
  sizes: [size('cycles', 'how often', 60, 3)],
  inQuick: true,
  database: () => new OwnDatabase(),
  lanes: { flows: 8, creations: 0, employees: 0 },
  async disturb(scene) {
    const { world, say } = scene;
    const cycles = scene.size('cycles');
    const wrong: string[] = [];
    const reached = new Set<string>();
    const moments = await momentsOf(scene);
    // A few cycles are spread over all moments.
    const step = Math.max(1, moments.length / cycles);
    const other = await world.run('other');
    for (let nth = 0; nth < cycles; nth++) {
      const point = inTurn(moments, Math.floor(nth * step));
      const { server, isReached } = await freezeOnce(scene, other, point);
      if (isReached) reached.add(point);
      // It finishes the requests that it held, and then ends.
      wrong.push(...(await endedBadly(`the process that woke after ${point}`, server)));
      say(`cycle ${nth + 1} of ${cycles}: frozen at ${isReached ? point : 'a random time'}`);
    }
    const line = `${cycles} times frozen for longer than a lease (at ${reached.size} of ${moments.length} moments):`;
    return { server: other, deaths: cycles, lines: [line], wrong };
  },
});
