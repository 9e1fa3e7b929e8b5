/**
 * The package as an integrator gets it: packed, installed in an empty folder, compiled, and run against the service.
 * The step `client` of `npm run check` runs it, with tools that are fetched once.
 */
import { randomUUID } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect } from 'node:net';
import { basename, dirname, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { deleteEmployee, updateEmployee } from '../../handlers/employees/write/employees.ts';
import { now } from '../../handlers/runtime/clock.ts';
import { eventually } from '../../scripts/kit/eventually.ts';
import { temporaryFolder } from '../../scripts/kit/leftovers.ts';
import { closeServer, freePort, listenOnLoopback } from '../../scripts/kit/ports.ts';
import { RunningProgram } from '../../scripts/kit/program.ts';
import { ask } from '../../scripts/world/ask.ts';
import { TestAuthority } from '../../scripts/world/receiver.ts';
import { employeeRow, type TestTenant } from '../../scripts/world/tenant.ts';
import { testDeployment } from '../../scripts/world/test-deployment.ts';
import { signWebhook } from '../src/webhooks.ts';
import { DeliveryFront } from './front.ts';
import { ONE, PAGE, SampleSync } from './sample-sync.ts';

const PDF =
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>\n';
const root = resolve(import.meta.dirname, '../..');
/** Holds Node 20, Deno, Bun, workerd, TypeScript 5, Fastify, undici, publint and arethetypeswrong. */
const tools = join(process.env.CLIENT_TOOLS ?? '', 'node_modules');
const folder = temporaryFolder('client-package-');
const project = join(folder, 'project');
const programs = join(import.meta.dirname, 'programs');
const [frameworks, workers] = [join(folder, 'frameworks'), join(folder, 'workers')];
const packed = join(folder, 'developer-api-client-1.8.0.tgz');
const deployment = await testDeployment();
const bun = `@oven/bun-${process.platform}-${process.arch.replace('arm64', 'aarch64')}/bin/bun`;
const workerd = `@cloudflare/workerd-${process.platform}-${process.arch.replace('x64', '64')}/bin/workerd`;
/** How each runtime is called. */
const RUNTIMES = {
  'Node 20': [join(tools, `node-${process.platform}-${process.arch}/bin/node`)],
  'Node 24': [process.execPath],
  Deno: [process.execPath, join(tools, 'deno/bin.cjs'), 'run', '-A'],
  Bun: [join(tools, bun), 'run'],
} as const;

/** Starts the package as a worker, by workerd. */
async function startWorker(): Promise<{ url: string; program: RunningProgram }> {
  const dist = join(project, 'node_modules/developer-api-client/dist/esm');
  const at = `127.0.0.1:${await freePort()}`;
  const names = readdirSync(dist, { recursive: true, encoding: 'utf8' });
  const sources = names.filter((name) => name.endsWith('.js') && !/client\/src\/(cli\/|node\.js)/.test(name));
  const modules = [['worker.mjs', join(programs, 'worker.mjs')], ...sources.map((name) => [name, join(dist, name)])];
  for (const [i, [, file = '']] of modules.entries()) cpSync(file, join(workers, String(i)));
  const config = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .main),
    (name = "internet", network = (allow = ["public", "private"])),
  ],
  sockets = [(name = "http", address = "${at}", http = (), service = "main")],
);
const main :Workerd.Worker = (
  compatibilityDate = "2026-01-01",
  modules = [${modules.map(([name], i) => `(name = "${name}", esModule = embed "${i}")`).join(', ')}],
);`;
  writeFileSync(join(workers, 'config.capnp'), config);
  const program = new RunningProgram([join(tools, workerd), 'serve', 'config.capnp'], { cwd: workers });
  const answers = () =>
    fetch(`http://${at}/`).then(
      () => true,
      () => undefined,
    );
  await Promise.race([eventually('the worker', answers), program.ended.then(() => never(program.stderr))]);
  return { url: `http://${at}/`, program };
}

function never(what: string): never {
  throw new Error(`there is not ${what}`);
}

/** Runs a program to its end. @returns what it printed @throws Error with its output if it failed */
async function run(argv: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const program = new RunningProgram([...argv], { cwd, env: { ...process.env, NO_COLOR: '1', ...env } });
  const ending = await program.ended;
  if (ending !== 0) throw new Error(`${argv.join(' ')} ended with ${ending}\n${program.stdout}\n${program.stderr}`);
  return program.stdout;
}

