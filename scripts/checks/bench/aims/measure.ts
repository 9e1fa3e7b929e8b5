/** What each measure of `bench:aims` consists of, and how it starts the service. */
import { type Contestant, startOurs } from '../contestants.ts';
import type { Place } from '../database.ts';
import type { Finding } from './aim.ts';

/** What a measure works with. */
export interface MeasureOptions {
  readonly place: Place;
  /** Whether small numbers are enough, which only show that it works. */
  readonly isQuick: boolean;
  /** Says what is being done. */
  readonly say: (what: string) => void;
  /** The folder for CPU profiles of the processes of the service, if they are wanted. */
  readonly profiles?: string | undefined;
}

/** A part of the promises that can be measured alone. */
export interface Measure {
  readonly name: string;
  readonly about: string;
  /** About how long it takes in full on an idle machine, in seconds. */
  readonly seconds: number;
  /** @throws Error when a process does not even start, or an answer is not the expected one */
  run(options: MeasureOptions): Promise<Finding[]>;
}

/** Settings of one process of the service. */
export type Settings = Readonly<Record<string, string>>;

/**
 * Does work with processes of the service, one for each entry of the settings, and ends them. They share the rate limit
 * through the database, as in a deployment, unless a setting says otherwise.
 */
export async function withProcesses<T>(
  { place, profiles }: MeasureOptions,
  settings: readonly Settings[],
  work: (processes: readonly Contestant[]) => Promise<T>,
): Promise<T> {
  const running: Contestant[] = [];
  try {
    for (const env of settings) {
      running.push(await startOurs(place, { profiles, env: { RATE_LIMIT_STORE: 'shared', ...env } }));
    }
    return await work(running);
  } finally {
    await Promise.all(running.map(({ process: server }) => server.stop()));
  }
}

/** The first process. @throws Error if there is none */
export function first<T>(those: readonly T[]): T {
  const [one] = those;
  if (one === undefined) throw new Error('nothing was started');
  return one;
}
