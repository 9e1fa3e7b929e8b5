/**
 * For programs that lead a session of their own: runs them on processor time that others leave, and ends them with all
 * that they started.
 */
import type { ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/**
 * Gives a child, and all that it starts, only processor time that nothing else needs. The child must lead a session
 * (`detached`): Linux first divides the processors among sessions, and only then looks at the priorities of processes.
 */
export function makePatient({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW);
    writeFileSync(`/proc/${pid}/autogroup`, String(constants.priority.PRIORITY_LOW));
  } catch {
    // The child has already ended, or this system has no groups by session.
  }
}

/** Signals a child that leads a process group, and everything that it started. */
export function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // The child has already ended.
  }
}
