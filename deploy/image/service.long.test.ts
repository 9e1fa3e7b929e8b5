/** What the image of the service holds, run as a container would, without an engine. */
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer } from 'node:net';
import { basename, join, resolve } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { listenOnLoopback } from '../../scripts/kit/ports.ts';
import { listening, ready } from '../../scripts/world/server.ts';
import { testDeployment } from '../../scripts/world/test-deployment.ts';
import { opensslHere } from './openssl.ts';
import { addBase, canSandbox, DATA, signalled, startInSandbox, treeFolder, USER } from './sandbox.ts';
import { packedModules } from './testing/modules.ts';
import { assembleService, places, serviceLock } from './tree.ts';

const projectRoot = resolve(import.meta.dirname, '../..');
const folder = treeFolder('image-');
const [root, data] = [join(folder, 'root'), join(folder, 'data')];
const app = join(root, places.service);
const containerfile = readFileSync(join(projectRoot, 'deploy/Containerfile'), 'utf8');
const serviceStage = containerfile.slice(containerfile.lastIndexOf('\nFROM '));
const deployment = await testDeployment();
const openssl = process.platform === 'linux' ? await opensslHere() : undefined;
const files = (below: string) => readdirSync(below, { recursive: true, encoding: 'utf8' });

beforeAll(() => {
  const docs = join(folder, 'docs.html');
  writeFileSync(docs, '<!DOCTYPE html><title>The docs</title>');
  assembleService(root, docs, openssl ? [openssl] : []);
});

if (openssl === undefined) test.skip('DID NOT RUN: OpenSSL in the image (needs an OpenSSL 3 of Linux)', () => {});

