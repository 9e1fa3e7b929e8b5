/** What processes and their programs cost. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** What Linux tells of a process. */
const statOf = (pid: number | 'self') => `/proc/${pid}/stat`;
/** Ticks of the processor in a second, in which Linux counts for every program. */
const TICKS = 100;

/** Whether {@link processorSeconds} knows anything: only on Linux. */
export const countsProcessorTime = existsSync(statOf('self'));

/** Whether the memory of a process can be counted anew. */
export const countsMemory = existsSync('/proc/self/clear_refs');

function countedMib(pid: number, what: 'VmHWM' | 'VmRSS'): number {
  const status = countsProcessorTime ? readFileSync(`/proc/${pid}/status`, 'utf8') : '';
  const [, kib = 0] = new RegExp(`^${what}:\\s+(\\d+) kB$`, 'm').exec(status) ?? [];
  return Number(kib) / 1024;
}

/** The resident memory of a process, in MiB; 0 elsewhere than on Linux. */
export const residentMib = (pid: number): number => countedMib(pid, 'VmRSS');

/** The largest memory that a process has used since {@link forgetPeak}, in MiB. */
export const peakMib = (pid: number): number => countedMib(pid, 'VmHWM');

/** Begins the count of the largest memory anew. @returns the memory that the process uses now, in MiB */
export function forgetPeak(pid: number): number {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  return residentMib(pid);
}

/** Processor seconds of a process, by default of this one, and of all programs that it has started and that have ended. */
export function processorSeconds(pid: number | 'self' = 'self'): number {
  const stat = countsProcessorTime ? readFileSync(statOf(pid), 'utf8') : '';
  // Behind the name, which ends with a bracket: the 12th to the 15th are its own and its children's, user and system.
  const fields = stat.split(') ').at(-1)?.split(' ').slice(11, 15) ?? [];
  return fields.reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS;
}
