/** What a running `npm start` tells other programs of itself, and how they ask it to restart its server. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

export function writeInstance(dataDir: string, instance: Instance): void {
  writeFileSync(instanceFile(dataDir), JSON.stringify(instance));
}

export function forgetInstance(dataDir: string): void {
  rmSync(instanceFile(dataDir), { force: true });
}

/** @returns undefined where no service runs on the folder, as far as it tells */
export function readInstance(dataDir: string): Instance | undefined {
  const file = instanceFile(dataDir);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Instance) : undefined;
}
