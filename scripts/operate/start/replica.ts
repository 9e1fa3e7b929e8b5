/**
 * Further processes of the service on the same database and files, as in a deployment. If one process keeps something
 * for itself that all must share, such as a rate limit or the keys of page tokens, another process reveals it.
 */
import { type RunningServer, type ServerOptions, startServer } from './server.ts';

/**
 * The environment of a further process. It has its own ports. It runs no jobs, since tests may move only the clock of
 * the first process. It uses the first one's listener for files, so that file URLs are the same whichever process signs
 * them.
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
 * @param number 2 for the second process
 * @throws Error with its output, when it ends before it is ready
 */
export function startReplica(first: RunningServer, options: ServerOptions, number: number): Promise<RunningServer> {
  return startServer({ ...options, env: replicaEnv(first, options.env), port: 0, storagePort: 0, number });
}
