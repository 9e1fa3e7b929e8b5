/** The check beside processes and behind a terminator: what is right, each fault of them, and that nothing of it stays. */

import { randomBytes } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, type Server } from 'node:http';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { eventually } from '../../scripts/kit/eventually.ts';
import { freePort, listenOnLoopback } from '../../scripts/kit/ports.ts';
import { nodeScript } from '../../scripts/kit/program.ts';
import { startAlone } from '../../scripts/kit/run-program.ts';
import { type CheckedEnv, checksWith } from '../../scripts/world/checking.ts';
import { hasOpenssl } from '../../scripts/world/eds/judges.ts';
import { type FaultyProxy, type ProxyFaults, proxyOf } from '../../scripts/world/proxy.ts';
import { TestAuthority } from '../../scripts/world/receiver.ts';
import type { RunningServer } from '../../scripts/world/server.ts';
import { testDeployment } from '../../scripts/world/test-deployment.ts';
import type { ProcessRow } from '../data/collections/processes.ts';
import { sharedSecret } from '../data/token-keys.ts';
import { fontsIn } from '../documents/pdf/faces.ts';
import { type AgreementWatch, agreementWatch } from '../jobs/process-agreement.ts';
import { JOBS_COLLECTION } from '../jobs/scheduler.ts';
import { type Config, readConfig } from '../runtime/config.ts';
import { createLogger } from '../runtime/log.ts';
import type { DeploymentCheck } from './check.ts';
import { CHECKS, checked, runCheck } from './command.ts';
import { doubtful, fine, type Judgement, timed, wrong } from './finding.ts';

const deployment = await testDeployment();
const { database, store, folder } = deployment;
const authority = new TestAuthority();
const trusted = getCACertificates();
const key = () => randomBytes(32).toString('base64url');
const keys = key();
/** What every process of the deployment has. */
const common: CheckedEnv = {
  ...database.env,
  STORAGE_DIR: join(folder, 'files'),
  NODE_ENV: 'production',
  PAGE_TOKEN_KEYS: keys,
  TRUSTED_PROXIES: '127.0.0.1',
  CONTROL_PORT: '',
  PATH: process.env.PATH ?? '',
};
let ports: CheckedEnv;
let api: RunningServer;
let terminator: FaultyProxy;
/** What /readyz of a process said while another one had other keys. */
let whileDiffering: unknown;

const { runOf, said, expectSaid } = checksWith(common);

/** The time of a process that counts as living for as long as a test may take. */
const stillLiving = () => new Date(Date.now() + 3_600_000);

beforeAll(async () => {
  const [docs, port, storage] = [join(folder, 'docs.html'), await freePort(), await freePort()];
  writeFileSync(docs, '<h1>The docs</h1>');
  ports = { PORT: String(port), STORAGE_PORT: String(storage), DOCS_FILE: docs, DOCS_URL: 'https://api.example/docs' };
  const other = { ...common, DOCS_FILE: docs, DOCS_URL: 'https://api.example/docs' };
  const differing = {
    role: 'api',
    version: '0',
    host: 'other',
    pid: 1,
    settings: { PAGE_TOKEN_KEYS: ['others'] },
  } as const;
  await store.processes.insertOne({ _id: 'differing', ...differing, start_time: new Date(), seen_time: stillLiving() });
  [api] = await Promise.all([deployment.start({ ...common, ...ports }), deployment.start(other)]);
  whileDiffering = await (await fetch(`${api.url}/readyz`)).json();
  await store.processes.deleteOne({ _id: 'differing' });
  // The first form of a deployment makes it.
  await sharedSecret(store, 'storage');
  setDefaultCACertificates([...trusted, authority.pem]);
  terminator = await proxyOf(api.url, {}, authority.server(['127.0.0.1'], { days: 90 }));
});

afterAll(async () => {
  setDefaultCACertificates(trusted);
  await terminator.stop();
});

