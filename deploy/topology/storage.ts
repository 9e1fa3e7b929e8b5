/** The storage of the topology: versitygw with a versioned bucket, and a user with the rights of the service. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type LifecycleRule,
  PutBucketLifecycleConfigurationCommand,
  PutBucketPolicyCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { goTool, needed } from '../../scripts/testbed/go-tool.ts';
import { makeBucket, type S3Server, startS3Server } from '../../scripts/testbed/s3-server.ts';
import { filledFile } from './filled.ts';

const PINS = join(import.meta.dirname, '../../scripts/checks/test/versitygw');
export const BUCKET = 'developer-api';

export interface Storage extends S3Server {
  /** Starts it again at the same address. */
  again(): Promise<S3Server>;
  /** What the server does not support of what `deploy/provision/` asks for. */
  readonly lacks: readonly string[];
}

/** Starts the server with the files of `deploy/secrets.sh`, and makes the bucket and the user. */
export async function startStorage(
  folder: string,
  port: number,
  secrets: string,
  say: (text: string) => void,
): Promise<Storage> {
  const program = needed(await goTool(PINS, say, { isPlain: true }));
  const secret = (name: string) => readFileSync(join(secrets, name), 'utf8');
  const root = { accessKeyId: secret('s3-root-access-key-id'), secretAccessKey: secret('s3-root-secret-access-key') };
  const again = () => startS3Server({ program, folder, port, ...root });
  const server = await again();
  const user = { accessKeyId: secret('s3-access-key-id'), secretAccessKey: secret('s3-secret-access-key') };
  const provide = (client: S3Client) => provision(client, user.accessKeyId);
  return { ...server, again, lacks: await makeBucket(server, BUCKET, { ...user, role: 'user' }, provide) };
}

/** @returns what the server does not support */
async function provision(client: S3Client, user: string): Promise<string[]> {
  const Bucket = BUCKET;
  const Policy = filledFile('provision/bucket-policy.json', { S3_BUCKET: Bucket, S3_ACCESS_KEY_ID: user });
  await client.send(new PutBucketPolicyCommand({ Bucket, Policy }));
  const { Rules } = JSON.parse(filledFile('provision/bucket-lifecycle.json', {})) as { Rules: LifecycleRule[] };
  try {
    await client.send(new PutBucketLifecycleConfigurationCommand({ Bucket, LifecycleConfiguration: { Rules } }));
    return [];
  } catch (error) {
    if ((error as Error).name !== 'NotImplemented') throw error;
    return ['a lifecycle of the bucket'];
  }
}
