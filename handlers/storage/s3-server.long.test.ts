/** The storage in a bucket, on a real S3-compatible server: the program that `VERSITYGW` names. */
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import {
  CreateBucketCommand,
  GetObjectCommand,
  ListObjectVersionsCommand,
  PutBucketVersioningCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startAlone } from '../../scripts/kit/run-program.ts';
import { Database } from '../../scripts/world/database.ts';
import { newKey, PDF, postForm } from '../../scripts/world/disk-storage.ts';
import { knownPerson, rowsNaming, valuesIn } from '../../scripts/world/person-with-every-field.ts';
import { proxyOf } from '../../scripts/world/proxy.ts';
import { TestAuthority } from '../../scripts/world/receiver.ts';
import { type S3Server, startS3Server } from '../../scripts/world/s3-server.ts';
import { ready, startServer } from '../../scripts/world/server.ts';
import { storageTests } from '../../scripts/world/storage-tests.ts';
import { CHECKS, checked } from '../check/command.ts';
import { openStore } from '../data/store.ts';
import { erasePerson } from '../leaving/person.ts';
import { removeTenant } from '../leaving/tenant.ts';
import { now } from '../runtime/clock.ts';
import { type Config, readConfig } from '../runtime/config.ts';
import { type S3Storage, s3Storage } from './s3.ts';
import type { ListedVersion } from './storage.ts';

const ACCESS = { S3_ACCESS_KEY_ID: 'test-access', S3_SECRET_ACCESS_KEY: 'test-secret-of-nobody' };
const folder = mkdtempSync(join(tmpdir(), 's3-server-'));
let server: S3Server | undefined;
let endpoint: string;
let client: S3Client;

function open(S3_BUCKET: string, changes: Partial<Config> = {}): S3Storage {
  const place = { S3_BUCKET, S3_REGION: 'us-east-1', S3_ENDPOINT: endpoint, S3_FORCE_PATH_STYLE: true };
  return s3Storage({ ...place, ...ACCESS, ...changes });
}

const fronts: Server[] = [];

/** Listens on a port of its own, as a proxy or a terminator of TLS does, and hands on all bytes as they are. */
async function front(target: string, tls?: TlsOptions): Promise<{ readonly port: number; taken(): number }> {
  let taken = 0;
  const { hostname, port } = new URL(target);
  // The embedded database listens on a Unix socket.
  const place = port === '' ? { path: decodeURIComponent(hostname) } : { host: hostname, port: Number(port) };
  const handOn = (socket: Socket) => {
    taken++;
    const other = connect(place);
    for (const [from, to] of [
      [socket, other],
      [other, socket],
    ] as const) {
      from.pipe(to);
      from.on('error', () => to.destroy()).on('close', () => to.destroy());
    }
  };
  const listener = tls === undefined ? createServer(handOn) : createTlsServer(tls, handOn);
  fronts.push(listener);
  await once(listener.listen(0, '127.0.0.1'), 'listening');
  return { port: (listener.address() as AddressInfo).port, taken: () => taken };
}

beforeAll(async () => {
  const credentials = { accessKeyId: ACCESS.S3_ACCESS_KEY_ID, secretAccessKey: ACCESS.S3_SECRET_ACCESS_KEY };
  server = await startS3Server({ program: process.env.VERSITYGW ?? 'versitygw', folder, ...credentials });
  endpoint = server.endpoint;
  client = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true, credentials });
  for (const Bucket of ['files', 'people', 'plain']) await client.send(new CreateBucketCommand({ Bucket }));
  const VersioningConfiguration = { Status: 'Enabled' as const };
  for (const Bucket of ['files', 'people']) {
    await client.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration }));
  }
});