/** Everything that the store and the folder hold, but for what processes themselves write all the time. */
async function contents(): Promise<unknown> {
  const ofProcesses = ['processes', 'rate_limits', JOBS_COLLECTION];
  const names = (await store.db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name).toSorted();
  const rows = names
    .filter((name) => !ofProcesses.includes(name))
    .map((name) => store.db.collection(name).find().toArray());
  const files = readdirSync(join(folder, 'files'), { recursive: true }).toSorted();
  return { names, rows: await Promise.all(rows), files };
}

/** Makes the whole check as an operator does. @param limit what a shell limits before */
async function wholeCheck(env: CheckedEnv, limit = ':') {
  const words = nodeScript('handlers/main.ts', 'check', '--json', '--url', terminator.url);
  const running = startAlone('sh', ['-c', `${limit}; exec "$0" "$@"`, ...words], env);
  const code = await running.ended;
  type ToldFinding = Readonly<Record<'check' | 'verdict' | 'says', string>>;
  const { verdict, findings } = JSON.parse(running.stdout) as { verdict: string; findings: ToldFinding[] };
  // Whether the Internet and a cloud can be reached from here, and how fast it and its disk are, is the machine's.
  const own = findings.filter(
    ({ check, verdict }) => !/^webhooks\.|^database\.writes|SLOW$/.test(`${check} ${verdict}`),
  );
  const notFine = own.filter((one) => one.verdict !== 'OK').map((one) => `${one.check} ${one.verdict}`);
  return { code, stderr: running.stderr, verdict, findings, notFine };
}

describe('a deployment of two processes behind a terminator', () => {
  test('is right, beside what is only for trying out, and nothing of the check stays', async () => {
    const file = join(folder, 'ca.pem');
    writeFileSync(file, authority.pem);
    const env = { ...common, ...ports, NODE_EXTRA_CA_CERTS: file };
    const ofBucket = CHECKS.filter(({ name }) => name.startsWith('bucket.')).map(({ name }) => `${name} SKIPPED`);
    const isMongod = process.env.TEST_MONGODB === 'mongod';
    // Neither database is one for production, and there is no file of a secret.
    const ofDatabase = isMongod
      ? ['database.members WARN']
      : ['database.topology WARN', 'database.members SKIPPED', 'database.oplog SKIPPED', 'database.rights SKIPPED'];
    const expected = [...ofDatabase, ...ofBucket, ...(hasOpenssl ? [] : ['signatures.openssl WARN'])];
    let before = await contents();
    let check = await wholeCheck(env);
    // A process that a busy machine does not let run has no answer for some checks, and they say so.
    for (let nth = 1; nth < 5 && String(check.notFine) !== String(expected); nth++) {
      before = await contents();
      check = await wholeCheck(env);
    }
    const { code, stderr, verdict, findings, notFine } = check;
    expect(findings.filter((one) => one.verdict === 'FAIL')).toEqual([]);
    expect([code, stderr]).toEqual([0, '']);
    expect(notFine).toEqual(expected);
    expect(verdict).toBe('WARN');
    expect(findings.map(({ check }) => check)).toEqual(CHECKS.map(({ name }) => name));
    expect(JSON.stringify(findings)).not.toContain(keys);
    // A process may still be removing what a check did not wait for.
    const isGone = async () => isDeepStrictEqual(await contents(), before);
    await eventually('nothing of the check', isGone).catch(() => {});
    expect(await contents()).toEqual(before);
  });

  test.each<[string, string, string, RegExp]>([
    ['few open files', 'ulimit -n 4095', '', /^it may open 4095 files$/],
    ['a small heap', ':', '--max-old-space-size=256', /^its heap may grow to \d{3} MiB$/],
    [
      'a heap beyond its memory',
      ':',
      '--max-old-space-size=99000000',
      /^its heap may grow to \d{8} MiB, and there are \d+$/,
    ],
  ])('is told of %s', async (_, limit, NODE_OPTIONS, words) => {
    const { findings } = await wholeCheck({ ...common, ...ports, NODE_OPTIONS }, limit);
    const found = findings.find(({ check }) => check === 'program.limits');
    expect(found).toMatchObject({ verdict: 'WARN', says: expect.stringMatching(words) });
  });

  test('is left as it was by a check that somebody stops', async () => {
    const before = await contents();
    const silent: Server = createHttpServer(() => running.signal('SIGINT'));
    const url = `http://127.0.0.1:${await listenOnLoopback(silent)}`;
    const running = startAlone('handlers/main.ts', ['check', '--url', url], { ...common, ...ports });
    expect(await running.ended).toBe(3);
    silent.close();
    silent.closeAllConnections();
    expect(running.stdout).toMatch(/SKIPPED +terminator\.reach +stopped before its end/);
    expect(await contents()).toEqual(before);
  });

  test('is refused with exit code 2 and a message, if an argument or a setting is wrong', async () => {
    const wrongly: [string[], CheckedEnv, RegExp][] = [
      [['--nowhere'], {}, /Unknown option '--nowhere'/],
      [['--url', 'api.example.com'], {}, /--url must be an http or https URL/],
      [[], { PAGE_TOKEN_KEY: 'x' }, /PAGE_TOKEN_KEY: the server has no such variable/],
      [[], { PDF_FONTS_DIR: '/nowhere' }, /PDF_FONTS_DIR: is no folder that this user can read/],
    ];
    const told = jest.spyOn(console, 'error').mockReturnValue();
    for (const [argv, env, words] of wrongly) {
      const fontFiles = (dir: string | undefined) => fontsIn(dir).map(({ file }) => file);
      const variables = () => ({ ...common, ...env });
      expect(await runCheck({ argv, variables, fontFiles, stopping: new AbortController().signal })).toBe(2);
      expect(told.mock.lastCall).toEqual([expect.stringMatching(words)]);
    }
    told.mockRestore();
  });
});

