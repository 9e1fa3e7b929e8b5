/** The moments around the writes of a process at which a fault can be planted. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { planting } from './faults/plant.ts';
import type { Scene } from './scene.ts';

const CALM_MS = 4_000;

/** Runs the load on a server without a fault. @returns the moments that occurred */
export async function momentsOf({ world, ledger, load }: Scene): Promise<string[]> {
  const seenFile = join(world.folder, 'moments');
  const calm = await world.run('server', planting({ seenFile }));
  ledger.use(calm);
  load.begin();
  await pause(CALM_MS);
  await load.end();
  await calm.process.stop();
  return momentsIn(seenFile);
}

/** The moments that a file has collected. */
export const momentsIn = (file: string): string[] => readFileSync(file, 'utf8').trim().split('\n').sort();
