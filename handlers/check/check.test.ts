/**
 * Each fault of a deployment that an operator may leave is found by the check, in words; a deployment without one is right,
 * and nothing that the check makes stays. The faults that only a real MongoDB has are found in the steps `mongodb/…`.
 */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { type Document, Timestamp } from 'mongodb';
import { freePort, listenOnLoopback } from '../../scripts/kit/ports.ts';
import { type CheckedEnv, checksWith } from '../../scripts/world/checking.ts';
import { answering, atMongod, runMongod } from '../../scripts/world/engine.ts';
import { type ProxyFaults, proxyOf } from '../../scripts/world/proxy.ts';
import { RECEIVER, receiver, TestAuthority, type TestReceiver } from '../../scripts/world/receiver.ts';
import { ABORTS_UPLOADS, type S3Stub, type StubFaults, s3Stub } from '../../scripts/world/s3-stub.ts';
import { testDeployment } from '../../scripts/world/test-deployment.ts';
import { createSchedulerIndexes } from '../jobs/scheduler.ts';
import { prepareStore, STORE_FORM } from '../prepare-store.ts';
import { findingsOf } from './check.ts';
import { CHECKS } from './command.ts';
import type { MemberHello } from './connection.ts';
import { exitCodeOf } from './report.ts';

const { database, store, folder } = await testDeployment();
const isMongod = process.env.TEST_MONGODB === 'mongod';
const onMongod = isMongod ? test : test.skip;
const key = () => randomBytes(32).toString('base64url');
const KEY = createHash('sha256').update('shared').digest('base64url');
const S3 = {
  S3_BUCKET: 'files',
  S3_ACCESS_KEY_ID: 'id',
  S3_SECRET_ACCESS_KEY: 'the secret of nobody',
  S3_FORCE_PATH_STYLE: 'true',
};
const dir = join(folder, 'files');

const { found, said, expectSaid } = checksWith({ ...database.env, STORAGE_DIR: dir });

beforeAll(async () => {
  await prepareStore(store);
  await createSchedulerIndexes(store);
});

afterEach(() => {
  jest.restoreAllMocks();
});

