/** The memory of another process, as Linux counts it. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { test } from '@jest/globals';

export const isCounted = existsSync('/proc/self/clear_refs');
/** A test that runs where a process's memory is counted. */
export const whereCounted = isCounted ? test : test.skip;

function countedMiB(pid: number, what: 'VmHWM' | 'VmRSS'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const [, kib = ''] = new RegExp(`^${what}:\\s+(\\d+) kB$`, 'm').exec(status) ?? [];
  return Number(kib) / 1024;
}

/** The largest memory that a process has used since {@link forgetPeak}, in MiB. */
export const peakMiB = (pid: number): number => countedMiB(pid, 'VmHWM');

/** Begins the count of the largest memory anew. @returns the memory that the process uses now, in MiB */
export function forgetPeak(pid: number): number {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  return countedMiB(pid, 'VmRSS');
}
