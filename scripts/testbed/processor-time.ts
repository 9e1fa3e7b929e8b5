/** What this process and its programs cost. */
import { existsSync, readFileSync } from 'node:fs';

/** What Linux tells of this process. */
const OWN_STAT = '/proc/self/stat';
/** Ticks of the processor in a second, in which Linux counts for every program. */
const TICKS = 100;

/** Whether {@link processorSeconds} counts the programs: only on Linux. */
export const countsPrograms = existsSync(OWN_STAT);

/** Processor seconds of this process, and of all programs that it has started and that have ended. */
export function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  // Behind the name, which ends with a bracket: the 14th and the 15th are those of its children, user and system.
  const stat = countsPrograms ? readFileSync(OWN_STAT, 'utf8').split(') ').at(-1) : '';
  const ticks = stat?.split(' ').slice(13, 15).map(Number) ?? [];
  return (user + system) / 1e6 + ticks.reduce((sum, each) => sum + each, 0) / TICKS;
}