const page = readFileSync(join(root, 'client/README.md'), 'utf8');
/** The programs and parts of programs on the page. */
const samples = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, sample = '']) => sample);
const front = await DeliveryFront.open(folder);
let baseUrl = '';
let tenant: TestTenant;
/** What the program of the page says on each Node. It mostly waits for its turn, so it runs beside all else. */
let listed: Promise<string[]>;

async function install(): Promise<void> {
  await run(['npm', 'pack', '--silent', '--pack-destination', folder], join(root, 'client'));
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{"type": "module"}');
  await run(['npm', 'install', '--offline', '--no-audit', '--no-fund', '--loglevel=error', packed], project);
  for (const name of ['walk.mjs', 'walk-esm.mjs', 'walk-cjs.cjs', 'compiles.ts']) {
    cpSync(join(programs, name), join(project, name));
  }
  mkdirSync(join(frameworks, 'node_modules'), { recursive: true });
  writeFileSync(join(frameworks, 'package.json'), '{"type": "module"}');
  const client = join(project, 'node_modules/developer-api-client');
  const others = ['fastify', 'undici'].map((name) => join(tools, name));
  others.push(join(root, 'node_modules/express'), join(root, 'node_modules/@types'));
  for (const one of [client, ...others]) symlinkSync(one, join(frameworks, 'node_modules', basename(one)));
  const samples = ['payroll-sync.ts', 'through-proxy.ts'].map((name) => join(root, 'client/examples', name));
  for (const file of [join(programs, 'frameworks.ts'), join(programs, 'fastify.mjs'), ...samples]) {
    cpSync(file, join(frameworks, basename(file)));
  }
}

/** Adds employees to a tenant, with as many persons. @param of what the i-th one has */
async function staff({ store, id }: TestTenant, count: number, of: (i: number) => object = () => ({})): Promise<void> {
  const { _id: _, ...person } = (await store.persons.findOne({ tenant_id: id })) ?? never('a person');
  const rows = Array.from({ length: count }, () => ({ ...person, _id: randomUUID() }));
  await store.persons.insertMany(rows);
  await store.employees.insertMany(
    rows.map(({ _id: person_id }, i) => employeeRow({ tenant_id: id, person_id, ...of(i) })),
  );
}

async function listEmployees(): Promise<string[]> {
  const [, block = ''] = /<!-- program: employees -->\n+```ts\n([\s\S]*?)```/.exec(page) ?? [];
  const large = await deployment.tenant();
  await large.employee();
  await staff(large, 10_499);
  const lines = (['Node 20', 'Node 24'] as const).map(async (runtime) => {
    const file = join(folder, 'project', `employees-${runtime}.mjs`);
    writeFileSync(file, block.replace('YOUR_KEY', await large.key()).replace('http://127.0.0.1:8080', baseUrl));
    return (await run([...RUNTIMES[runtime], file], project)).trim().split('\n').at(-1) ?? '';
  });
  return Promise.all(lines);
}

beforeAll(async () => {
  const [server] = await Promise.all([deployment.start(front.env), install()]);
  baseUrl = server.url;
  tenant = await deployment.tenant();
  listed = listEmployees();
  listed.catch(() => {});
});

afterAll(() => front.close());

