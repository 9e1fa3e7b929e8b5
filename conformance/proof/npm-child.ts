/** Programs of this repository that run beside the proof, and end with it. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

const root = join(import.meta.dirname, '../..');

export interface NpmChild {
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
  /** Settles when it has ended, for whatever reason. */
  readonly ended: Promise<void>;
  /** Asks it to end and waits until it did. */
  stop(): Promise<void>;
}

/** Starts a command of npm. */
export function startNpm(args: readonly string[]): NpmChild {
  const child = spawn('npm', args, { cwd: root, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const end = () => {
    // The group: npm does not pass every signal on.
    if (child.exitCode === null && child.signalCode === null && child.pid !== undefined)
      process.kill(-child.pid, 'SIGTERM');
  };
  process.once('exit', end);
  const stop = async () => {
    end();
    await ended;
    process.off('exit', end);
  };
  return { child, ended, stop };
}
