/** The storage in a bucket, on a real S3-compatible server: the program that `VERSITYGW` names. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateBucketCommand, PutBucketVersioningCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { freePort } from '../../conformance/processes/ports.ts';
import { Database } from '../../scripts/testbed/database.ts';
import { newKey, PDF } from '../../scripts/testbed/disk-storage.ts';
import { eventually } from '../../scripts/testbed/eventually.ts';
import { startAlone } from '../../scripts/testbed/run-program.ts';
import { ready, startServer } from '../../scripts/testbed/server.ts';
import { storageTests } from '../../scripts/testbed/storage-tests.ts';
import { createLogger } from '../process/log.ts';
import { type S3Storage, s3Storage } from './s3.ts';

const ACCESS = { S3_ACCESS_KEY_ID: 'test-access', S3_SECRET_ACCESS_KEY: 'test-secret-of-nobody' };
const folder = mkdtempSync(join(tmpdir(), 's3-server-'));
let server: ReturnType<typeof spawn>;
let endpoint: string;
let client: S3Client;
const log = createLogger('silent');

function open(S3_BUCKET: string, changes: Partial<typeof ACCESS> = {}): S3Storage {
  const place = { S3_BUCKET, S3_REGION: 'us-east-1', S3_ENDPOINT: endpoint, S3_FORCE_PATH_STYLE: true };
  return s3Storage({ ...place, ...ACCESS, ...changes }, log);
}

const answers = (url: string) =>
  fetch(url).then(
    () => true as const,
    () => undefined,
  );

beforeAll(async () => {
  for (const name of ['data', 'versions']) mkdirSync(join(folder, name));
  const port = await freePort();
  const argv = ['-q', '--port', `127.0.0.1:${port}`, 'posix', '--versioning-dir', join(folder, 'versions')];
  server = spawn(process.env.VERSITYGW ?? 'versitygw', [...argv, join(folder, 'data')], {
    env: { ROOT_ACCESS_KEY: ACCESS.S3_ACCESS_KEY_ID, ROOT_SECRET_KEY: ACCESS.S3_SECRET_ACCESS_KEY },
    stdio: 'ignore',
  });
  endpoint = `http://127.0.0.1:${port}`;
  await eventually('the S3 server', () => answers(endpoint));
  const credentials = { accessKeyId: ACCESS.S3_ACCESS_KEY_ID, secretAccessKey: ACCESS.S3_SECRET_ACCESS_KEY };
  client = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true, credentials });
  for (const Bucket of ['files', 'plain']) await client.send(new CreateBucketCommand({ Bucket }));
  const VersioningConfiguration = { Status: 'Enabled' as const };
  await client.send(new PutBucketVersioningCommand({ Bucket: 'files', VersioningConfiguration }));
});

afterAll(() => {
  client?.destroy();
  server?.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

describe('every storage', () =>
  storageTests(async () => {
    const storage = open('files');
    return { storage, stop: async () => storage.stop() };
  }, 'versitygw'));

describe('the bucket', () => {
  test('is accepted when it keeps versions', async () => {
    await expect(open('files').check()).resolves.toBeUndefined();
  });

  test.each([
    ['keeps no versions', 'plain', {}, /^S3_BUCKET: the bucket must keep versions/],
    ['is not there', 'nowhere', {}, /^S3_BUCKET: the service has no such bucket/],
    [
      'is opened with a wrong secret',
      'files',
      { S3_SECRET_ACCESS_KEY: 'wrong' },
      /^S3_ACCESS_KEY_ID: the service refuses it/,
    ],
  ])('that %s is refused with a reason in words', async (_, bucket, changes, words) => {
    await expect(open(bucket, changes).check()).rejects.toThrow(words);
  });

  test('that loses its versioning makes the storage unavailable', async () => {
    await expect(open('plain').write(newKey(), PDF, Buffer.from('x'))).rejects.toMatchObject({
      errorName: 'UNAVAILABLE',
    });
  });
});

describe('a server of the service', () => {
  const database = new Database();
  let env: Record<string, string>;
  beforeAll(async () => {
    const s3 = { S3_ENDPOINT: endpoint, S3_FORCE_PATH_STYLE: 'true', STORAGE_DIR: '' };
    await database.start();
    env = { ...database.env, ...s3, ...ACCESS };
  });
  afterAll(() => database.remove());

  test('is ready on a bucket that keeps versions, and serves no files itself', async () => {
    const started = await startServer({ ...env, S3_BUCKET: 'files' });
    await ready(started);
    expect(started.storageUrl).toBe('');
    expect(await started.process.stop()).toBe(0);
  });

  test('does not start on a bucket without versions', async () => {
    const running = startAlone('handlers/main.ts', [], { ...env, S3_BUCKET: 'plain', PORT: '0' });
    expect(await running.ended).toBe(1);
    expect(running.stderr).toMatch(/^The server cannot start: S3_BUCKET: the bucket must keep versions/);
  });
});
