/** What a running `npm start` reports about itself to other programs, and how they ask it to restart its server. */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The signal that asks `npm start` to stop its server and start it again at the same addresses. */
export const RESTART_SIGNAL = 'SIGUSR2';

/** Process ids. Signals are sent only to programs that `npm start` itself began. */
export interface Instance {
  readonly start_pid: number;
  readonly server_pid: number;
}

function instanceFile(dataDir: string): string {
  return path.join(dataDir, 'instance.json');
}

/** Programs that wait for a restart may read the note at any time, so it is replaced as a whole. */
export function writeInstance(dataDir: string, instance: Instance): void {
  const file = instanceFile(dataDir);
  writeFileSync(`${file}.new`, JSON.stringify(instance));
  renameSync(`${file}.new`, file);
}

export function forgetInstance(dataDir: string): void {
  rmSync(instanceFile(dataDir), { force: true });
}

/** @returns undefined if no service runs on the folder, as far as the note shows */
export function readInstance(dataDir: string): Instance | undefined {
  try {
    return JSON.parse(readFileSync(instanceFile(dataDir), 'utf8')) as Instance;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
