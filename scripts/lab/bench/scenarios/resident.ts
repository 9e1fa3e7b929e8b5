/** The resident memory of a process of the service (Linux). */
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { refuse } from '../../../kit/command-line.ts';
import { residentMib } from '../../../kit/processor-time.ts';
import type { RunningProgram } from '../../../kit/program.ts';
import { median } from '../../../kit/statistics.ts';

const MIB = 2 ** 20;
const READINGS = 5;
/** How many of the last readings count: the first ones still see what ends by itself, such as connections. */
const COUNTED = 3;
const BETWEEN_MS = 300;
const SAMPLE_MS = 20;

/** The settings of a process whose garbage can be collected from outside. */
export const collectable = {
  NODE_OPTIONS: `--expose-gc --import=${pathToFileURL(join(import.meta.dirname, 'collect.ts')).href}`,
};

/** Memory without garbage, in MiB. */
export interface KeptMemory {
  readonly resident: number;
  /** The objects and buffers of the main thread. What is resident besides may be free, but not given back. */
  readonly objects: number;
}

/**
 * The memory of one process, which was started with {@link collectable}.
 * @throws Failure where the system does not say how much memory a process has
 */
export function memoryOf(server: RunningProgram) {
  let collections = 0;
  /** What it has at the moment, in MiB, with the garbage that is not collected yet. */
  const now = () => residentMib(server.pid);
  if (!(now() > 0)) refuse('The memory of a process is read from /proc, which only Linux has.');

  /** @returns the MiB of objects and buffers that are left in the main thread */
  async function collect(): Promise<number> {
    collections += 1;
    const said = `collected ${collections} `;
    server.signal('SIGUSR2');
    return server.line((line) => (line.startsWith(said) ? Number(line.slice(said.length)) / MIB : undefined));
  }

  return {
    now,

    /** What it keeps: medians of several readings, each after its garbage was collected. */
    async kept(): Promise<KeptMemory> {
      const readings: KeptMemory[] = [];
      for (let nth = 0; nth < READINGS; nth++) {
        const objects = await collect();
        await after(BETWEEN_MS);
        readings.push({ resident: now(), objects });
      }
      const of = (read: (one: KeptMemory) => number) => median(readings.slice(-COUNTED).map(read));
      return { resident: of(({ resident }) => resident), objects: of(({ objects }) => objects) };
    },

    /** Does the work. @returns the most that it had meanwhile, in MiB */
    async peak(work: () => Promise<unknown>): Promise<number> {
      let most = now();
      const timer = setInterval(() => {
        most = Math.max(most, now());
      }, SAMPLE_MS);
      await work().finally(() => clearInterval(timer));
      return most;
    },
  };
}
