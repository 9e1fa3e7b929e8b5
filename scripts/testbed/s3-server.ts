/** A real S3-compatible server, versitygw, on a folder; it keeps versions where a bucket asks for them. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../conformance/processes/ports.ts';
import type { RunningProgram } from '../../conformance/processes/program.ts';
import { eventually } from './eventually.ts';
import { startAlone } from './run-program.ts';

export interface S3ServerOptions {
  readonly program: string;
  /** Keeps objects, versions and users. */
  readonly folder: string;
  /** Of the user who may do everything. */
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** By default a free one. */
  readonly port?: number;
}

export interface S3Server {
  readonly endpoint: string;
  readonly running: RunningProgram;
}

/** Starts the server on loopback, and waits until it answers. @throws Error with what it said, when it ends instead */
export async function startS3Server(options: S3ServerOptions): Promise<S3Server> {
  const { program, folder, accessKeyId, secretAccessKey } = options;
  const port = options.port ?? (await freePort());
  for (const name of ['data', 'versions', 'users']) mkdirSync(join(folder, name), { recursive: true });
  const gateway = ['-q', '--port', `127.0.0.1:${port}`, '--iam-dir', join(folder, 'users')];
  const files = ['posix', '--versioning-dir', join(folder, 'versions'), join(folder, 'data')];
  const running = startAlone(program, [...gateway, ...files], {
    ROOT_ACCESS_KEY: accessKeyId,
    ROOT_SECRET_KEY: secretAccessKey,
  });
  const endpoint = `http://127.0.0.1:${port}`;
  await eventually('the S3 server', () => {
    if (running.hasEnded) throw new Error(running.endReason);
    return fetch(endpoint).then(
      () => true as const,
      () => undefined,
    );
  });
  return { endpoint, running };
}