afterAll(async () => {
  client?.destroy();
  for (const one of fronts) one.close();
  await server?.process.stop('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

describe('every storage', () =>
  storageTests(async () => {
    const storage = open('files');
    return { storage, stop: async () => storage.stop() };
  }, 'versitygw'));

describe('the bucket', () => {
  test.each([
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

  test('lists every version, and removes one of them', async () => {
    const { inventory, ...storage } = open('files');
    const key = newKey();
    const [first, second] = [
      await storage.write(key, PDF, Buffer.from('one')),
      await storage.write(key, PDF, Buffer.from('2')),
    ];
    const listed = async () => {
      const all: ListedVersion[] = [];
      for await (const one of inventory.versions()) if (one.place === key) all.push(one);
      return all;
    };
    const found = [first, second].map(({ version, size_bytes }) => ({
      place: inventory.placeOf(key),
      version,
      size_bytes,
    }));
    expect(await listed()).toEqual(expect.arrayContaining(found));
    await inventory.removeVersion({ place: key, version: second.version, size_bytes: 1 });
    expect(await listed()).toEqual(found.slice(0, 1));
    storage.stop();
  });

  test('sends clients to its public address, for which it signs, and is itself called at the other one', async () => {
    const { port, taken } = await front(endpoint);
    const address = `http://127.0.0.1:${port}`;
    const storage = open('files', { S3_PUBLIC_ENDPOINT: address });
    const key = newKey();
    const form = await storage.uploadForm(key, PDF, 100, 60_000);
    expect([new URL(form.url).origin, await postForm(form, 'public')]).toEqual([address, 204]);
    const uploads = taken();
    expect(uploads).toBeGreaterThan(0);
    const object = (await storage.latest(key)) ?? { key, version: 'none' };
    const url = await storage.downloadUrl(object, { filename: 'a.pdf', content_type: PDF }, 60_000);
    expect(taken()).toBe(uploads);
    expect([new URL(url).origin, await (await fetch(url)).text()]).toEqual([address, 'public']);
    expect(taken()).toBeGreaterThan(uploads);
    expect((await fetch(url.replace(address, endpoint))).status).toBe(403);
    storage.stop();
  });
});

/** The keys of a bucket of which a version names the person of the fixture. */
async function keysNaming(Bucket: string): Promise<string[]> {
  const { Versions = [] } = await client.send(new ListObjectVersionsCommand({ Bucket }));
  const naming = await Promise.all(
    Versions.map(async ({ Key = '', VersionId }) => {
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key, VersionId }));
      const bytes = Buffer.from((await Body?.transformToByteArray()) ?? []);
      return valuesIn(bytes).length > 0 ? [Key] : [];
    }),
  );
  return [...new Set(naming.flat())];
}

describe('a server of the service', () => {
  const database = new Database();
  let env: Record<string, string>;
  beforeAll(async () => {
    const s3 = { S3_ENDPOINT: endpoint, S3_FORCE_PATH_STYLE: 'true', STORAGE_DIR: '' };
    await database.start();
    env = { ...database.env, ...s3, ...ACCESS };
  });
  afterAll(() => database.remove());

  test('is ready on a bucket that keeps versions, and serves no files itself; with secrets in files, and TLS of a private authority to bucket and database', async () => {
    const authority = new TestAuthority();
    const tls = authority.server(['127.0.0.1']);
    const [s3, mongodb] = [await front(endpoint, tls), await front(database.uri, tls)];
    const file = (name: string, content: string) => {
      writeFileSync(join(folder, name), content);
      return join(folder, name);
    };
    const started = await startServer({
      ...env,
      S3_BUCKET: 'files',
      S3_ENDPOINT: `https://127.0.0.1:${s3.port}`,
      S3_SECRET_ACCESS_KEY: '',
      S3_SECRET_ACCESS_KEY_FILE: file('s3-secret', `${ACCESS.S3_SECRET_ACCESS_KEY}\n`),
      MONGODB_URI: '',
      MONGODB_URI_FILE: file('uri', `mongodb://127.0.0.1:${mongodb.port}/?directConnection=true&tls=true\n`),
      NODE_EXTRA_CA_CERTS: file('ca.pem', authority.pem),
    });
    await ready(started);
    expect(started.storageUrl).toBe('');
    expect(s3.taken()).toBeGreaterThan(0);
    expect(await started.process.stop()).toBe(0);
  });

  test('an erased person is in no version of a file but what is evidence; a deleted tenant is in none', async () => {
    const [store, storage] = [await openStore(database.uri, database.name), open('people')];
    try {
      const { tenant, personId, evidence } = await knownPerson(store, storage);
      expect((await keysNaming('people')).length).toBeGreaterThan(evidence.length);
      await erasePerson({ store, storage, tenantId: tenant.id, personId, now: now() });
      expect(await keysNaming('people')).toEqual(evidence);
      expect(await rowsNaming(store)).toEqual({});
      await removeTenant(store, tenant.id, { storage });
      expect((await client.send(new ListObjectVersionsCommand({ Bucket: 'people' }))).Versions ?? []).toEqual([]);
    } finally {
      storage.stop();
      await store.close();
    }
  });

  test('does not start on a bucket without versions', async () => {
    const running = startAlone('handlers/main.ts', [], { ...env, S3_BUCKET: 'plain', PORT: '0' });
    expect(await running.ended).toBe(1);
    expect(running.stderr).toMatch(/^The server cannot start: S3_BUCKET: the bucket must keep versions/);
  });
});

describe('the check of a deployment', () => {
  const versions = async () => {
    const { Versions = [], DeleteMarkers = [] } = await client.send(new ListObjectVersionsCommand({ Bucket: 'files' }));
    return [...Versions, ...DeleteMarkers].map(({ Key, VersionId }) => `${Key} ${VersionId}`);
  };

  /** What is not right, or of one check what it says. */
  async function found(names: RegExp, changes: Readonly<Record<string, string>> = {}): Promise<string[]> {
    const given = {
      MONGODB_URI: 'mongodb://127.0.0.1:1/',
      S3_ENDPOINT: endpoint,
      S3_FORCE_PATH_STYLE: 'true',
      ...ACCESS,
    };
    const read = readConfig({ ...given, S3_BUCKET: 'files', ...changes });
    if ('problems' in read) throw new Error(read.problems.join());
    const run = { config: read.config, env: {}, fontFiles: [], stopping: new AbortController().signal };
    const findings = await checked(
      run,
      CHECKS.filter(({ name }) => names.test(name)),
    );
    return findings
      .filter(({ verdict }) => verdict !== 'OK')
      .map(({ check, verdict, says }) => `${check} ${verdict} ${says}`);
  }

  test('finds a bucket right, but for a lifecycle that this server does not have, and leaves no version in it', async () => {
    const before = await versions();
    expect(await found(/^bucket\.|^files\.(round_trip|size)/)).toEqual([
      expect.stringMatching(/^bucket\.lifecycle (WARN|SKIPPED) /),
    ]);
    expect(await versions()).toEqual(before);
  });

  test('finds a wrong secret, a bucket without versions, and a public address that changes Host', async () => {
    expect(await found(/^bucket\.reach/, { S3_SECRET_ACCESS_KEY: 'wrong' })).toEqual([
      'bucket.reach FAIL the service refuses the signature',
    ]);
    expect(await found(/^bucket\.versioning/, { S3_BUCKET: 'plain' })).toEqual([
      expect.stringMatching(/^bucket\.versioning FAIL is off/),
    ]);
    const proxy = await proxyOf(endpoint);
    const S3_PUBLIC_ENDPOINT = proxy.url;
    expect(await found(/^files\.round_trip/, { S3_PUBLIC_ENDPOINT })).toEqual([]);
    proxy.faults = { rewritesHost: true };
    expect(await found(/^files\.round_trip/, { S3_PUBLIC_ENDPOINT })).toEqual([
      `files.round_trip FAIL the URL is refused at ${proxy.url}: SignatureDoesNotMatch`,
    ]);
    await proxy.stop();
  });
});