test('a check that hangs ends after its time, and what it has made is removed', async () => {
  const removed: string[] = [];
  const hanging: DeploymentCheck = {
    name: 'hanging',
    about: '',
    limitMs: 20,
    run({ undo }) {
      undo('one', async () => removed.push('first'));
      undo('a thing', () => Promise.reject(new Error('gone')));
      undo('another', async () => removed.push('last'));
      return new Promise(() => {});
    },
  };
  const failing: DeploymentCheck = { name: 'failing', about: '', run: () => Promise.reject(new TypeError('hunter2')) };
  const good: DeploymentCheck = { name: 'good', about: '', run: async () => fine('well') };
  const told = jest.spyOn(console, 'error').mockReturnValue();
  const findings = await checked(runOf({}), [hanging, failing, good]);
  expect(told.mock.calls).toEqual([['Could not be removed: a thing.']]);
  told.mockRestore();
  expect(findings.map(({ verdict, says }) => `${verdict} ${says}`)).toEqual([
    'FAIL did not answer in time: 0.02 s',
    'FAIL could not be made: TypeError',
    'OK well',
  ]);
  expect(removed).toEqual(['last', 'first']);
});

test('what a clock has found is none while this program gets no turns, and everything else is', async () => {
  /** What is said of a check that finds this while nothing else has a turn. */
  async function saidAfter(busyMs: number, found: Judgement): Promise<string> {
    const busy = async () => {
      for (const untilMs = performance.now() + busyMs; performance.now() < untilMs; );
      return found;
    };
    const [finding] = await checked(runOf({}), [{ name: 'busy', about: '', run: busy }]);
    return `${finding?.verdict} ${finding?.says}`;
  }
  const late = wrong('the way there did not answer in time', 'See.');
  expect(await saidAfter(0, late)).toBe('FAIL the way there did not answer in time');
  expect(await saidAfter(500, late)).toMatch(/^SLOW the way there did not answer in time; this program got \d % of/);
  const lone = wrong('there is no primary (MongoServerSelectionError)', 'See.');
  expect(await saidAfter(500, lone)).toMatch(/^SLOW there is no primary/);
  const slow = timed(doubtful('took long', 'See.'));
  expect(await saidAfter(0, slow)).toBe('WARN took long');
  expect(await saidAfter(500, slow)).toMatch(/^SLOW took long; /);
  expect(await saidAfter(500, wrong('is off', 'Switch it on.'))).toBe('FAIL is off');
});

