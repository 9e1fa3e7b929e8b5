/** What a scenario of the bench is: what it works with, and the figures that it finds, beside what is promised. */
import type { RunningServer } from '../../operate/start/server.ts';
import { type PeerName, startOurs } from './contestants.ts';
import type { Place } from './place.ts';

/** What a value must not exceed, or must reach, in the unit of the value. Without either it is only shown. */
export interface Bound {
  readonly most?: number;
  readonly least?: number;
}

/** A value that was found. */
export interface Figure {
  /** What distinguishes it from the other figures of its row; `''` if it is the only one. */
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly aim: Bound;
  /** Null for a value without a bound. */
  readonly met: boolean | null;
}

/** What was found about one thing. */
export interface Row {
  readonly label: string;
  readonly figures: readonly Figure[];
}

/** Compares a value with its bound. A value that is no number, such as a ratio to nothing, keeps no promise. */
export function figure(name: string, value: number, unit: string, aim: Bound = {}): Figure {
  const { most, least } = aim;
  if (most === undefined && least === undefined) return { name, value, unit, aim, met: null };
  // NaN fails every comparison.
  const met = value <= (most ?? Number.POSITIVE_INFINITY) && value >= (least ?? Number.NEGATIVE_INFINITY);
  return { name, value, unit, aim, met };
}

/** A row with one figure. */
export function finding(label: string, value: number, unit: string, aim: Bound = {}): Row {
  return { label, figures: [figure('', value, unit, aim)] };
}

/** What the command line says about the size of scenarios; each has its own where it says nothing. */
export interface Sizes {
  readonly rounds?: number;
  readonly seconds?: number;
  readonly connections?: number;
  readonly employees?: number;
  readonly documents?: number;
}

/** What a scenario works with. */
export interface ScenarioOptions extends Sizes {
  readonly place: Place;
  /** Whether small numbers are enough, which only show that it works. */
  readonly isQuick: boolean;
  /** Says what is being done. */
  readonly say: (what: string) => void;
  /** The folder for CPU profiles of the processes of the service, if they are wanted. */
  readonly profiles?: string | undefined;
  readonly peers: readonly PeerName[];
  /** The folder of another checkout, which is compared. */
  readonly against?: string | undefined;
  /** Whether the database may keep its plans between measurements. */
  readonly isWarm: boolean;
}

/** Something that can be measured alone. */
export interface Scenario {
  readonly name: string;
  readonly about: string;
  /** About how long it takes in full on an idle machine, in seconds. */
  readonly seconds: number;
  /** Whether only a MongoDB can tell. */
  readonly needsMongod?: true;
  /** @throws Error when a process does not even start, or an answer is not the expected one */
  run(options: ScenarioOptions): Promise<readonly Row[]>;
}

/** Settings of one process of the service. */
export type Settings = Readonly<Record<string, string>>;

/**
 * Does work with processes of the service, one for each entry of the settings, and ends them. They share the rate limit
 * through the database, as in a deployment, unless a setting says otherwise.
 */
export async function withProcesses<T>(
  { place, profiles }: Pick<ScenarioOptions, 'place' | 'profiles'>,
  settings: readonly Settings[],
  work: (processes: readonly RunningServer[]) => Promise<T>,
): Promise<T> {
  const running: RunningServer[] = [];
  try {
    for (const env of settings) {
      running.push(await startOurs(place, { profiles, env: { RATE_LIMIT_STORE: 'shared', ...env } }));
    }
    return await work(running);
  } finally {
    await Promise.all(running.map((server) => server.stop()));
  }
}

/** The first process. @throws Error if there is none */
export function first<T>(those: readonly T[]): T {
  const [one] = those;
  if (one === undefined) throw new Error('nothing was started');
  return one;
}