describe('of the configuration, the check finds', () => {
  const uri = (password: string) => `mongodb://user:${password}@127.0.0.1:1/`;

  test.each<[string, CheckedEnv, RegExp]>([
    [
      'a short password of the database',
      { MONGODB_URI: uri('hunter2') },
      /the password in MONGODB_URI has fewer than 12/,
    ],
    [
      'a secret of S3 from a manual',
      { ...S3, S3_SECRET_ACCESS_KEY: 'minioadmin' },
      /S3_SECRET_ACCESS_KEY stands in manuals/,
    ],
    [
      'a key that is a text',
      { PAGE_TOKEN_KEYS: Buffer.from('correct horse battery staple, 32').toString('base64url') },
      /a key of PAGE_TOKEN_KEYS is a text/,
    ],
    [
      'a key that repeats a few bytes',
      { WEBHOOK_SECRET_KEYS: Buffer.from('0102'.repeat(16), 'hex').toString('base64url') },
      /a key of WEBHOOK_SECRET_KEYS repeats/,
    ],
  ])('%s, and does not show it', async (_, env, words) => {
    const says = await said('secrets.strength', env);
    expect(says).toMatch(words);
    expect(says).toMatch(/^FAIL/);
    for (const secret of Object.values(env)) expect(says).not.toContain(secret);
    expect(says).not.toContain('hunter2');
  });

  test('a file of a secret that everybody can read', async () => {
    // Every user may enter this folder.
    const open = mkdtempSync('/var/tmp/check-');
    try {
      const PAGE_TOKEN_KEYS_FILE = join(open, 'page-token-keys');
      writeFileSync(PAGE_TOKEN_KEYS_FILE, key(), { mode: 0o444 });
      await expectSaid(/^OK 1 in files that others cannot read$/, 'secrets.files', {
        PAGE_TOKEN_KEYS_FILE,
        S3_ACCESS_KEY_ID_FILE: '',
      });
      chmodSync(open, 0o755);
      await expectSaid(/^WARN every user of this machine can read/, 'secrets.files', { PAGE_TOKEN_KEYS_FILE });
      chmodSync(PAGE_TOKEN_KEYS_FILE, 0o600);
      await expectSaid(/^OK 1 in files that others cannot read$/, 'secrets.files', { PAGE_TOKEN_KEYS_FILE });
    } finally {
      rmSync(open, { recursive: true });
    }
  });

  test.each<[string, CheckedEnv, string]>([
    ['program.docs', {}, 'WARN DOCS_FILE is not set'],
    ['program.docs', { DOCS_FILE: 'README.md' }, 'WARN DOCS_URL is not set'],
    ['program.docs', { DOCS_FILE: 'README.md', DOCS_URL: 'https://docs.hr.example/' }, 'OK are served'],
    ['program.settings', { NODE_ENV: 'production', LOG_LEVEL: 'error' }, 'WARN LOG_LEVEL=error hides warnings'],
    ['program.settings', { NODE_ENV: 'development' }, 'WARN NODE_ENV is development'],
    ['program.fonts', {}, 'OK the built-in ones'],
    ['program.fonts', { PDF_FONTS_DIR: '/fonts' }, 'OK 2 added'],
    ['program.version', {}, `, Node ${process.versions.node}`],
    ['secrets.strength', { PAGE_TOKEN_KEYS: KEY, WEBHOOK_SECRET_KEYS: KEY }, 'WARN PAGE_TOKEN_KEYS and WEBHOOK_'],
    ['signatures.openssl', { OPENSSL: '/nowhere/openssl' }, 'FAIL '],
  ])('by %s of %j: %s', async (name, env, words) => {
    expect(await said(name, env, { fontFiles: ['one.ttf', 'other.ttf'] })).toContain(words);
  });

  test('what is only for tests', async () => {
    await expectSaid(/^FAIL CONTROL_PORT is set/, 'program.settings', { CONTROL_PORT: '0' });
    await expectSaid(/^WARN WEBHOOK_ALLOW_/, 'program.settings', { WEBHOOK_ALLOW_NETWORKS: '127.0.0.1:8443' });
    await expectSaid(/^OK/, 'program.settings', { NODE_ENV: 'production' });
    await expectSaid(/^FAIL NODE_TLS_REJECT_UNAUTHORIZED=0/, 'program.settings', { NODE_TLS_REJECT_UNAUTHORIZED: '0' });
  });
});

