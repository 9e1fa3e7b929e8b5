/**
 * Further processes of the service on the same database and files, as a deployment has them: what a process keeps for
 * itself although all must share it, such as a rate limit or the keys of page tokens, shows at another one.
 */
import { type RunningServer, type ServerOptions, startServer } from './server.ts';

/**
 * The environment of a further process: ports of its own, no jobs, since the first one's clock is the one that tests may
 * move, and the first one's listener for files, so that their URLs are alike whoever signs them.
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

/**
 * Starts a further process.
 * @param number 2 for the second process of all
 * @throws Error with what it said, when it ends before it is ready
 */
export function startReplica(first: RunningServer, options: ServerOptions, number: number): Promise<RunningServer> {
  return startServer({ ...options, env: replicaEnv(first, options.env), port: 0, storagePort: 0, number });
}
