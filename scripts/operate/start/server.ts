/** Starts the processes of the service. */
import path from 'node:path';
import type { RunningProgram } from '../../../conformance/processes/program.ts';
import { type PartOptions, startPart } from '../../testbed/run-program.ts';
import { receiverEnv, type WebhookReceiver } from '../suite/receiver.ts';
import { logFileWriter } from './log-file.ts';

/** How long a process may take on a busy machine. */
const START_TIMEOUT_MS = 120_000;
const MAIN = path.join(import.meta.dirname, '../../../handlers/main.ts');

export interface Addresses {
  readonly url: string;
  /** Where files are uploaded and downloaded; null if an S3 service keeps them. */
  readonly storage_url: string | null;
  readonly control_url: string | null;
  readonly metrics_url: string | null;
}

export type RunningServer = RunningProgram & Addresses;

export interface ServerOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly dataDir: string;
  readonly uri: string;
  readonly port: number;
  /** The port of the file listener, unless the caller's environment names one. */
  readonly storagePort: number;
  readonly docsFile: string | null;
  /** Where readers reach the docs, to which errors link. */
  readonly docsUrl: string | null;
  /** Non-public addresses to which webhooks may go. */
  readonly webhookReceiver?: WebhookReceiver | undefined;
  /** The number of this process of the service; the first by default. */
  readonly number?: number;
}

export function logFile(dataDir: string, number = 1): string {
  return path.join(dataDir, number === 1 ? 'server.log' : `server-${number}.log`);
}

/** The addresses in the line that the server prints when it is ready; undefined for any other line. */
export function readyLine(line: string): Addresses | undefined {
  if (!line.startsWith('{"event":"ready"')) return undefined;
  const { url, storage_url = null, control_url = null, metrics_url = null } = JSON.parse(line);
  return { url, storage_url, control_url, metrics_url };
}

export function filesFolder(dataDir: string): string {
  return path.join(dataDir, 'files');
}

/** Where readers reach the docs; null without docs, and where HOST is every address: none of them is known to be theirs. */
export function docsUrlOf(docsFile: string | null, host: string, port: number): string | null {
  if (docsFile === null || ['0.0.0.0', '::'].includes(host)) return null;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}/docs`;
}

/** The server's environment. The caller's own settings take precedence, except where values must match each other. */
export function serverEnv(options: ServerOptions): NodeJS.ProcessEnv {
  const { env, dataDir, uri, port, storagePort, docsFile, docsUrl, webhookReceiver } = options;
  const production = env.NODE_ENV === 'production';
  return {
    METRICS_PORT: '0',
    ...(!production && { CONTROL_PORT: '0' }),
    ...(docsFile && { DOCS_FILE: docsFile }),
    ...(docsUrl && { DOCS_URL: docsUrl }),
    ...(!env.STORAGE_DIR && !env.S3_BUCKET && { STORAGE_DIR: filesFolder(dataDir) }),
    STORAGE_PORT: String(storagePort),
    ...withoutEmpty(env),
    ...(webhookReceiver && receiverEnv(webhookReceiver)),
    MONGODB_URI: uri,
    MONGODB_URI_FILE: '',
    PORT: String(port),
    READY_JSON: 'true',
  };
}

/** An empty variable counts as unset, so it must not override a default. */
function withoutEmpty(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
}

/**
 * Starts a process that prints the line of a server, and waits until it answers.
 * @throws Error with its output, when it ends before that
 */
export async function startService(options: PartOptions, name = 'The server', script = MAIN): Promise<RunningServer> {
  const server = startPart(name, script, options);
  return Object.assign(server, await server.line(readyLine, START_TIMEOUT_MS));
}

/** Starts the server. @throws Error with its output, when it ends before it answers */
export function startServer(options: ServerOptions): Promise<RunningServer> {
  return startService({ env: serverEnv(options), onOutput: logFileWriter(logFile(options.dataDir, options.number)) });
}

/**
 * The environment of a further process: what it keeps for itself although all must share it, such as a rate limit, shows.
 * It has its own ports, and runs no jobs, since tests may move only the clock of the first process. It uses the first
 * one's listener for files, so that file URLs are the same whichever process signs them.
 */
export function replicaEnv(first: Pick<RunningServer, 'storage_url'>, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return {
    ...env,
    ROLE: 'api',
    METRICS_PORT: '0',
    CONTROL_PORT: env.NODE_ENV === 'production' ? '' : '0',
    STORAGE_PORT: '0',
    STORAGE_URL: env.STORAGE_URL || first.storage_url || '',
  };
}

/** Starts a further process. @param number 2 for the second one @throws Error with its output, when it ends instead */
export function startReplica(first: RunningServer, options: ServerOptions, number: number): Promise<RunningServer> {
  return startServer({ ...options, env: replicaEnv(first, options.env), port: 0, storagePort: 0, number });
}