test('a process that starts beside one with other keys is ready, and says so in /readyz', () => {
  expect(whileDiffering).toEqual({ status: 'ready', settings_disagree: ['PAGE_TOKEN_KEYS'] });
});

describe('of the processes, the check finds', () => {
  const watches: AgreementWatch[] = [];

  /** Has one more process live beside the two, as far as the store shows it. */
  async function beside(env: CheckedEnv, fontFiles: readonly string[] = []): Promise<void> {
    const read = readConfig({ ...common, DOCS_URL: 'https://api.example/docs', ...env }) as { config: Config };
    const watch = agreementWatch(store, { config: read.config, fontFiles }, createLogger('silent'));
    watches.push(watch);
    await watch.start();
  }

  async function agreementSays(env: CheckedEnv, fontFiles?: readonly string[]): Promise<string> {
    await beside(env, fontFiles);
    const says = await said('deployment.agreement', ports);
    await watches.pop()?.stop();
    return says;
  }

  test.each<[string, CheckedEnv, readonly string[], string]>([
    ['fonts', {}, ['node_modules/dejavu-fonts-ttf/ttf/DejaVuSans.ttf'], 'PDF_FONTS_DIR'],
    ['a folder', { STORAGE_DIR: join(folder, 'other') }, [], 'STORAGE_DIR'],
  ])('%s that differ in one', async (_, env, fontFiles, setting) => {
    expect(await agreementSays(env, fontFiles)).toMatch(
      new RegExp(`^FAIL processes disagree on ${setting} of 1 in 3 \\(.+ \\(\\d+\\)\\)$`),
    );
    await expectSaid(/^OK 2 processes agree/, 'deployment.agreement', ports);
  });

  test('a configuration that is not theirs', async () => {
    expect(await said('deployment.agreement', { ...ports, PAGE_TOKEN_KEYS: key() })).toBe(
      'FAIL the processes have another PAGE_TOKEN_KEYS than this configuration',
    );
  });

  test('that both workers are away, or that another release runs', async () => {
    // Where no living process writes its row meanwhile.
    const MONGODB_DATABASE = `${database.name}_rows`;
    const rows = store.client.db(MONGODB_DATABASE).collection<ProcessRow>('processes');
    const saying = (name: string) => said(`deployment.${name}`, { MONGODB_DATABASE });
    expect(await saying('processes')).toBe('SKIPPED no process runs');
    const row = { role: 'api', version: '1.0.0', host: 'h', pid: 1, start_time: new Date(), settings: {} } as const;
    for (const _id of ['one', 'other']) await rows.insertOne({ _id, ...row, seen_time: stillLiving() });
    expect(await saying('processes')).toBe(
      'FAIL 2 processes answer requests and none is a worker: no event is sent, no batch is applied',
    );
    await rows.updateOne({ _id: 'other' }, { $set: { role: 'worker', version: '0.9.0' } });
    expect(await saying('processes')).toMatch(/^WARN one process alone is api and worker/);
    expect(await saying('versions')).toBe('WARN 1 run 1.0.0, 1 run 0.9.0');
    // Who has not written for long is gone.
    await rows.updateOne({ _id: 'other' }, { $set: { seen_time: new Date(Date.now() - 60_000) } });
    expect(await saying('processes')).toMatch(/^FAIL 1 process answers requests and none is a worker/);
    await store.client.db(MONGODB_DATABASE).dropDatabase();
  });

  test('recurring work that was not done for long', async () => {
    expect(await said('deployment.jobs')).toBe('OK all 4 have ended lately');
    const jobs = store.db.collection(JOBS_COLLECTION);
    const name = 'prune_deliveries';
    const row = await jobs.findOne({ name });
    await jobs.updateOne({ name }, { $set: { lastFinishedAt: new Date(Date.now() - 3 * 3_600_000) } });
    await expectSaid(/^FAIL did not end lately: prune_deliveries \(1(79|80) min ago\)$/, 'deployment.jobs');
    await jobs.updateOne({ name }, { $set: { lastFinishedAt: row?.lastFinishedAt } });
  });
});

