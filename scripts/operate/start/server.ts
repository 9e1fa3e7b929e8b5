/** Starts the processes of the service. */
import path from 'node:path';
import { type PartOptions, startPart } from '../../kit/run-program.ts';
import { listening, type RunningServer } from '../../world/server.ts';
import { receiverEnv, type WebhookReceiver } from '../suite/receiver.ts';
import { logFileWriter } from './log-file.ts';

const MAIN = path.join(import.meta.dirname, '../../../handlers/main.ts');

interface ServerOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly dataDir: string;
  readonly uri: string;
  readonly port: number;
  /** The port of the file listener, unless the caller's environment names one. */
  readonly storagePort: number;
  /** Likewise, of the metrics and of the control clock. */
  readonly metricsPort: number;
  readonly controlPort: number;
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
  const { env, dataDir, uri, port, storagePort, metricsPort, controlPort, docsFile, docsUrl, webhookReceiver } =
    options;
  const production = env.NODE_ENV === 'production';
  return {
    METRICS_PORT: String(metricsPort),
    ...(!production && { CONTROL_PORT: String(controlPort) }),
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

/** Starts a process, and waits until it is ready; READY_JSON must ask for it. @throws Error with its output, when it ends before that */
export function startService(options: PartOptions, name = 'The server'): Promise<RunningServer> {
  return listening(startPart(name, MAIN, options), ['ready']);
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
export function replicaEnv(first: Pick<RunningServer, 'storageUrl'>, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return {
    ...env,
    ROLE: 'api',
    METRICS_PORT: '0',
    CONTROL_PORT: env.NODE_ENV === 'production' ? '' : '0',
    STORAGE_PORT: '0',
    STORAGE_URL: env.STORAGE_URL || first.storageUrl,
  };
}

/** Starts a further process. @param number 2 for the second one @throws Error with its output, when it ends instead */
export function startReplica(first: RunningServer, options: ServerOptions, number: number): Promise<RunningServer> {
  return startServer({ ...options, env: replicaEnv(first, options.env), port: 0, storagePort: 0, number });
}
