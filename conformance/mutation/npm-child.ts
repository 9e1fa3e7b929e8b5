/** Commands of this repository that run beside the mutation tests, and end with it. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

const root = join(import.meta.dirname, '../..');

export interface NpmChild {
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
  /** Settles when the command has ended, for any reason. */
  readonly ended: Promise<void>;
  /** Asks the command to end, and waits until it has. */
  stop(): Promise<void>;
}

/** Starts an npm command. */
export function startNpm(args: readonly string[]): NpmChild {
  const child = spawn('npm', args, { cwd: root, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const end = () => {
    // Signals the process group, since npm does not pass every signal on.
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
