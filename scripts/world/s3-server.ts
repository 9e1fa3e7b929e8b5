/** A real S3-compatible server, versitygw, on a folder; it keeps versions where a bucket asks for them. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { CreateBucketCommand, PutBucketVersioningCommand, S3Client } from '@aws-sdk/client-s3';
import { eventually } from '../kit/eventually.ts';
import { freePort } from '../kit/ports.ts';
import type { RunningProgram } from '../kit/program.ts';
import { startAlone } from '../kit/run-program.ts';
import { runTool } from '../kit/tools.ts';

interface S3ServerOptions {
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
  readonly process: RunningProgram;
  /** What `versitygw admin` reads, and where the program is. */
  readonly adminEnv: Readonly<
    Record<'VERSITYGW' | 'ADMIN_ENDPOINT_URL' | 'ADMIN_ACCESS_KEY_ID' | 'ADMIN_SECRET_ACCESS_KEY', string>
  >;
}

interface S3User {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly role: 'admin' | 'user';
}

/** Starts the server on loopback, and waits until it answers. @throws Error with what it said, when it ends instead */
export async function startS3Server(options: S3ServerOptions): Promise<S3Server> {
  const { program, folder, accessKeyId, secretAccessKey } = options;
  const port = options.port ?? (await freePort());
  for (const name of ['data', 'versions', 'users']) mkdirSync(join(folder, name), { recursive: true });
  const gateway = ['-q', '--port', `127.0.0.1:${port}`, '--iam-dir', join(folder, 'users')];
  const files = ['posix', '--versioning-dir', join(folder, 'versions'), join(folder, 'data')];
  const process = startAlone(program, [...gateway, ...files], {
    ROOT_ACCESS_KEY: accessKeyId,
    ROOT_SECRET_KEY: secretAccessKey,
  });
  const endpoint = `http://127.0.0.1:${port}`;
  await eventually('the S3 server', () => {
    if (process.hasEnded) throw new Error(process.endReason);
    return fetch(endpoint).then(
      () => true,
      () => false,
    );
  });
  const adminEnv = {
    VERSITYGW: program,
    ADMIN_ENDPOINT_URL: endpoint,
    ADMIN_ACCESS_KEY_ID: accessKeyId,
    ADMIN_SECRET_ACCESS_KEY: secretAccessKey,
  };
  return { endpoint, process, adminEnv };
}

/**
 * Makes a user, and a bucket that keeps versions.
 * @param provide gives the bucket what else it needs, as the administrator
 */
export async function makeBucket<T>(
  { endpoint, adminEnv }: S3Server,
  Bucket: string,
  { accessKeyId, secretAccessKey, role }: S3User,
  provide: (client: S3Client) => Promise<T>,
): Promise<T> {
  const user = ['--access', accessKeyId, '--secret', secretAccessKey, '--role', role];
  const failure = await runTool(adminEnv.VERSITYGW, ['admin', 'create-user', ...user], { env: adminEnv });
  if (failure !== undefined) throw new Error(`The user of the storage could not be made: ${failure}`);
  const credentials = { accessKeyId: adminEnv.ADMIN_ACCESS_KEY_ID, secretAccessKey: adminEnv.ADMIN_SECRET_ACCESS_KEY };
  const client = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true, credentials });
  try {
    await client.send(new CreateBucketCommand({ Bucket }));
    await client.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status: 'Enabled' } }));
    return await provide(client);
  } finally {
    client.destroy();
  }
}