describe('of the terminator, the check finds', () => {
  const behind = (name: string, faults: ProxyFaults) => {
    terminator.faults = faults;
    return said(name, {}, { url: new URL(terminator.url) });
  };

  test.each<[string, string, ProxyFaults, RegExp]>([
    [
      'that it cuts bodies at 1 MiB',
      'terminator.body',
      { mostBytes: 1024 * 1024 },
      /^FAIL a body of 32 MiB gets 413 of proxy in front of it/,
    ],
    [
      'that it sends no X-Forwarded-For',
      'terminator.client',
      { forwarded: 'none' },
      /^FAIL processes take 127\.0\.0\.1 for the client/,
    ],
    [
      'that its address is not in TRUSTED_PROXIES',
      'terminator.client',
      { from: '127.0.0.3' },
      /^FAIL processes take 127\.0\.0\.3 for the client/,
    ],
    [
      'that callers choose their address',
      'terminator.client',
      { forwarded: 'callers' },
      /^FAIL processes take the X-Forwarded-For of a caller/,
    ],
    [
      'that it loses X-Request-Id',
      'terminator.reach',
      { drops: ['x-request-id'] },
      /^WARN the X-Request-Id of a caller/,
    ],
    [
      'that it loses WWW-Authenticate',
      'terminator.reach',
      { drops: ['www-authenticate'] },
      /^WARN WWW-Authenticate does not arrive/,
    ],
    ['that it loses Retry-After', 'terminator.client', { drops: ['retry-after'] }, /^WARN Retry-After/],
    ['that it keeps answers', 'terminator.freshness', { caches: true }, /^FAIL a second request of .* gets the answer/],
  ])('%s', async (_, name, faults, words) => {
    expect(await behind(name, faults)).toMatch(words);
  });

  test('a certificate that nobody trusts, one for another name, and one that names the host as its subject alone', async () => {
    for (const [tls, words] of [
      [
        new TestAuthority().server(['localhost']),
        /^FAIL is not trusted: .*(CERT_SIGNATURE_FAILURE|UNABLE_TO_VERIFY_LEAF_SIGNATURE)/,
      ],
      [authority.server(['api.example']), /^FAIL is not trusted: its certificate is for another name/],
      [authority.server([], {}, 'localhost'), /^FAIL is not trusted: its certificate is for another name/],
    ] as const) {
      const proxy = await proxyOf(api.url, {}, tls);
      const url = new URL(proxy.url.replace('127.0.0.1', 'localhost'));
      await expectSaid(words, 'terminator.certificate', {}, { url });
      await proxy.stop();
    }
  });

  test('that it cuts long heads, or leads elsewhere; that it hides /readyz is right', async () => {
    const proxy = await proxyOf(api.url, { mostHeadBytes: 8 * 1024 });
    await expectSaid(/^FAIL a request line of 12 KiB gets 431/, 'terminator.head', {}, { url: new URL(proxy.url) });
    await proxy.stop();
    const elsewhere = createHttpServer(({ url }, res) =>
      res.writeHead(url === '/readyz' ? 404 : 200).end('<h1>Welcome</h1>'),
    );
    const url = new URL(`http://127.0.0.1:${await listenOnLoopback(elsewhere)}`);
    await expectSaid(/^FAIL a request without a key gets 200/, 'terminator.reach', {}, { url });
    await expectSaid(/^WARN the address is not https/, 'terminator.certificate', {}, { url });
    await expectSaid(/^OK \/readyz is not shown to clients \(404\)/, 'terminator.readiness', {}, { url });
    elsewhere.close();
    elsewhere.closeAllConnections();
  });
});
