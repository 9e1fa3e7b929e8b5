/** Programs that a signal has stopped, like a machine that is suspended. `SIGCONT` lets them go on. */
import { existsSync, readFileSync } from 'node:fs';
import { eventually } from './eventually.ts';
import type { RunningProgram } from './program.ts';

/** Whether the system has stopped the program (proc(5): the state after the name in parentheses). */
export function isFrozen({ pid }: RunningProgram): boolean {
  return /\) [Tt] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
}

/** Stops a program. @returns settles when none of its threads runs any more, which a busy machine may do late */
export async function freeze(program: RunningProgram): Promise<void> {
  program.signal('SIGSTOP');
  if (existsSync('/proc/self/stat')) await eventually('its freezing', () => isFrozen(program));
}
