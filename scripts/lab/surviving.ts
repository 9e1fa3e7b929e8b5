/** Scenarios in which clients act while something is disturbed, and what they were told must hold afterwards. */
import type { StartableDatabase } from '../world/database.ts';
import type { RunningServer } from '../world/server.ts';
import type { Lanes } from './actors/load.ts';
import { lostOrDoubled, repeatedEvents } from './judges/acknowledged.ts';
import { endedBadly } from './judges/logs.ts';
import type { Result, Scenario, ScenarioOptions } from './scenario.ts';
import { inWorld, openScene, type Scene } from './scene.ts';

/** What is left after the disturbances. */
export interface Aftermath {
  /** A process that does all kinds of work, without a fault. */
  readonly server: RunningServer;
  /** Other processes that still run; each must end well. */
  readonly others?: Readonly<Record<string, RunningServer>>;
  /** How often a process may have lost what it had under way. */
  readonly deaths: number;
  readonly lines: readonly string[];
  readonly wrong?: readonly string[];
  /** What else must hold once everything is delivered. @returns sentences about what is wrong */
  judge?(): Promise<readonly string[]>;
}

/** A scenario in which documents and batches are made while something is disturbed. */
interface Survival<Of extends StartableDatabase> extends Omit<Scenario, 'run'> {
  database(options: ScenarioOptions): Of | Promise<Of>;
  readonly lanes: Lanes;
  /** Starts processes and the load, and disturbs them. */
  disturb(scene: Scene<Of>): Promise<Aftermath>;
}

/** The judges of every such scenario: everything acknowledged exists once, and processes end well. */
async function judged(scene: Scene, left: Aftermath): Promise<Result> {
  const { load, ledger } = scene;
  await load.end();
  const wrong = [...(left.wrong ?? [])];
  for (const [name, server] of Object.entries(left.others ?? {})) wrong.push(...(await endedBadly(name, server)));
  ledger.use(left.server);
  wrong.push(...(await lostOrDoubled(scene, left.server, left.deaths)));
  wrong.push(...((await left.judge?.()) ?? []));
  wrong.push(...(await endedBadly('the last process', left.server)));
  const { flows, creations, batches } = load;
  const repeats = flows.reduce((sum, flow) => sum + flow.repeats, 0);
  const line =
    `${flows.length} documents signed and ${creations.length} created, ${repeats} steps asked for again, ` +
    `${batches.length} batches, ${scene.world.receiver.received.length} deliveries, ${repeatedEvents(scene)} events ` +
    `more than once; ${wrong.length} faults.`;
  return { lines: [...left.lines, line], wrong };
}

/** Makes a scenario of what it disturbs. */
export function surviving<Of extends StartableDatabase>(survival: Survival<Of>): Scenario {
  const { database, lanes, disturb, ...described } = survival;
  return {
    ...described,
    run: inWorld(database, async (world, options) => {
      const scene = await openScene(world, lanes, options);
      return judged(scene, await disturb(scene));
    }),
  };
}
