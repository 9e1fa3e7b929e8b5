/** What a running `npm start` leaves in its data folder for other programs on this machine. */
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { replaceFile } from '../../../conformance/report/replace-file.ts';

/** How other programs, such as the settings tool, find the database. It may hold a password. */
interface DatabaseNote {
  readonly uri: string;
  /** The name of the database at that address. */
  readonly name: string;
  /** Whether `npm start` runs the database itself; otherwise it is the one of MONGODB_URI. */
  readonly embedded: boolean;
}

/** Process ids. Signals are sent only to programs that `npm start` itself began. */
export interface Instance {
  readonly start_pid: number;
  readonly server_pid: number;
}

/** The signal that asks `npm start` to stop its server and start it again at the same addresses. */
export const RESTART_SIGNAL = 'SIGUSR2';

/** A file of the folder that only its owner can read, `NAME.json`. */
export function note<Content extends object>(name: string) {
  const fileIn = (dataDir: string) => path.join(dataDir, `${name}.json`);
  return {
    /** Others may read it at any time, so it is replaced as a whole. */
    write(dataDir: string, content: Content): void {
      replaceFile(fileIn(dataDir), `${JSON.stringify(content)}\n`, 0o600);
    },
    /** @returns undefined if no service runs on the folder, as far as the note shows */
    read(dataDir: string): Content | undefined {
      try {
        return JSON.parse(readFileSync(fileIn(dataDir), 'utf8')) as Content;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw error;
      }
    },
    forget(dataDir: string): void {
      rmSync(fileIn(dataDir), { force: true });
    },
  };
}

export const databaseNote = note<DatabaseNote>('database');
export const instanceNote = note<Instance>('instance');

/** Keeps the note about an instance up to date, and restarts its server when asked to, one restart after the other. */
export function restartOnSignal(dataDir: string, serverPid: () => number, restart: () => Promise<unknown>): void {
  const write = () => instanceNote.write(dataDir, { start_pid: process.pid, server_pid: serverPid() });
  write();
  let restarting: Promise<unknown> = Promise.resolve();
  process.on(RESTART_SIGNAL, () => {
    restarting = restarting.then(restart).then(write);
  });
}
