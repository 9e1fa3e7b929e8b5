/** The processor time of work in this process. */
import { median } from '../statistics.ts';

/**
 * Does each piece of work in turn, round by round, so that a busy machine affects all equally.
 * @param works by name; the time includes all threads of this process, which must be doing nothing else
 * @param rounds how many count; one more comes first, in which fonts are read and code is compiled
 * @param say is told when a round begins
 * @returns the median of each, in milliseconds
 */
export async function processorTimes(
  works: ReadonlyMap<string, () => Promise<unknown>>,
  rounds: number,
  say: (what: string) => void = () => {},
): Promise<Map<string, number>> {
  const times = new Map<string, number[]>([...works.keys()].map((name) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    say(`round ${round} of ${rounds}`);
    for (const [name, work] of works) {
      const before = process.cpuUsage();
      await work();
      const { user, system } = process.cpuUsage(before);
      if (round > 0) times.get(name)?.push((user + system) / 1_000);
    }
  }
  return new Map([...times].map(([name, taken]) => [name, median(taken)]));
}