describe('what is packed', () => {
  test('nothing but what is compiled, the manifest, the page and the license, without a dependency', async () => {
    const installed = join(project, 'node_modules');
    const lock = JSON.parse(readFileSync(join(installed, '.package-lock.json'), 'utf8'));
    expect(Object.keys(lock.packages)).toEqual(['node_modules/developer-api-client']);
    const [{ files, size, unpackedSize }] = JSON.parse(
      await run(['npm', 'pack', '--dry-run', '--json', '--ignore-scripts', packed], folder),
    );
    const others = files
      .map(({ path }: { path: string }) => path)
      .filter((path: string) => !/^dist\/(esm|cjs)\//.test(path));
    expect(others.sort()).toEqual([
      'README.md',
      'dist/LICENSE',
      'examples/payroll-sync.ts',
      'examples/through-proxy.ts',
      'package.json',
    ]);
    const [, packedKb, unpackedKb] = /(\d+) KB packed, (\d+) KB unpacked/.exec(page) ?? [];
    const isRight = (bytes: number, kb: string | undefined) => Math.abs(bytes / 1_000 / Number(kb) - 1) < 0.05;
    expect([isRight(size, packedKb), isRight(unpackedSize, unpackedKb)]).toEqual([true, true]);
  });

  test('every way to import it finds its code and its types', async () => {
    await run([process.execPath, join(tools, '@arethetypeswrong/cli/dist/index.js'), packed], folder);
    expect(await run([process.execPath, join(tools, 'publint/src/cli.js'), packed, '--strict'], folder)).toContain(
      'All good!',
    );
  });
});

describe('a strict program compiles', () => {
  const typescript7 = join(root, 'node_modules/typescript7/bin/tsc');

  test.each([
    ['TypeScript 5', join(tools, 'typescript/bin/tsc')],
    ['TypeScript 7', typescript7],
  ])('with what tsc --init of %s writes', async (name, tsc) => {
    const own = join(folder, name);
    mkdirSync(own);
    cpSync(project, own, { recursive: true });
    await run([process.execPath, tsc, '--init'], own);
    await run([process.execPath, tsc, '--noEmit'], own);
  });

  test('with each sample of the page', async () => {
    expect(samples.length).toBeGreaterThan(3);
    const own = join(folder, 'samples');
    cpSync(project, own, { recursive: true });
    const given = readFileSync(join(import.meta.dirname, 'programs/given.ts'), 'utf8');
    for (const [i, sample] of samples.entries()) {
      writeFileSync(join(own, `sample-${i}.ts`), sample.includes('import ') ? sample : given + sample);
    }
    await run([process.execPath, typescript7, '--init'], own);
    await run([process.execPath, typescript7, '--noEmit'], own);
  });

  test('also where the types of packages are checked', async () => {
    const flags = ['--noEmit', '--ignoreConfig', '--strict', '--module', 'nodenext', '--skipLibCheck', 'false'];
    await run([process.execPath, typescript7, ...flags, 'compiles.ts'], project);
  });

  test('and the plugin runs in Fastify: each event once, again after a failure, nothing that is not genuine', async () => {
    expect(JSON.parse(await run([process.execPath, 'fastify.mjs'], frameworks))).toEqual({
      answers: [200, 200, 500, 200, 400, 413, 400],
      events: ['once', 'fails', 'fails'],
      faults: ['the database is away', 'wrong signature', 'no signature'],
      other: { parsed: { a: 1 } },
    });
  });

  test('with the types of Express, Fastify and Node, the sample integration too', async () => {
    const flags = [
      '--noEmit',
      '--ignoreConfig',
      '--strict',
      '--skipLibCheck',
      '--module',
      'nodenext',
      '--types',
      'node',
    ];
    await run(
      [process.execPath, typescript7, ...flags, 'frameworks.ts', 'payroll-sync.ts', 'through-proxy.ts'],
      frameworks,
    );
  });
});

describe('against the service', () => {
  /** A user with an employee. */
  async function owner() {
    const employee = await tenant.employee();
    const owner_id = await tenant.user({ employee_id: employee });
    return { employee, key: await tenant.key({ owner_id }) };
  }

  const WALKS = [
    ['Node 20', 'walk-esm.mjs'],
    ['Node 20', 'walk-cjs.cjs'],
    ['Node 24', 'walk-esm.mjs'],
    ['Node 24', 'walk-cjs.cjs'],
    ['Deno', 'walk-esm.mjs'],
    ['Bun', 'walk-esm.mjs'],
  ] as const;
  // More than one piece, so that the progress shows.
  const scan = PDF + ' '.repeat(300_000);

  /** Runs the program. @returns what it says of its work */
  async function walked([runtime, program]: (typeof WALKS)[number]): Promise<unknown> {
    const [initiator, approver] = [await owner(), await owner()];
    const pdf = join(folder, `${runtime} ${program}.pdf`);
    writeFileSync(pdf, scan);
    const given = {
      baseUrl,
      apiKey: initiator.key,
      approverKey: approver.key,
      initiator: initiator.employee,
      approver: approver.employee,
      type_id: await tenant.type(),
      hooks: front.to(''),
      pdf,
    };
    return JSON.parse(await run([...RUNTIMES[runtime], program], project, { GIVEN: JSON.stringify(given) }));
  }

  test('each runtime uploads, creates, approves, signs, downloads and verifies, also by require', async () => {
    const expected = WALKS.map(([runtime, program]) => ({
      filename: `${runtime} ${program}.pdf`,
      // Bun does not tell how far it is.
      progress: { pieces: runtime !== 'Bun', last: scan.length },
      status: 'DOCUMENT_STATUS_COMPLETED',
      begins: '%PDF-',
      size: scan.length,
      refusal: { isApiError: true, name: 'ApiError', reason: 'DOCUMENT.INVALID_STATUS_TRANSITION' },
      events: {
        answers: [
          { status_code: 400, error: '' },
          { status_code: 200, error: '' },
        ],
        events: ['webhook_endpoint.test'],
        faults: ['wrong signature'],
      },
      attempts: [200, 204, 400],
    }));
    expect(await Promise.all(WALKS.map(walked))).toEqual(expected);
  });

  test('the parts of a program on the page do what they say', async () => {
    const { employee, key: apiKey } = await owner();
    const type_id = await tenant.type();
    const template_id = await tenant.templateOf(type_id, { variables: {}, content: [] });
    const part = (words: string) => samples.find((sample) => sample.includes(words)) ?? never(words);
    const program = readFileSync(join(programs, 'parts.mjs'), 'utf8')
      .replace('// A document.', part('documents.create('))
      .replace('// A copy.', part('employees.follow('));
    writeFileSync(join(project, 'parts.mjs'), program);
    const given = { baseUrl, apiKey, type_id, template_id, employee };
    const said = await run([...RUNTIMES['Node 24'], 'parts.mjs'], project, { GIVEN: JSON.stringify(given) });
    expect(JSON.parse(said)).toEqual({
      status: 'DOCUMENT_STATUS_COMPLETED',
      type: 'application/pdf',
      copied: expect.arrayContaining([employee]),
      next: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    });
  });

  test('the sample with a proxy and an authority of its own reaches the service through both', async () => {
    const authority = new TestAuthority();
    const service = createTlsServer(authority.server(['127.0.0.1']), async ({ url = '', headers }, response) => {
      const answer = await fetch(baseUrl + url, { headers: { 'X-API-Key': String(headers['x-api-key']) } });
      response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(await answer.text());
    });
    const to = await listenOnLoopback(service);
    const asked: (string | undefined)[] = [];
    const proxy = createServer().on('connect', ({ url }, socket) => {
      asked.push(url);
      const onward = connect(to, '127.0.0.1', () => socket.write('HTTP/1.1 200 Connected\r\n\r\n'));
      socket.pipe(onward).pipe(socket);
    });
    const at = await listenOnLoopback(proxy);
    const CA_FILE = join(folder, 'authority.pem');
    writeFileSync(CA_FILE, authority.pem);
    const where = { KEY: await tenant.key(), URL: `https://127.0.0.1:${to}`, CA_FILE, PROXY: `http://127.0.0.1:${at}` };
    expect(await run([...RUNTIMES['Node 24'], 'through-proxy.ts'], frameworks, where)).toBe('{}\n');
    expect(asked).toEqual([`127.0.0.1:${to}`]);
    await Promise.all([proxy, service].map(closeServer));
  });

  test('a worker lists, uploads, waits for its turn, and receives deliveries', async () => {
    const { employee, key: apiKey } = await owner();
    const worker = await startWorker();
    const body = JSON.stringify({ baseUrl, apiKey, employee, pdf: PDF });
    const said = await (await fetch(worker.url, { method: 'POST', body })).json();
    await worker.program.stop();
    expect(said).toEqual({
      ids: expect.arrayContaining([employee]),
      file: { filename: 'scan.pdf', size: PDF.length, sent: PDF.length },
      refusal: { isApiError: true, reason: 'EMPLOYEE_NOT_FOUND' },
      answers: [200, 200, 400],
      events: ['a'],
    });
  });

  test('the commands show and forward deliveries, until Ctrl-C, on Node 20', async () => {
    const bodies: string[] = [];
    const local = createServer(async (request, response) => {
      bodies.push(await text(request));
      response.writeHead(202).end();
    });
    const to = `http://127.0.0.1:${await listenOnLoopback(local)}/hooks`;
    const [port, own] = [await freePort(), await deployment.tenant()];
    const command = [...RUNTIMES['Node 20'], 'node_modules/.bin/developer-api-client'];
    const env = { ...process.env, KEY: await own.key() };
    const where = ['--url', baseUrl, '--public-url', front.to(port), '--port', String(port), '--forward-to', to];
    const listening = new RunningProgram([...command, 'listen', ...where, '--json'], { cwd: project, env });
    const line = (event: string, type: string) =>
      listening.line((line) => {
        const said = JSON.parse(line);
        return said.event === event && (type === '' || said.envelope.type === type) ? said : undefined;
      });
    const { endpoint_id } = await line('ready', '');
    const tried = await line('delivery', 'webhook_endpoint.test');
    expect(tried).toMatchObject({ fault: '', status: 202, attempt: 1, problem: '' });
    expect(bodies.map((body) => JSON.parse(body))).toEqual([tried.envelope]);
    const trigger = ['trigger', '--url', baseUrl, '--endpoint', endpoint_id];
    expect(await run([...command, ...trigger], project, env)).toBe('webhook_endpoint.test  answered with 202\n');
    await updateEmployee(own.store, own.id, await own.employee(), { employee_number: '7' }, { now: now(), today: '' });
    expect(await line('delivery', 'employee.changed')).toMatchObject({
      status: 202,
      envelope: JSON.parse(bodies[2] ?? ''),
    });
    expect(await listening.stop('SIGINT')).toBe(0);
    const endpoints = () => own.store.webhook_endpoints.countDocuments({ tenant_id: own.id });
    expect(await endpoints()).toBe(0);
    local.close();
    // Whoever ends npx ends it, too.
    const byName = ['npx', 'developer-api-client', 'listen', ...where, '--no-test'];
    const PATH = `${dirname(RUNTIMES['Node 20'][0])}:${process.env.PATH}`;
    const named = new RunningProgram(byName, { cwd: project, env: { ...env, PATH } });
    await eventually('its endpoint', async () => (await endpoints()) === 1 || undefined);
    await named.stop('SIGTERM');
    await eventually('its deletion', async () => (await endpoints()) === 0 || undefined, 20_000);
  });

  describe('the sample integration', () => {
    let company: TestTenant;
    let sync: SampleSync;
    let secret = '';
    let port = 0;
    let api = '';
    let viewer = '';

    /** More than two pages of 1,000, most of whom have one manager. */
    beforeAll(async () => {
      company = await deployment.tenant();
      const manager = await company.employee();
      viewer = await company.user({ employee_id: manager });
      api = await company.key();
      port = await freePort();
      await staff(company, 2_100, (i) => ({ manager_id: i < 10 ? '' : manager }));
      const event_types = ['employee.changed', 'employee.deleted', 'person.changed'];
      const endpoint = { url: front.to(port), event_types };
      secret = (await post('webhook_endpoints', endpoint)).secret as string;
      const key = await company.key({ owner_id: viewer, scopes: ['employees:read'] });
      const database = join(folder, 'payroll.db');
      sync = await SampleSync.open({ baseUrl, key, secret, port, folder: frameworks, database });
    });

    afterAll(() => sync.close());

    const change = (id: unknown, fields: object) =>
      updateEmployee(company.store, company.id, String(id), fields, { now: now(), today: '2026-03-02' });
    const remove = (id: unknown) => deleteEmployee(company.store, company.id, String(id), now());
    const equal = async () => {
      const shown = await sync.shown();
      await eventually('the same rows', () => isDeepStrictEqual(sync.table(), shown) || undefined, 20_000).catch(() =>
        expect(sync.table()).toEqual(shown),
      );
      return shown;
    };

    /** One request of the company's own system. */
    async function post(path: string, body: object): Promise<Record<string, unknown>> {
      const headers = { 'Idempotency-Key': randomUUID() };
      const answer = await ask('POST', `${baseUrl}/developer/v1/${path}`, api, body, headers);
      if (answer.status !== 200) throw new Error(`${path} was refused: ${JSON.stringify(answer.body)}`);
      return answer.body;
    }

    /** Sends an event as the service does. @returns the answer of the program */
    async function send(event: string, type: string, employee_id: string, own = secret): Promise<number> {
      const body = JSON.stringify({ id: event, type, occurred_at: now().toISOString(), data: { employee_id } });
      const headers = { 'Service-Signature': await signWebhook(body, own) };
      return (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body })).status;
    }

    async function load(payload_type: string, record: object): Promise<void> {
      await post('ingest/KEDO', { payload_type, create_missing: true, records: [record] });
    }

    test('has the rows of the service after it was killed at each point of its work', async () => {
      const early = sync.killAt({ at: PAGE, after: 2 });
      sync.start();
      await early;
      const [deleted, changed, next, later] = sync.table();
      expect(sync.table()).toHaveLength(2_000);
      // While it is down, before it knows where it is.
      await remove(deleted?.id);
      await change(changed?.id, { employee_number: 'A-1' });
      const atTheEnd = sync.killAt({ at: PAGE, after: 2 }, 'answered');
      sync.start();
      await atTheEnd;
      sync.start();
      expect((await equal()).length).toBe(2_100);
      // Only an event tells of a deletion, and its answer has promised that it is not lost.
      const told = sync.killAt({ at: ONE });
      await remove(next?.id);
      await told;
      // While it is down, the delivery of another deletion fails.
      const before = front.undelivered;
      await remove(later?.id);
      await load('PERSONS', { external_id: 'p', last_name: 'Омарова', first_name: 'Дана' });
      await load('EMPLOYEES', {
        external_id: 'e',
        external_person_id: 'p',
        number: 'A-2',
        admission_date: '2024-02-01',
      });
      await eventually('failed attempts', () => front.undelivered >= before + 2 || undefined);
      sync.start();
      await sync.listens();
      await deployment.advance(20_000);
      const shown = await equal();
      expect(shown.length).toBe(2_099);
      expect(shown).toContainEqual(expect.objectContaining({ employee_number: 'A-2', full_name: 'Омарова Дана' }));
    });

    test('takes events that come twice, late, not from the service, or while it reads', async () => {
      const [gone, busy, last] = sync.table().map(({ id }) => String(id));
      if (gone === undefined || busy === undefined || last === undefined) return never('an employee');
      await remove(gone);
      await equal();
      // What was changed before it was deleted arrives after that, and once more.
      const changed = 'employee.changed';
      expect([await send('a', changed, gone), await send('a', changed, gone)]).toEqual([200, 200]);
      expect(await send('b', changed, gone)).toBe(200);
      expect(await send('c', changed, gone, 'whsec_of-somebody-else')).toBe(400);
      // The employee changes again while the answer is on its way.
      const { employees } = company.store;
      const whileItReads = sync.whileAt({ at: ONE }, async () => {
        await employees.updateOne({ _id: busy }, { $set: { employee_number: 'A-9' } });
        expect(await send('e', changed, busy)).toBe(200);
      });
      expect(await send('d', changed, busy)).toBe(200);
      await whileItReads;
      await equal();
      // Somebody on a page is deleted while the page is on its way.
      expect(await sync.stop()).toEqual({ ending: 0, stderr: 'The delivery is refused: wrong signature.\n' });
      const whileItLists = sync.whileAt({ at: PAGE, after: 1 }, async () => {
        await employees.updateOne({ _id: last }, { $set: { listed: false } });
        expect(await send('f', 'employee.deleted', last)).toBe(200);
      });
      sync.start({ FULL_EVERY_S: '0' });
      await whileItLists;
      await equal();
    });

    test('loses whom its key may not see any more, also when it is killed meanwhile', async () => {
      expect(await sync.stop()).toEqual({ ending: 0, stderr: '' });
      const employees = { all: false, departments: [], reports: true, self: true };
      await company.store.users.updateOne({ _id: viewer }, { $set: { 'profile.employees': employees } });
      const whileItLoses = sync.killAt({ at: ONE, after: 3 });
      sync.start({ FULL_EVERY_S: '0' });
      await whileItLoses;
      expect(sync.table().length).toBeGreaterThan((await sync.shown()).length);
      sync.start();
      expect((await equal()).length).toBeGreaterThan(2_050);
      expect(await sync.stop()).toEqual({ ending: 0, stderr: '' });
    });
  });

  test('the program of the page lists 10,500 employees in pages of 100, on each Node', async () => {
    expect(await listed).toEqual(['10500 employees', '10500 employees']);
  });
});
