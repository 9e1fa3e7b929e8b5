/** Programs that lead a session of their own: to give them what others leave of the processors, and to end them whole. */
import type { ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/**
 * Leaves a child and all that it starts the processor time that nobody else wants. The child must lead a session
 * (`detached`): Linux shares the processors among sessions first, and only then looks at the priorities of their processes.
 */
export function makePatient({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW);
    writeFileSync(`/proc/${pid}/autogroup`, String(constants.priority.PRIORITY_LOW));
  } catch {
    // It has ended by itself, or this system shares by processes.
  }
}

/** Signals a child that leads a group, with all that it started. */
export function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // It has ended by itself.
  }
}
