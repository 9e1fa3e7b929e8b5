/** What a running `npm start` tells other programs of itself, and how they ask it to restart its server. */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The signal that asks `npm start` to stop its server and start it anew at the same addresses. */
export const RESTART_SIGNAL = 'SIGUSR2';

/** Process ids, by which only programs that `npm start` itself began are ever signalled. */
export interface Instance {
  readonly start_pid: number;
  readonly server_pid: number;
}

function instanceFile(dataDir: string): string {
  return path.join(dataDir, 'instance.json');
}

/** Programs that wait for a restart read the note at any time, so it changes whole. */
export function writeInstance(dataDir: string, instance: Instance): void {
  const file = instanceFile(dataDir);
  writeFileSync(`${file}.new`, JSON.stringify(instance));
  renameSync(`${file}.new`, file);
}

export function forgetInstance(dataDir: string): void {
  rmSync(instanceFile(dataDir), { force: true });
}

/** @returns undefined where no service runs on the folder, as far as it tells */
export function readInstance(dataDir: string): Instance | undefined {
  try {
    return JSON.parse(readFileSync(instanceFile(dataDir), 'utf8')) as Instance;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
