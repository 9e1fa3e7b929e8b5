/** What this process and its programs cost. */
import { existsSync, readFileSync } from 'node:fs';

/** What Linux tells of this process. */
const OWN_STAT = '/proc/self/stat';
/** Ticks of the processor in a second, in which Linux counts for every program. */
const TICKS = 100;

/** Whether {@link processorSeconds} knows anything: only on Linux. */
export const countsProcessorTime = existsSync(OWN_STAT);

/** Processor seconds of this process, and of all programs that it has started and that have ended. */
export function processorSeconds(): number {
  const stat = countsProcessorTime ? readFileSync(OWN_STAT, 'utf8') : '';
  // Behind the name, which ends with a bracket: the 12th to the 15th are its own and its children's, user and system.
  const fields = stat.split(') ').at(-1)?.split(' ').slice(11, 15) ?? [];
  return fields.reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS;
}
