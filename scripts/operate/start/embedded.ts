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

/** The file with the connection string of the database's TCP port, if one was requested. Only its owner can read it. */
export function tcpUriFile(dataDir: string): string {
  return path.join(databaseDir(dataDir), 'tcp.uri');
}

/**
 * Starts the database of `dataDir` on a Unix socket that only this user may open. It ends with this process.
 * @param port a TCP port of the loopback interface that it also opens, with a password; see {@link tcpUriFile}
 * @throws Error with its output, when it ends before it listens
 */
export async function startEmbedded(dataDir: string, port?: number): Promise<EmbeddedDatabase> {
  mkdirSync(dataDir, { recursive: true });
  const args = ['--data', databaseDir(dataDir), ...(port === undefined ? [] : ['--port', String(port)])];
  const database = startPart('The embedded database', MAIN, { args });
  const find = (line: string) => /^listening (mongodb:\/\/\S+)/.exec(line)?.[1];
  return Object.assign(database, { uri: await database.line(find, START_TIMEOUT_MS) });
}
