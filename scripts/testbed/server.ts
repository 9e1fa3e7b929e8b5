/** One process of the service, for tests and checks. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../conformance/processes/leftovers.ts';
import { PATIENCE_MS, type RunningProgram } from '../../conformance/processes/program.ts';
import { eventually } from './eventually.ts';
import { startAlone } from './run-program.ts';

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
 * Starts a server, which listens then, with or without its database. Servers that share files need a STORAGE_DIR.
 * @param checkout the folder of another release, from the root; by default this one
 */
export async function startServer(env: Readonly<Record<string, string>>, checkout = ''): Promise<RunningServer> {
  const files = env.STORAGE_DIR ?? temporaryFolder('handlers-files-');
  const server = startAlone(join(checkout, 'handlers/main.ts'), [], { PORT: '0', ...env, STORAGE_DIR: files });
  if (env.STORAGE_DIR === undefined) {
    server.child.once('exit', () => rmSync(files, { recursive: true, force: true }));
  }
  const { url, storage_url, control_url, metrics_url } = await server.line((line) => {
    const entry = JSON.parse(line);
    return entry.event === 'listening' ? entry : undefined;
  });
  return {
    process: server,
    url,
    port: Number(new URL(url).port),
    storageUrl: storage_url ?? '',
    controlUrl: control_url ?? '',
    metricsUrl: metrics_url ?? '',
    log: () =>
      server.stdout
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line)),
  };
}

export function askClock(server: Pick<RunningServer, 'controlUrl'>, change?: object): Promise<Response> {
  const headers = { 'Content-Type': 'application/json' };
  const set = change && { method: 'POST', headers, body: JSON.stringify(change) };
  return fetch(`${server.controlUrl}/clock`, set);
}

/** Waits until the server says that it can serve. */
export function ready(server: RunningServer, deadlineMs = PATIENCE_MS): Promise<true> {
  return eventually('/readyz', async () => (await fetch(`${server.url}/readyz`)).status === 200, deadlineMs);
}