describe('of the database, the check finds', () => {
  test('that it is not there, at once, and makes no other check of it', async () => {
    const findings = await found('database.', { MONGODB_URI: 'mongodb://127.0.0.1:1/' });
    expect(findings[0]).toMatchObject({
      verdict: 'FAIL',
      says: 'is not reached: 127.0.0.1:1 refuses connections (ECONNREFUSED)',
    });
    const others = findings.slice(1).filter(({ check }) => check !== 'database.encryption');
    expect(others.map(({ verdict, says }) => [verdict, says])).toEqual(
      others.map(() => ['SKIPPED', 'the database is not reached']),
    );
  });

  test('that the clock of this machine is ahead', async () => {
    const real = Date.now.bind(Date);
    jest.spyOn(Date, 'now').mockImplementation(() => real() + 90_000);
    // Time passes between two readings of clocks.
    await expectSaid(/^FAIL the clock of this machine is [6-9]\d\.\d s ahead of the database/, 'database.clock');
  });

  test.each(['tlsInsecure', 'tlsAllowInvalidCertificates', 'tlsAllowInvalidHostnames'])(
    'that %s lets anybody be the database',
    async (option) => {
      const MONGODB_URI = `mongodb://127.0.0.1:1/?tls=true&${option}=true`;
      await expectSaid(/^FAIL whoever answers in its place is believed/, 'database.encryption', { MONGODB_URI });
    },
  );

  test('that the way to it is not encrypted', async () => {
    await expectSaid(/^WARN is not encrypted/, 'database.encryption', { MONGODB_URI: 'mongodb://db.example:27017/' });
    await expectSaid(/^OK stays on this machine/, 'database.encryption');
  });

  test('that writes work, and leaves nothing of them', async () => {
    const collections = async () =>
      (await store.db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name).toSorted();
    const before = await collections();
    await expectSaid(/^(OK|WARN) a write that a majority has/, 'database.writes');
    expect(await collections()).toEqual(before);
    expect(await store.rate_limits.find().toArray()).toEqual([]);
  });

  test('that an index is missing', async () => {
    await expectSaid(/^OK all \d+ are there/, 'store.indexes');
    await store.deliveries.dropIndex('tenant_id_1__id_1');
    await expectSaid(/^FAIL 1 of \d+ are missing: deliveries \{"tenant_id":1,"_id":1\}$/, 'store.indexes');
    await prepareStore(store);
  });

  test('that an index has other options, or that a foreign one removes rows', async () => {
    await store.rate_limits.dropIndex('expires_at_1');
    await store.rate_limits.createIndex({ expires_at: 1 }, { expireAfterSeconds: 1 });
    await store.documents.createIndex({ create_time: 1 }, { name: 'foreign', expireAfterSeconds: 60 });
    await expectSaid(
      /^FAIL 2 have other options .*: documents \{"create_time":1\}, rate_limits \{"expires_at":1\}$/,
      'store.indexes',
    );
    await store.documents.dropIndex('foreign');
    await store.rate_limits.dropIndex('expires_at_1');
    await prepareStore(store);
    await expectSaid(/^OK all \d+ are there/, 'store.indexes');
  });

  test('that only a newer program understands it; and not, if it has said that this one is safe', async () => {
    await expectSaid(/^OK is version 1, that of this program/, 'store.version');
    const row = { version: STORE_FORM.version + 2, release: '99.0.0' };
    await store.store_versions.updateOne({ _id: 'store' }, { $set: row });
    await expectSaid(/^OK release 99\.0\.0 made it version 3; this one \(.*, 1\) is safe on it/, 'store.version');
    await store.store_versions.updateOne({ _id: 'store' }, { $set: { oldest_safe: STORE_FORM.version + 1 } });
    await expectSaid(/^FAIL release 99\.0\.0 has brought this database to store version 3/, 'store.version');
    await store.store_versions.updateOne({ _id: 'store' }, { $set: { version: 0, oldest_safe: 0 } });
    await expectSaid(/^WARN is version 0; the first process of this release raises it to 1$/, 'store.version');
    await store.store_versions.deleteOne({});
    await expectSaid(/^WARN has no version yet/, 'store.version');
    await prepareStore(store);
  });

  /** A replica set whose members answer so; undefined: not at all. */
  function setOf(...members: (Partial<MemberHello> | undefined)[]) {
    const hosts = members.map((_, nth) => `db-${nth}:27017`);
    const hello = { hosts, isWritablePrimary: true, localTime: new Date() };
    return {
      options: { hosts },
      opened: async () => ({
        store: { db: { command: async () => hello } },
        engine: { topology: 'replica set' },
        aheadMs: 0,
      }),
      async hello(host: string) {
        const member = members[hosts.indexOf(host)];
        if (member === undefined) throw new Error('no answer');
        return { isWritablePrimary: false, localTime: new Date(), ...member };
      },
    };
  }
  const primary = { isWritablePrimary: true };
  const secondary = { secondary: true };
  /** What a check says of a database that answers so. */
  const saidOf = async (name: string, fake: object) => {
    const checks = CHECKS.filter((check) => check.name === `database.${name}`);
    const context = { database: fake, signal: new AbortController().signal } as never;
    const [{ verdict, says } = {}] = await findingsOf(checks, context);
    return `${verdict} ${says}`;
  };

  test.each<[string, object, string]>([
    ['that no member is primary', setOf(secondary, secondary, undefined), 'FAIL no member that answers is primary'],
    ['that nobody could take over', setOf(primary), 'WARN there is one member: nobody takes over when it is away'],
    [
      'an arbiter in place of data',
      setOf(primary, secondary, { arbiterOnly: true }),
      'WARN 2 members hold data: when one of them is away, writes stop',
    ],
  ])('%s', async (_, fake, words) => {
    expect(await saidOf('members', fake)).toBe(words);
  });

  test('members whose clocks are apart', async () => {
    const ahead = { ...secondary, localTime: new Date(Date.now() + 5_000) };
    expect(await saidOf('clock', setOf(primary, secondary, ahead))).toMatch(/^WARN .*(behind|apart)/);
  });

  test.each([
    [23, 'WARN the oplog reaches 23 hours back'],
    [24, 'OK the oplog reaches 24 hours back'],
  ])('an oplog of %i hours as what it is', async (hours, words) => {
    const rows = [0, hours].map((hour) => ({ ts: new Timestamp({ t: hour * 3_600, i: 1 }) }));
    const find = (_: object, { sort: { $natural } }: { readonly sort: { readonly $natural: 1 | -1 } }) => ({
      toArray: async () => [rows.at(Math.min(0, $natural))],
    });
    const client = { db: () => ({ collection: () => ({ find }) }) };
    const fake = { opened: async () => ({ store: { client }, engine: { topology: 'replica set' } }) };
    expect(await saidOf('oplog', fake)).toBe(words);
  });

  test.each<[string, number, RegExp]>([
    ['in time', 31, /^OK is encrypted, and verified$/],
    ['soon', 29, /^WARN that of 127\.0\.0\.1:\d+ ends in 2[89] days$/],
    ['already', -1, /^FAIL that of 127\.0\.0\.1:\d+ ended on /],
  ])('a certificate of a member that ends %s, beside one that is away', async (_, days, words) => {
    const member = await receiver(new TestAuthority().server(['127.0.0.1'], { days }));
    const hello = { hosts: [`127.0.0.1:${member.port}`] };
    const opened = async () => ({ store: { db: { command: async () => hello } } });
    // The connection string need not name the others.
    const fake = { options: { tls: true, hosts: ['127.0.0.1:1'] }, opened };
    expect(await saidOf('encryption', fake)).toMatch(words);
    await member.stop();
  });

  onMongod('a replica set of another name', async () => {
    const MONGODB_URI = database.uri.replace(/replicaSet=\w+/, 'replicaSet=rs9');
    await expectSaid(
      /^FAIL 127\.0\.0\.1:\d+ is a member of the replica set test, but MONGODB_URI says replicaSet=rs9/,
      'database.reach',
      { MONGODB_URI },
    );
  });

  onMongod('that it is standalone', async () => {
    const port = await freePort();
    const options = { program: process.env.MONGOD ?? '', folder: join(folder, 'standalone'), port, isMember: false };
    const mongod = runMongod(options);
    try {
      await answering(mongod, port, options.folder);
      const MONGODB_URI = `mongodb://127.0.0.1:${port}/`;
      await expectSaid(/^FAIL is a standalone server/, 'database.topology', { MONGODB_URI });
      await expectSaid(/^FAIL 127\.0\.0\.1:\d+ answers, but is a member of no replica set/, 'database.reach', {
        MONGODB_URI: `${MONGODB_URI}?replicaSet=test`,
      });
    } finally {
      await mongod.stop('SIGKILL');
    }
  });

  onMongod.each<[string, string[], (string | object)[], RegExp]>([
    [
      'those of role.json',
      [],
      [],
      /^OK the user has all rights that the service needs on test_\w+, and none elsewhere$/,
    ],
    ['one that is missing', ['createIndex'], [], /^FAIL the user lacks createIndex \(on \d+ collections\)$/],
    [
      'those to write the oplog',
      [],
      [{ role: 'readWrite', db: 'local' }],
      /^WARN the user has rights beyond test_\w+$/,
    ],
    ['one to read elsewhere', [], [{ role: 'read', db: 'other' }], /^WARN the user has rights beyond test_\w+$/],
    ['those to every database', ['find'], ['readWriteAnyDatabase'], /^WARN the user has rights beyond test_\w+$/],
    ['those of the cluster', [], ['clusterMonitor'], /^WARN the user has rights beyond test_\w+$/],
  ])('of the rights of its user %s, and a wrong password', async (_, lacking, roles, words) => {
    const [name, pwd] = [`check_${randomUUID().slice(0, 8)}`, 'the-password-of-nobody'];
    const { privileges } = JSON.parse(readFileSync('deploy/provision/role.json', 'utf8'));
    const [ofService, ...others] = privileges;
    const actions = ofService.actions.filter((action: string) => !lacking.includes(action));
    const own = { resource: { db: database.name, collection: '' }, actions };
    const admin = (...commands: Document[]) =>
      atMongod(Number(/:(\d+)/.exec(database.uri.slice(10))?.[1]), async (client) => {
        for (const command of commands) await client.db('admin').command(command);
      });
    await admin({ createRole: name, privileges: [own, ...others], roles }, { createUser: name, pwd, roles: [name] });
    const MONGODB_URI = `${database.uri.replace('//', `//${name}:${pwd}@`)}&authSource=admin`;
    await expectSaid(words, 'database.rights', { MONGODB_URI });
    const wrongPassword = MONGODB_URI.replace(pwd, 'the-password-of-somebody');
    await expectSaid(/^FAIL is not reached: .*AuthenticationFailed/, 'database.reach', { MONGODB_URI: wrongPassword });
    await admin({ dropUser: name }, { dropRole: name });
  });
});

