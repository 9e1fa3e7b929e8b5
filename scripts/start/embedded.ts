/** Starts the embedded database as a process of its own. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { type Child, firstLine, startChild } from './child.ts';

const START_TIMEOUT_MS = 60_000;
const NAME = 'The embedded database';

export interface EmbeddedDatabase extends Child {
  readonly uri: string;
}

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
  const child = startChild({
    name: NAME,
    program: new URL('../embedded-db/main.ts', import.meta.url),
    args: ['--data', databaseDir(dataDir), ...(port === undefined ? [] : ['--port', String(port)])],
  });
  const find = (line: string) => /^listening (mongodb:\/\/\S+)/.exec(line)?.[1];
  return { ...child, uri: await firstLine(child, NAME, find, START_TIMEOUT_MS) };
}
