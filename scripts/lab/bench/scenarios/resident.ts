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

/** The memory of one process, which was started with {@link collectable}. */
export class ResidentMemory {
  readonly #server: RunningProgram;
  #collections = 0;

  /** @throws Failure where the system does not say how much memory a process has */
  constructor(server: RunningProgram) {
    this.#server = server;
    if (!(this.now() > 0)) refuse('The memory of a process is read from /proc, which only Linux has.');
  }

  /** What it has at the moment, in MiB, with the garbage that is not collected yet. */
  now(): number {
    return residentMib(this.#server.pid);
  }

  /** What it keeps: medians of several readings, each after its garbage was collected. */
  async kept(): Promise<KeptMemory> {
    const readings: KeptMemory[] = [];
    for (let nth = 0; nth < READINGS; nth++) {
      const objects = await this.#collect();
      await after(BETWEEN_MS);
      readings.push({ resident: this.now(), objects });
    }
    const of = (read: (one: KeptMemory) => number) => median(readings.slice(-COUNTED).map(read));
    return { resident: of(({ resident }) => resident), objects: of(({ objects }) => objects) };
  }

  /** @returns the MiB of objects and buffers that are left in the main thread */
  async #collect(): Promise<number> {
    this.#collections += 1;
    const said = `collected ${this.#collections} `;
    this.#server.signal('SIGUSR2');
    return this.#server.line((line) => (line.startsWith(said) ? Number(line.slice(said.length)) / MIB : undefined));
  }

  /** Does the work. @returns the most that it had meanwhile, in MiB */
  async peak(work: () => Promise<unknown>): Promise<number> {
    let most = this.now();
    const timer = setInterval(() => {
      most = Math.max(most, this.now());
    }, SAMPLE_MS);
    try {
      await work();
    } finally {
      clearInterval(timer);
    }
    return most;
  }
}