describe('what the image holds', () => {
  test('every file that the program imports or reads is there, and nothing of tests, checks and development', () => {
    const { missing, modules } = packedModules(app);
    // The cache is made where it can be. In a container nobody starts the embedded database, nor the server by npm start.
    const ofClones = [
      'handlers/main.ts',
      'node_modules/.cache/compiled',
      'scripts/embedded-db/main.ts',
      'scripts/kit/end-with-parent.ts',
    ];
    expect(missing).toEqual(ofClones);
    const strange = modules.filter((file) => /\.test\.|^scripts\/(checks|contract|embedded-db)\//.test(file));
    expect(strange).toEqual([]);
    expect(files(app).filter((file) => /\.(map|[cm]?ts)$|(^|\/)(npm|npx|yarn(-[\d.]+\.cjs)?)$/.test(file))).toEqual([]);
  });

  test('the packages are those that the program needs, without Node and what is for development', () => {
    const places = Object.keys(serviceLock().packages);
    const wanted = packedModules(app).packages.map((name) => `node_modules/${name}`);
    expect(wanted.filter((place) => !existsSync(join(app, place)))).toEqual([]);
    expect(places).not.toContain('node_modules/node');
    expect(places).not.toContain('node_modules/jest');
    const lock = JSON.parse(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8')).packages;
    expect(places.filter((place) => place !== '' && lock[place].dev === true)).toEqual([]);
  });

  (openssl ? test : test.skip)('OpenSSL comes with its libraries, but not that of C, and is listed', () => {
    const libraries = files(join(root, 'usr')).map((file) => basename(file));
    expect(libraries).toEqual(expect.arrayContaining(['libcrypto.so.3', 'libssl.so.3']));
    expect(libraries).not.toContain('libc.so.6');
    const listed = [places.notices, places.bom].map((file) => readFileSync(join(app, file), 'utf8'));
    const { version } = openssl ?? {};
    expect(listed[0]).toContain(`\nOpenSSL ${version}, `);
    expect(listed[1]).toContain(`"pkg:generic/openssl@${version}"`);
  });
});

/** The embedded database lets in its own user alone; this hands others on to it. @returns a connection string for them */
async function relayed(uri: string): Promise<string> {
  const [, socket] = /^mongodb:\/\/([^/?]+\.sock)/.exec(uri) ?? [];
  if (socket === undefined) return uri;
  const relay = createServer((client) => {
    const database = connect(decodeURIComponent(socket));
    client.on('error', () => database.destroy()).pipe(database);
    database.on('error', () => client.destroy()).pipe(client);
  });
  relay.unref();
  return `mongodb://127.0.0.1:${await listenOnLoopback(relay)}/`;
}

const isPossible = openssl !== undefined && canSandbox();
if (!isPossible) test.skip('DID NOT RUN: the image without an engine (needs the rights of root to mount)', () => {});

(isPossible ? describe : describe.skip)('below its own root, read-only, as another user, as process 1', () => {
  /** Runs a command of the image to its end, or in the background. */
  const developerApi = (words: readonly string[], env: Readonly<Record<string, string>>) =>
    startInSandbox(['/usr/local/bin/developer-api', ...words], { root, data, env });
  /** What the Containerfile sets. */
  const ofImage = Object.fromEntries(
    [...serviceStage.matchAll(/^ENV (\w+)=([^$\n]+)$/gm)].map(([, name = '', value = '']) => [name, value]),
  );
  let env: Readonly<Record<string, string>>;

  beforeAll(async () => {
    addBase(root);
    mkdirSync(data);
    chownSync(data, USER, USER);
    chmodSync(folder, 0o711);
    const ofDatabase = deployment.database.env;
    env = { ...ofImage, ...ofDatabase, MONGODB_URI: await relayed(ofDatabase.MONGODB_URI) };
  });

  test('the service starts, OpenSSL judges, it is ready, has docs, answers calls and ends with 0 on SIGTERM', async () => {
    const key = await (await deployment.tenant()).key();
    const own = { ...env, PORT: '0', STORAGE_DIR: `${DATA}/files`, STORAGE_URL: 'http://127.0.0.1:1' };
    const server = developerApi(['server'], own);
    const started = await listening(server);
    await ready(started);
    const { url } = started;
    const status = async (path: string, headers = {}) => (await fetch(url + path, { headers })).status;
    // It has judged a right signature there.
    const judge = `"program":"${ofImage.OPENSSL}","version":"OpenSSL ${openssl?.version} `;
    expect(server.stdout).toContain(`"openssl_found",${judge}`);
    const asked = ['/docs', '/openapi.json', '/collection.json', '/developer/v1/employees'];
    expect(await Promise.all(asked.map((path) => status(path, { 'X-API-Key': key })))).toEqual(asked.map(() => 200));
    const { port: PORT } = new URL(url);
    const healthy = (port: string, ...option: string[]) =>
      developerApi(['healthy', ...option], { ...ofImage, PORT: port }).ended;
    expect(await Promise.all([healthy(PORT), healthy('1')])).toEqual([0, 1]);
    expect(await healthy(PORT, '--ready')).toBe(0);
    expect(await signalled(server, 'SIGTERM')).toBe(0);
    expect(server.stderr).toBe('');
    // The folder is its own, and so is what the process made in it.
    expect(statSync(join(data, 'files')).uid).toBe(USER);
  });

  test('the tools run, and so does what the server prints instead of running', async () => {
    const settings = developerApi(['settings', 'tenants', 'list', '--json'], env);
    const others = [['seed', '--help'], ['server', '--help'], ['check', '--help'], [], ['nothing']];
    const codes = others.map((words) => developerApi(words, {}).ended);
    expect(await settings.ended).toBe(0);
    expect(settings.stdout).toContain('"time_zone": "Asia/Almaty"');
    expect(await Promise.all(codes)).toEqual([0, 0, 0, 0, 2]);
  });

  test('it prints, and nothing but /tmp and the folder can be written, by a user without rights', async () => {
    const program = `
      (async () => {
      const { writeFileSync, readFileSync } = require('node:fs');
      const { printed } = await import('/app/handlers/documents/pdf/printer.js');
      const tried = ['/app/x', '/x', '/usr/local/bin/x', '/tmp/x', '${DATA}/x'].map((file) => {
        try { writeFileSync(file, ''); return 'written'; } catch ({ code }) { return code; }
      });
      const input = { id: '', title: 'Бұйрық', number: '1', date: '2000-01-01', organization: '', locale: 'kk', blocks: [] };
      const bytes = await printed({ kind: 'document', input }, 'tenant');
      const [, rights] = /CapEff:\\s*(\\w+)/.exec(readFileSync('/proc/self/status', 'utf8'));
      const user = { id: process.getuid(), pid: process.pid, rights: Number.parseInt(rights, 16) };
      console.log(JSON.stringify({ tried, user, printed: Buffer.from(bytes).toString('latin1', 0, 5) }));
      process.exit();
      })();`;
    const node = ['/usr/local/bin/node', '-e', program];
    const running = startInSandbox(node, { root, data, env: ofImage });
    expect({ code: await running.ended, stderr: running.stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(running.stdout)).toEqual({
      tried: ['EROFS', 'EROFS', 'EROFS', 'written', 'written'],
      user: { id: USER, pid: 1, rights: 0 },
      printed: '%PDF-',
    });
  });
});
