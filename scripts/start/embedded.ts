/** Starts the embedded database as a process of its own, and stops it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../embedded-db/main.ts', import.meta.url));
const START_TIMEOUT_MS = 30_000;
const STOP_TIMEOUT_MS = 10_000;
const KEPT_OUTPUT = 4_000;

/** A running database process. */
export interface EmbeddedDatabase {
  readonly uri: string;
  readonly pid: number;
  /** Settles when the process ends, with the reason in words. Never rejects. */
  readonly ended: Promise<string>;
  /** Ends it cleanly (SIGTERM; SIGKILL after ten seconds). A repeat waits for the same end. */
  stop(): Promise<void>;
}

/** Where the address of the database that `npm start` runs is written; `dataDir` is `.data` unless told otherwise. */
export function uriFile(dataDir: string): string {
  return path.join(dataDir, 'embedded.uri');
}

/** Why a process ended, in words. */
export function endReason(name: string, code: number | null, signal: NodeJS.Signals | null, output: string): string {
  const how = signal ? `was ended by ${signal}` : `ended with exit code ${code}`;
  const said = output.trim();
  return said ? `${name} ${how}:\n${said}` : `${name} ${how}.`;
}

/** Sends SIGTERM and waits for the end; SIGKILL when that takes longer than `timeoutMs`. */
export async function endProcess(child: ChildProcess, ended: Promise<unknown>, timeoutMs: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
  await ended;
  clearTimeout(timer);
}

/**
 * Starts the database on `dataDir`/db, on a free loopback port.
 * @throws Error with what the process said, when it ends before it listens or does not listen in half a minute
 */
export async function startEmbedded(dataDir: string): Promise<EmbeddedDatabase> {
  mkdirSync(dataDir, { recursive: true });
  const argv = ['--disable-warning=ExperimentalWarning', MAIN, '--data', path.join(dataDir, 'db'), '--port', '0'];
  // A group of its own: Ctrl-C reaches the starting process only, which ends the database last.
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-KEPT_OUTPUT);
  });
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(`The embedded database could not be started: ${error.message}`));
    child.once('close', (code, signal) => resolve(endReason('The embedded database', code, signal, output)));
  });
  const stop = () => endProcess(child, ended, STOP_TIMEOUT_MS);

  const lines = createInterface({ input: child.stdout });
  const listening = new Promise<string>((resolve) => {
    lines.on('line', (line) => {
      const uri = /^listening (mongodb:\/\/\S+)/.exec(line)?.[1];
      if (uri) resolve(uri);
    });
  });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The embedded database does not answer.')), START_TIMEOUT_MS);
  });
  const failed = ended.then((reason) => Promise.reject(new Error(reason)));
  failed.catch(() => {});
  try {
    const uri = await Promise.race([listening, failed, late]);
    return { uri, pid: child.pid ?? 0, ended, stop };
  } catch (error) {
    await stop();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
