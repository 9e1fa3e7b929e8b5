/** The storage of the topology: versitygw with a versioned bucket, and a user with the rights of the service. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type LifecycleRule,
  PutBucketLifecycleConfigurationCommand,
  PutBucketPolicyCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { freePort } from '../../scripts/kit/ports.ts';
import { goTool, needed } from '../../scripts/kit/tools.ts';
import type { Parts } from '../../scripts/operate/start/parts.ts';
import { makeBucket, type S3Server, startS3Server } from '../../scripts/world/s3-server.ts';
import { filledFile } from './filled.ts';

const PINS = join(import.meta.dirname, '../../scripts/lab/run/versitygw');
export const BUCKET = 'developer-api';

/** Starts the server with the files of `deploy/secrets.sh`, and makes the bucket and the user. */
export async function openStorage(
  parts: Parts,
  folder: string,
  secrets: string,
  say: (text: string) => void,
): Promise<S3Server> {
  const program = needed(await goTool(PINS, say, { isPlain: true }));
  const secret = (name: string) => readFileSync(join(secrets, name), 'utf8');
  const root = { accessKeyId: secret('s3-root-access-key-id'), secretAccessKey: secret('s3-root-secret-access-key') };
  const port = await freePort();
  const server = await parts.start('storage', () => startS3Server({ program, folder, port, ...root }));
  const user = { accessKeyId: secret('s3-access-key-id'), secretAccessKey: secret('s3-secret-access-key') };
  await makeBucket(server, BUCKET, { ...user, role: 'user' }, (client) => provide(client, user.accessKeyId, say));
  return server;
}

async function provide(client: S3Client, user: string, say: (text: string) => void): Promise<void> {
  const Bucket = BUCKET;
  const Policy = filledFile('provision/bucket-policy.json', { S3_BUCKET: Bucket, S3_ACCESS_KEY_ID: user });
  await client.send(new PutBucketPolicyCommand({ Bucket, Policy }));
  const { Rules } = JSON.parse(filledFile('provision/bucket-lifecycle.json', {})) as { Rules: LifecycleRule[] };
  try {
    await client.send(new PutBucketLifecycleConfigurationCommand({ Bucket, LifecycleConfiguration: { Rules } }));
  } catch (error) {
    if ((error as Error).name !== 'NotImplemented') throw error;
    say('The storage does not support a lifecycle of the bucket; the rest of it is as in production.');
  }
}