describe('of the bucket, the check finds', () => {
  let stub: S3Stub;
  const env = () => ({ ...S3, S3_ENDPOINT: stub.url });
  const faulty = async (name: string, faults: StubFaults, more: CheckedEnv = {}) => {
    stub.faults = faults;
    return said(name, { ...env(), ...more });
  };

  beforeAll(async () => {
    stub = await s3Stub();
  });
  afterAll(() => stub.stop());

  test('nothing where all is right, and leaves no version there', async () => {
    stub.faults = { lifecycle: ABORTS_UPLOADS };
    const findings = [
      ...(await found('bucket.', env())),
      ...(await found('files.round_trip', env())),
      ...(await found('files.size', env())),
    ];
    expect(findings.filter(({ verdict }) => verdict !== 'OK')).toEqual([]);
    expect([...stub.objects.keys()]).toEqual([]);
  });

  test.each<[string, string, StubFaults, CheckedEnv, RegExp]>([
    ['that it keeps no versions', 'bucket.versioning', { isUnversioned: true }, {}, /^FAIL is off/],
    [
      'that its versioning may not be read',
      'bucket.versioning',
      { denied: ['s3:GetBucketVersioning'] },
      {},
      /^FAIL may not be read/,
    ],
    ['that nothing aborts uploads', 'bucket.lifecycle', {}, {}, /^WARN there is none/],
    [
      'that everybody may read it',
      'files.round_trip',
      { isPublic: true },
      {},
      /^FAIL http:\/\/127\.0\.0\.1:\d+ gives files to everybody/,
    ],
    [
      'that it sends other bytes',
      'files.round_trip',
      { sends: 'other' },
      {},
      /^FAIL .* sent other bytes than were stored/,
    ],
    [
      'that its clock is ahead',
      'bucket.clock',
      { aheadMs: 10 * 60_000 },
      {},
      /^FAIL its clock is (5[5-9]\d|60[01])\.\d s ahead of the database's/,
    ],
    [
      'a right that is missing',
      'bucket.rights',
      { denied: ['s3:AbortMultipartUpload'] },
      {},
      /^FAIL the credentials lack s3:AbortMultipartUpload$/,
    ],
    [
      'that versions may not be removed, before it writes one',
      'bucket.rights',
      { denied: ['s3:DeleteObjectVersion'] },
      {},
      /^FAIL the credentials lack s3:DeleteObjectVersion; the rest was not tried/,
    ],
    [
      'that there is no such bucket',
      'bucket.reach',
      {},
      { S3_BUCKET: 'other' },
      /^FAIL the service has no such bucket/,
    ],
    [
      'that the service is away',
      'bucket.reach',
      {},
      { S3_ENDPOINT: 'http://127.0.0.1:1' },
      /^FAIL is not reached: refuses connections \(ECONNREFUSED\)/,
    ],
    [
      'that the public address is away',
      'files.round_trip',
      {},
      { S3_PUBLIC_ENDPOINT: 'http://127.0.0.1:1' },
      /^FAIL nothing can be reached at http:\/\/127\.0\.0\.1:1/,
    ],
    [
      'that something cuts uploads',
      'files.size',
      { mostBytes: 1024 * 1024 },
      {},
      /^FAIL .* refuses uploads of 50 MB with 413/,
    ],
  ])('%s', async (_, name, faults, more, words) => {
    let says = await faulty(name, faults, more);
    // On a busy machine a refusal may come later than the check waits for one.
    const isLate = () => says === 'OK an upload of 50 MB may begin';
    for (let tries = 1; tries < 10 && isLate(); tries++) says = await faulty(name, faults, more);
    expect(says).toMatch(words);
    expect([...stub.objects.keys()]).toEqual([]);
  });

  test.each([
    ['Enabled', '<Expiration><Date>2026-01-01T00:00:00Z</Date></Expiration>', 'FAIL a rule removes objects'],
    ['Enabled', '<Expiration><Days>1</Days></Expiration>', 'FAIL a rule removes objects'],
    [
      'Enabled',
      '<NoncurrentVersionExpiration><NoncurrentDays>1</NoncurrentDays></NoncurrentVersionExpiration>',
      'FAIL a rule removes objects',
    ],
    [
      'Enabled',
      '<Expiration><ExpiredObjectDeleteMarker>true</ExpiredObjectDeleteMarker></Expiration>',
      'WARN no rule aborts',
    ],
    [
      'Enabled',
      '<Transition><StorageClass>DEEP_ARCHIVE</StorageClass></Transition>',
      'FAIL a rule moves files to DEEP_ARCHIVE',
    ],
    [
      'Enabled',
      '<NoncurrentVersionTransition><StorageClass>GLACIER</StorageClass></NoncurrentVersionTransition>',
      'FAIL a rule moves files to GLACIER',
    ],
    ['Disabled', '<Expiration><Days>1</Days></Expiration>', 'WARN no rule aborts'],
  ])('a rule that is %s with %s as what it is', async (status, action, words) => {
    const lifecycle = `<Rule><Status>${status}</Status><Filter></Filter>${action}</Rule>`;
    expect(await faulty('bucket.lifecycle', { lifecycle })).toContain(words);
  });

  test('that it keeps what is removed', async () => {
    const told = jest.spyOn(console, 'error').mockReturnValue();
    expect(await faulty('bucket.rights', { isLocked: true })).toMatch(/^FAIL what was removed is still there/);
    expect(told).not.toHaveBeenCalled();
    stub.objects.clear();
  });

  test('a public address that changes Host', async () => {
    const proxy = await proxyOf(stub.url);
    const { host: publicHost } = new URL(proxy.url);
    const tried = (faults: ProxyFaults) => {
      proxy.faults = faults;
      return faulty('files.round_trip', { publicHost }, { S3_PUBLIC_ENDPOINT: proxy.url });
    };
    try {
      expect(await tried({})).toBe(`OK a form and a URL work at ${proxy.url}, and nothing without a signature`);
      expect(await tried({ rewritesHost: true })).toBe(
        `FAIL the URL is refused at ${proxy.url}: SignatureDoesNotMatch`,
      );
    } finally {
      await proxy.stop();
    }
  });
});

