/**
 * The note through which other commands on this machine find the database of a running `npm start`: the settings tool,
 * the tours, the commands of the conformance profile. It may hold a password, so only its owner can read it (mode
 * 0600).
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export interface DatabaseNote {
  readonly uri: string;
  /** The name of the database at that address. */
  readonly name: string;
  /** Whether `npm start` runs the database itself; otherwise it is the one of MONGODB_URI. */
  readonly embedded: boolean;
}

const noteFile = (dataDir: string) => path.join(dataDir, 'database.json');

export function writeDatabaseNote(dataDir: string, note: DatabaseNote): void {
  forgetDatabaseNote(dataDir);
  writeFileSync(noteFile(dataDir), `${JSON.stringify(note)}\n`, { mode: 0o600 });
}

/** @returns undefined if no service runs on the folder */
export function readDatabaseNote(dataDir: string): DatabaseNote | undefined {
  try {
    return JSON.parse(readFileSync(noteFile(dataDir), 'utf8')) as DatabaseNote;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

export function forgetDatabaseNote(dataDir: string): void {
  rmSync(noteFile(dataDir), { force: true });
}
