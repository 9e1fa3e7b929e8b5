/** What processes and their programs cost. */
import { existsSync, readFileSync } from 'node:fs';

/** What Linux tells of a process. */
const statOf = (pid: number | 'self') => `/proc/${pid}/stat`;
/** Ticks of the processor in a second, in which Linux counts for every program. */
const TICKS = 100;

/** Whether {@link processorSeconds} knows anything: only on Linux. */
export const countsProcessorTime = existsSync(statOf('self'));

/** How many bytes a page of memory has. */
const PAGE_BYTES = 4_096;

/** The resident memory of a process, in MiB; 0 elsewhere than on Linux. */
export function residentMib(pid: number): number {
  const statm = countsProcessorTime ? readFileSync(`/proc/${pid}/statm`, 'utf8') : '';
  return (Number(statm.split(' ')[1] ?? 0) * PAGE_BYTES) / 2 ** 20;
}

/** Processor seconds of a process, by default of this one, and of all programs that it has started and that have ended. */
export function processorSeconds(pid: number | 'self' = 'self'): number {
  const stat = countsProcessorTime ? readFileSync(statOf(pid), 'utf8') : '';
  // Behind the name, which ends with a bracket: the 12th to the 15th are its own and its children's, user and system.
  const fields = stat.split(') ').at(-1)?.split(' ').slice(11, 15) ?? [];
  return fields.reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS;
}