describe('of the folder and the ports, the check finds', () => {
  test('a folder that cannot be written to, or not be made', async () => {
    await expectSaid(/^FAIL this user cannot write to it: .*(EACCES|EROFS|EPERM)/, 'files.folder', {
      STORAGE_DIR: '/sys',
    });
    await expectSaid(/^FAIL cannot be used: ENOTDIR/, 'files.folder', { STORAGE_DIR: '/dev/null/files' });
    await expectSaid(/^FAIL is not there, and this user may not make it/, 'files.folder', {
      STORAGE_DIR: '/nowhere/mounted/files',
    });
  });

  test('a folder that others can enter', async () => {
    const open = join(folder, 'open');
    mkdirSync(open, { mode: 0o755 });
    await expectSaid(/^WARN other users of this machine can enter it/, 'files.folder', { STORAGE_DIR: open });
    expect(readdirSync(open)).toEqual([]);
  });

  test('a port that another program holds', async () => {
    const other: Server = createServer((socket) => socket.end('hello\r\n'));
    const port = String(await listenOnLoopback(other));
    expect(await said('ports', { PORT: port })).toBe(`FAIL PORT ${port} is held by another program`);
    other.close();
    const worked = createHttpServer((_, answer) =>
      answer.end(`${'# of a long day\n'.repeat(20_000)}developer_api_build_info 1`),
    );
    const METRICS_PORT = String(await listenOnLoopback(worked));
    expect(await said('ports', { PORT: '0', METRICS_HOST: '127.0.0.1', METRICS_PORT })).toBe(
      `OK METRICS_PORT ${METRICS_PORT} is held by a process of ours`,
    );
    worked.close();
    await expectSaid(/^FAIL METRICS_PORT \d+ is at an address/, 'ports', {
      PORT: '0',
      METRICS_PORT: port,
      METRICS_HOST: '192.0.2.1',
    });
  });
});

