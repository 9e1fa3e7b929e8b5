/**
 * The server is killed with SIGKILL, at named moments around its writes and answers and at random times, and the database
 * with it, while documents are made from templates and uploads, sent, approved and signed, many at once.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { inTurn } from '../../world/ask.ts';
import { OwnDatabase } from '../../world/database.ts';
import { hasDied } from '../../world/deployment.ts';
import { losesEvents, planting } from '../faults/plant.ts';
import { momentsOf } from '../moments.ts';
import { size } from '../scenario.ts';
import { endLeases, type Scene } from '../scene.ts';
import { surviving } from '../surviving.ts';

const LONGEST_CYCLE_MS = 4_000;
const MOST_STEPS = 12;

/** Kills both, at the moment or as soon as some steps are acknowledged. @returns whether it died at the moment */
async function killBoth({ world, load, random }: Scene<OwnDatabase>, point?: string): Promise<boolean> {
  const server = await world.run('server', planting({ point, nth: random.between(1, 3) }));
  await endLeases(world.store);
  // What was acknowledged last had no time to be written, except the time that the service itself took for it.
  const acknowledged = load.moreSteps(point === undefined ? random.between(1, MOST_STEPS) : Number.POSITIVE_INFINITY);
  await Promise.race([acknowledged, server.process.ended, pause(LONGEST_CYCLE_MS)]);
  await world.database.kill();
  const isReached = point !== undefined && (await hasDied(server));
  await world.kill(server);
  await world.database.start();
  return isReached;
}

/** The scenario. */
export const crash = surviving({
  name: 'crash',
  about: 'Kills server and database at named moments and at random times while documents are made and signed.',
  finds: 'a write that is acknowledged before it is durable, or one that is done twice when it is repeated',
  defect: losesEvents,
  sizes: [size('cycles', 'how often', 100, 6)],
  inQuick: 'each engine',
  database: () => new OwnDatabase(),
  lanes: { flows: 8, creations: 0, employees: 0 },
  async disturb(scene) {
    const { world, load, say } = scene;
    const cycles = scene.size('cycles');
    const moments = await momentsOf(scene);
    say(`${moments.length} moments are known; ${load.flows.length} documents were made without a fault`);
    const reached = new Set<string>();
    load.begin();
    for (let cycle = 0; cycle < cycles; cycle++) {
      const point = cycle % 2 === 0 ? inTurn(moments, cycle / 2) : undefined;
      const isReached = await killBoth(scene, point);
      if (isReached && point !== undefined) reached.add(point);
      say(`cycle ${cycle + 1} of ${cycles}: died at ${isReached ? point : 'a random time'}`);
    }
    const server = await world.run('server');
    await endLeases(world.store);
    const line = `${cycles} kills of server and database (${reached.size} of ${moments.length} moments reached):`;
    return { server, deaths: cycles, lines: [line] };
  },
});
