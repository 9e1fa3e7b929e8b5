/** Sets a processor apart for one program, so that it takes no time from the others (`taskset`, on Linux). */
import { spawnSync } from 'node:child_process';

/** A processor that this process, and what it starts, leaves to one program. */
export interface OwnProcessor {
  /** The command line that runs there. */
  argv(argv: readonly string[]): string[];
  /** Lets this process, and what it starts from now on, use all processors again. */
  release(): void;
}

/**
 * Leaves the last processor to one program; this process, and what it starts from now on, uses the others.
 * @returns undefined if there is only one, or if this system cannot do it
 */
export function ownProcessor(): OwnProcessor | undefined {
  const { stdout } = spawnSync('taskset', ['-cp', String(process.pid)], { encoding: 'utf8' });
  const all = processorsIn(stdout ?? '');
  const last = all.pop();
  if (last === undefined || all.length === 0 || !use(all)) return undefined;
  return {
    argv: (argv) => ['taskset', '-c', String(last), ...argv],
    release: () => void use([...all, last]),
  };
}

/** The numbers in what `taskset` says, such as `pid 7's current affinity list: 0-2,5`. */
export function processorsIn(said: string): number[] {
  const [, list = ''] = /: ([\d,-]+)\s*$/.exec(said) ?? [];
  return list
    .split(',')
    .filter((range) => range !== '')
    .flatMap((range) => {
      const [first = 0, last = first] = range.split('-').map(Number);
      return Array.from({ length: last - first + 1 }, (_, nth) => first + nth);
    });
}

/** Moves all threads of this process to these processors. */
const use = (processors: readonly number[]): boolean =>
  spawnSync('taskset', ['-a', '-cp', processors.join(), String(process.pid)]).status === 0;