describe('of the way out for webhooks, the check finds', () => {
  const authority = new TestAuthority();
  let target: TestReceiver;
  let env: CheckedEnv;
  const webhookUrl = () => new URL(target.url);
  const lookup = async () => ['127.0.0.1'];

  beforeAll(async () => {
    target = await receiver(authority.server([RECEIVER]));
    env = { WEBHOOK_ALLOW_NETWORKS: `127.0.0.1:${target.port}` };
  });
  afterAll(() => target.stop());

  test('a certificate that is not trusted, or has no alternative name, and sends nothing to the receiver', async () => {
    const nameless = await receiver(authority.server([], {}, RECEIVER));
    const file = join(folder, 'ca.pem');
    writeFileSync(file, authority.pem);
    const wayOut = (expected: RegExp, { url, port }: TestReceiver, more: CheckedEnv = { WEBHOOK_CA_FILE: file }) => {
      const given = { WEBHOOK_ALLOW_NETWORKS: `127.0.0.1:${port}`, ...more };
      return expectSaid(expected, 'webhooks.way_out', given, { webhookUrl: new URL(url), lookup });
    };
    await wayOut(/^FAIL no TLS connection to receiver\.test:\d+ opens: .*(CERT_|UNABLE_TO_)/, target, {});
    await wayOut(/^FAIL no TLS connection to receiver\.test:\d+ opens: .*name/, nameless);
    await wayOut(/^OK/, target);
    expect([...target.requests, ...nameless.requests]).toEqual([]);
    await nameless.stop();
  });

  test('a name server that does not answer', async () => {
    const nobody = () => Promise.reject(new Error('no answer'));
    await expectSaid(/^FAIL receiver\.test is not found by the name servers/, 'webhooks.dns', env, {
      webhookUrl: webhookUrl(),
      lookup: nobody,
    });
    // For the usual receiver it may be meant.
    await expectSaid(/^WARN www\.iana\.org is not found/, 'webhooks.dns', {}, { lookup: nobody });
  });

  test('a receiver at a private address', async () => {
    const inside = new URL('https://hooks.hr-inside.kz/');
    await expectSaid(
      /^FAIL hooks\.hr-inside\.kz leads to an address that is not public/,
      'webhooks.dns',
      {},
      { webhookUrl: inside, lookup: async () => ['10.0.0.7'] },
    );
  });
});

test.each([
  ['OK', 0, 0],
  ['SKIPPED', 0, 0],
  ['SLOW', 0, 1],
  ['WARN', 0, 1],
  ['FAIL', 1, 1],
] as const)('a finding %s means exit code %i, and %i where all must be right', (verdict, usual, strict) => {
  const findings = (['OK', verdict] as const).map((one) => ({ check: 'x', verdict: one, says: '' }));
  expect([exitCodeOf(findings, false), exitCodeOf(findings, true)]).toEqual([usual, strict]);
});
