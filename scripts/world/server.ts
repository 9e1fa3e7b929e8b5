/** One process of the service. */
import { rmSync } from 'node:fs';
import { eventually } from '../kit/eventually.ts';
import { temporaryFolder } from '../kit/leftovers.ts';
import type { RunningProgram } from '../kit/program.ts';
import { startAlone } from '../kit/run-program.ts';

/** A server, with the addresses that it logged. */
export interface RunningServer {
  readonly process: RunningProgram;
  readonly url: string;
  readonly port: number;
  readonly storageUrl: string;
  readonly controlUrl: string;
  readonly metricsUrl: string;
  log(): Record<string, unknown>[];
}

/**
 * Waits until a process says where it listens.
 * @param events of which the first says it: `ready` only where READY_JSON asks for it, then whatever is logged
 * @throws Error with its output, when it ends before that
 */
export async function listening(
  process: RunningProgram,
  events: readonly string[] = ['listening', 'ready'],
): Promise<RunningServer> {
  const { url, storage_url, control_url, metrics_url } = await process.line((line) => {
    const entry = JSON.parse(line);
    return events.includes(entry.event) && entry.url !== undefined && entry;
  });
  return {
    process,
    url,
    port: Number(new URL(url).port),
    storageUrl: storage_url ?? '',
    controlUrl: control_url ?? '',
    metricsUrl: metrics_url ?? '',
    log: () =>
      process.stdout
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line)),
  };
}

/**
 * Starts a server for a test or a check, which listens then, with or without its database. Servers that share files need
 * a STORAGE_DIR.
 * @param script from the root: of another release, or of a service that says the same
 */
export function startServer(
  env: Readonly<Record<string, string>>,
  script = 'handlers/main.ts',
): Promise<RunningServer> {
  const files = env.STORAGE_DIR ?? temporaryFolder('handlers-files-');
  const server = startAlone(script, [], { PORT: '0', ...env, STORAGE_DIR: files });
  if (env.STORAGE_DIR === undefined) {
    server.child.once('exit', () => rmSync(files, { recursive: true, force: true }));
  }
  return listening(server);
}

export function askClock(server: Pick<RunningServer, 'controlUrl'>, change?: object): Promise<Response> {
  const headers = { 'Content-Type': 'application/json' };
  const set = change && { method: 'POST', headers, body: JSON.stringify(change) };
  return fetch(`${server.controlUrl}/clock`, set);
}

/** Waits until the server says that it can serve. */
export function ready(server: RunningServer): Promise<true> {
  return eventually('/readyz', async () => (await fetch(`${server.url}/readyz`)).status === 200);
}
