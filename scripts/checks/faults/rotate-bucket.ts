/** A bucket of a real S3-compatible service, whose users' keys come and go. */
import { CreateBucketCommand, PutBucketVersioningCommand, S3Client } from '@aws-sdk/client-s3';
import { runTool } from '../../testbed/go-tool.ts';
import { type S3Server, startS3Server } from '../../testbed/s3-server.ts';

const BUCKET = 'files';
/** The administrator of the service. */
const ROOT = { accessKeyId: 'root', secretAccessKey: 'the secret of the administrator' };

type Credentials = typeof ROOT;

export class RotatedBucket {
  readonly #server: S3Server;
  readonly #program: string;
  readonly #first: Credentials;

  private constructor(program: string, server: S3Server, first: Credentials) {
    this.#program = program;
    this.#server = server;
    this.#first = first;
  }

  /** Starts the service with a bucket that keeps versions. @param first the user of the bucket before its key is changed */
  static async open(program: string, folder: string, first: Credentials): Promise<RotatedBucket> {
    const server = await startS3Server({ program, folder, ...ROOT });
    const made = new RotatedBucket(program, server, first);
    const place = { endpoint: server.endpoint, region: 'us-east-1', forcePathStyle: true };
    const client = new S3Client({ ...place, credentials: ROOT });
    await client.send(new CreateBucketCommand({ Bucket: BUCKET }));
    const VersioningConfiguration = { Status: 'Enabled' as const };
    await client.send(new PutBucketVersioningCommand({ Bucket: BUCKET, VersioningConfiguration }));
    client.destroy();
    const user = ['--access', first.accessKeyId, '--secret', first.secretAccessKey, '--role', 'admin'];
    const failure = await runTool(program, ['admin', 'create-user', ...user], { env: made.adminEnv });
    if (failure !== undefined) throw new Error(failure);
    return made;
  }

  /** What a process needs to use the bucket. */
  get env(): Readonly<Record<string, string>> {
    return {
      S3_BUCKET: BUCKET,
      S3_ENDPOINT: this.#server.endpoint,
      S3_FORCE_PATH_STYLE: 'true',
      S3_ACCESS_KEY_ID: this.#first.accessKeyId,
      S3_SECRET_ACCESS_KEY: this.#first.secretAccessKey,
    };
  }

  /** What `versitygw admin` reads, and where the program is. */
  get adminEnv(): Readonly<Record<string, string>> {
    return {
      VERSITYGW: this.#program,
      ADMIN_ENDPOINT_URL: this.#server.endpoint,
      ADMIN_ACCESS_KEY_ID: ROOT.accessKeyId,
      ADMIN_SECRET_ACCESS_KEY: ROOT.secretAccessKey,
    };
  }

  async stop(): Promise<void> {
    await this.#server.running.stop('SIGKILL');
  }
}
