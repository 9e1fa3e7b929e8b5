/** The services that are measured side by side on one database: ours, and what somebody would write or pick instead. */
import { join, resolve } from 'node:path';
import type { RunningProgram } from '../../../conformance/processes/program.ts';
import { readyLine } from '../../operate/start/server.ts';
import { startPart } from '../../testbed/run-program.ts';
import type { Place } from './place.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const START_MS = 60_000;

/** A running service. */
export interface Contestant {
  readonly process: RunningProgram;
  readonly url: string;
}

/** The services besides ours, in the order of the table. */
export const peerNames = ['ideal', 'express'] as const;
export type PeerName = (typeof peerNames)[number];

interface OwnOptions {
  /** The folder of the project whose server is measured; by default this one. */
  readonly checkout?: string;
  /** The folder for CPU profiles, if they are wanted. */
  readonly profiles?: string | undefined;
  /**
   * Settings that differ from the usual ones: one process with the role `all`, and a rate limit in its memory. The
   * process gets the options of Node among them besides those that it needs for profiles.
   */
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts our server. */
export async function startOurs(
  { uri, database, folder }: Place,
  { checkout = ROOT, profiles, env: more = {} }: OwnOptions = {},
): Promise<Contestant> {
  const profiling = profiles === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${resolve(profiles)}`];
  const NODE_OPTIONS = [...profiling, more.NODE_OPTIONS ?? ''].join(' ');
  const env = {
    RATE_LIMIT_STORE: 'memory',
    STORAGE_DIR: join(folder, 'files'),
    LOG_LEVEL: 'error',
    ...process.env,
    MONGODB_URI: uri,
    MONGODB_URI_FILE: '',
    MONGODB_DATABASE: database,
    PORT: '0',
    READY_JSON: 'true',
    ...more,
    NODE_OPTIONS,
  };
  const server = startPart('The server', join(checkout, 'handlers/main.ts'), { env });
  return { process: server, url: (await server.line(readyLine, START_MS)).url };
}

/** Starts a service to compare with. @param tenant the id of the tenant whose employees it lists */
export async function startPeer(name: PeerName, { uri, database }: Place, tenant: string): Promise<Contestant> {
  const peer = startPart(`The peer ${name}`, join(import.meta.dirname, `peers/${name}.ts`), {
    env: { ...process.env, MONGODB_URI: uri, MONGODB_DATABASE: database, BENCH_TENANT: tenant, NODE_ENV: 'production' },
  });
  return { process: peer, url: (await peer.line(readyLine, START_MS)).url };
}
