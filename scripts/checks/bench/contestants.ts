/** The services that are measured side by side on one database: ours, and what somebody would write or pick instead. */
import { join, resolve } from 'node:path';
import { type RunningServer, startService } from '../../operate/start/server.ts';
import type { Place } from './place.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

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
export function startOurs(
  { uri, database, folder }: Place,
  { checkout = ROOT, profiles, env: more = {} }: OwnOptions = {},
): Promise<RunningServer> {
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
  return startService({ env }, 'The server', join(checkout, 'handlers/main.ts'));
}

/** Starts a service to compare with. @param tenant the id of the tenant whose employees it lists */
export function startPeer(name: PeerName, { uri, database }: Place, tenant: string): Promise<RunningServer> {
  const own = { MONGODB_URI: uri, MONGODB_DATABASE: database, BENCH_TENANT: tenant, NODE_ENV: 'production' };
  const script = join(import.meta.dirname, `peers/${name}.ts`);
  return startService({ env: { ...process.env, ...own } }, `The peer ${name}`, script);
}
