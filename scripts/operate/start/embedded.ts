/** Starts the embedded database as a process of its own. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { RunningProgram } from '../../../conformance/processes/program.ts';
import { startPart } from './parts.ts';

const START_TIMEOUT_MS = 60_000;
const MAIN = path.join(import.meta.dirname, '../../embedded-db/main.ts');

export type EmbeddedDatabase = RunningProgram & { readonly uri: string };

/** The folder in which the embedded database keeps its files. */
export function databaseDir(dataDir: string): string {
  return path.join(dataDir, 'db');
}

/**
 * Starts the database of `dataDir` on a Unix socket that only this user may open. It ends with this process.
 * @throws Error with its output, when it ends before it listens
 */
export async function startEmbedded(dataDir: string): Promise<EmbeddedDatabase> {
  mkdirSync(dataDir, { recursive: true });
  const database = startPart('The embedded database', MAIN, { args: ['--data', databaseDir(dataDir)] });
  const find = (line: string) => /^listening (mongodb:\/\/\S+)/.exec(line)?.[1];
  return Object.assign(database, { uri: await database.line(find, START_TIMEOUT_MS) });
}
