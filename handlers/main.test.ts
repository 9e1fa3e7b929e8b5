/** One process, seen from outside: its configuration, its start, its end, its control clock. */
import { spawn } from 'node:child_process';
import { openSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { freePort } from '../conformance/processes/ports.ts';
import { RunningProgram } from '../conformance/processes/program.ts';
import { eventually } from '../scripts/testbed/eventually.ts';
import { startAlone } from '../scripts/testbed/run-program.ts';
import { askClock, type RunningServer, ready, startServer } from '../scripts/testbed/server.ts';
import { TestTenant } from '../scripts/testbed/tenant.ts';
import { testDeployment } from '../scripts/testbed/test-deployment.ts';
import { exchange, requestText } from '../scripts/testbed/wire.ts';
import { hashKey } from './access/keys.ts';

const { database, store } = await testDeployment();
let tenant: TestTenant;
let env: Record<string, string>;

beforeAll(async () => {
  tenant = await TestTenant.create(store);
  env = { ...database.env, STORAGE_DIR: join(database.folder, 'files') };
});

async function withServer(more: Record<string, string>, use: (server: RunningServer) => Promise<void>): Promise<void> {
  const server = await startServer({ ...env, ...more });
  try {
    await ready(server);
    await use(server);
  } finally {
    await server.process.stop('SIGKILL');
  }
}

describe('the start', () => {
  test('takes variables from a file, unless they are set', async () => {
    const file = join(database.folder, 'server.env');
    writeFileSync(file, 'PORT=70000\nLOG_LEVEL=loud\nMONGODB_URI_FILE=/nowhere\nPAGE_TOKEN_KEY=x\n');
    const running = startAlone('handlers/main.ts', ['--env-file', file], { ...env, PORT: '0' });
    expect(await running.ended).toBe(1);
    const problems = running.stderr.split('\n').slice(1, -2);
    expect(problems).toEqual([
      expect.stringContaining('PAGE_TOKEN_KEY: the server has no such variable'),
      expect.stringContaining('LOG_LEVEL: must be one of'),
    ]);
  });

  test('what cannot be used is named in one sentence, with exit code 1', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const port = String((taken.address() as AddressInfo).port);
    const isTaken = 'the port is taken; choose another one, or 0 for any that is free';
    const wrong: Record<string, [Record<string, string>, string]> = {
      MONGODB_URI: [
        { MONGODB_URI: 'mongodb://user:hunter2@:::/' },
        'is not a connection string that the MongoDB driver understands',
      ],
      STORAGE_DIR: [{ STORAGE_DIR: '/dev/null/files' }, 'is no folder that this user can write to (ENOTDIR)'],
      PDF_FONTS_DIR: [{ PDF_FONTS_DIR: '/nowhere' }, 'is no folder that this user can read'],
      HOST: [{ HOST: '192.0.2.1' }, 'is no address of this machine'],
      METRICS_HOST: [{ METRICS_PORT: '0', METRICS_HOST: '192.0.2.1' }, 'is no address of this machine'],
      PORT: [{ PORT: port }, isTaken],
      STORAGE_PORT: [{ STORAGE_PORT: port }, isTaken],
      METRICS_PORT: [{ METRICS_PORT: port }, isTaken],
      CONTROL_PORT: [{ CONTROL_PORT: port }, isTaken],
    };
    const said = Object.entries(wrong).map(async ([name, [more, why]]) => {
      const running = startAlone('handlers/main.ts', [], { ...env, PORT: '0', ...more });
      const sentence = `The server cannot start: ${name}: ${why}.\n  See npm run server -- --help.\n`;
      expect([await running.ended, running.stderr]).toEqual([1, sentence]);
    });
    await Promise.all(said).finally(() => taken.close());
  });

  test.each([
    [['--help'], {}, 0, '--role all|api|worker'],
    [['--role', 'boss'], { ROLE: 'api' }, 1, 'ROLE: must be one of all, api, worker.'],
    [['--rule', 'api'], {}, 1, "Unknown option '--rule'"],
    [['boss'], {}, 1, 'unknown argument boss'],
    [['shard-plan'], {}, 0, '"developer_api.employees"'],
    [['shard-plan'], { MONGODB_DATABASE: 'hr' }, 0, 'sh.enableSharding("hr");'],
    [['shard-plan'], { MONGODB_DATABASE: 'a"b' }, 1, 'MONGODB_DATABASE: must be 1 to 38 letters'],
    [['shard-plan', '--help'], {}, 0, 'shard-plan | mongosh'],
    [['shard-plan', 'now'], {}, 1, 'unknown argument now'],
    [['files', '--help'], {}, 0, 'files [--remove]'],
    [['indexes'], {}, 0, 'Agenda finds the next job'],
    [['indexes'], {}, 0, '{ status_due_on: 1, _id: 1 }\n      find: the daily pass'],
  ])('%j with %j and no other variable ends with %i: %s', async (args, variables, code, said) => {
    const running = startAlone('handlers/main.ts', args, variables);
    expect(await running.ended).toBe(code);
    const [told, silent] = code === 0 ? [running.stdout, running.stderr] : [running.stderr, running.stdout];
    expect([told, silent]).toEqual([expect.stringContaining(said), '']);
  });

  test('the first line says which version runs; nothing for spans is loaded', async () => {
    const loaded =
      'import{registerHooks}from"node:module";registerHooks({load(url,context,next){' +
      'if(/opentelemetry.(sdk|exporter|otlp)/.test(url))console.error(url);return next(url,context)}})';
    const watched = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(loaded)}` };
    const told = async (server: RunningServer) => {
      const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
      const starting = { event: 'starting', version, revision: 'abc123', node: process.versions.node, role: 'all' };
      expect(server.log()[0]).toMatchObject(starting);
      expect(await server.process.stop()).toBe(0);
      expect(server.process.stderr).toBe('');
    };
    await withServer({ LOG_LEVEL: 'info', REVISION: 'abc123', ...watched }, told);
  });

  test('a stored day that no reader could hold is logged once, by the id of its row', async () => {
    const ids = [await tenant.employee(1_000), await tenant.employee()];
    await store.employees.updateMany({ _id: { $in: ids } }, { $set: { start_date: '0000-02-29' } });
    const headers = { 'X-API-Key': await tenant.key() };
    await withServer({ LOG_LEVEL: 'info' }, async (server) => {
      const answer = await fetch(`${server.url}/developer/v1/employees`, { headers });
      expect((await answer.json()).employees).toMatchObject(ids.map(() => ({ start_date: '' })));
      await server.process.stop();
      const told = server.log().filter(({ event }) => event === 'unshowable_time');
      expect(told).toEqual([expect.objectContaining({ level: 'warn', field: 'start_date', id: ids.at(-1) })]);
    });
  });

  test('a worker answers nothing but health checks, and keeps its files to itself', async () => {
    await withServer({ ROLE: 'worker' }, async ({ url, storageUrl }) => {
      const paths = ['/healthz', '/readyz', '/openapi.yaml', '/developer/v1/employees'];
      const answers = await Promise.all(paths.map((path) => fetch(`${url}${path}`)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 404]);
      expect(storageUrl).toMatch(/^http:\/\/127\.0\.0\.1:/);
    });
  });
});

describe('the end', () => {
  test('with STOP_DELAY_MS, an api process says that it is not ready while it still takes connections, and loses no use of a key', async () => {
    const key = await tenant.key();
    await withServer({ ROLE: 'api', STOP_DELAY_MS: '5000' }, async ({ url, port, process }) => {
      process.signal('SIGTERM');
      await eventually('503', async () => (await fetch(`${url}/readyz`)).status === 503 || undefined);
      const bytes = requestText('GET /developer/v1/employees', [`X-API-Key: ${key}`, 'Connection: close']);
      // On a connection of its own, which is opened now.
      const { answers } = await exchange(port, bytes);
      expect(answers).toMatchObject([{ status: 200 }]);
      expect([await process.ended, process.stderr]).toEqual([0, '']);
    });
    const used = await store.api_keys.findOne({ key_hash: hashKey(key) });
    expect(used?.last_used_at).toBeInstanceOf(Date);
  });

  test('SIGTERM to all processes of npm run server, and while it starts', async () => {
    const atOnce = encodeURIComponent(
      "process.on('newListener',(event)=>event==='SIGTERM'&&setImmediate(()=>process.kill(process.pid,event)))",
    );
    const starting = { NODE_OPTIONS: `--import=data:text/javascript,${atOnce}` };
    const npm = ['npm', 'run', '--silent', 'server'];
    const listening = (line: string) => line.includes('"listening"') || undefined;
    const all = { ...process.env, NODE_OPTIONS: '', ...env, PORT: '0', STORAGE_PORT: '0' };
    const early = startAlone('handlers/main.ts', [], { ...env, PORT: '0', ...starting });
    const group = new RunningProgram(npm, { env: all, leadsGroup: true });
    await group.line(listening);
    expect([await group.stop(), group.stderr]).toEqual([0, '']);
    expect([await early.ended, early.stderr]).toEqual([0, '']);
  });

  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    '%s that is sent again and again closes silent connections, and ends a process that never reached its database',
    async (signal) => {
      const { port, process } = await startServer({ MONGODB_URI: 'mongodb://127.0.0.1:1/' });
      const silent = connect(port, '127.0.0.1').on('error', () => {});
      await eventually('connection', () => silent.readyState === 'open' || undefined);
      while (!process.hasEnded) {
        process.signal(signal);
        await new Promise(setImmediate);
      }
      expect([await process.ended, process.stderr]).toEqual([0, '']);
      silent.destroy();
    },
  );

  test('an outage of the database at the start is logged once, with its address and what was found there', async () => {
    const [port, key] = [await freePort(), await tenant.key()];
    const server = await startServer({ MONGODB_URI: `mongodb://127.0.0.1:${port}/`, DATABASE_TIMEOUT_MS: '100' });
    const outages = () => server.log().filter(({ event }) => event === 'store_unavailable');
    await eventually('an outage', () => outages().length > 0 || undefined);
    // Each meets it once more.
    for (let nth = 0; nth < 3; nth++) {
      const { status } = await fetch(`${server.url}/developer/v1/employees`, { headers: { 'X-API-Key': key } });
      expect(status).toBe(503);
    }
    expect(await server.process.stop()).toBe(0);
    const reason = `127.0.0.1:${port} refuses connections (ECONNREFUSED)`;
    expect(outages()).toMatchObject([{ level: 'error', reason }]);
    expect(JSON.stringify(outages())).not.toContain('    at ');
  });

  test.each([
    ['closed', 'pipe'],
    ['on a full disk', openSync('/dev/full', 'w')],
    ['read by nobody', 'pipe'],
  ] as const)('a standard output that is %s delays neither requests nor the end', async (what, output) => {
    const [port, metricsPort] = [await freePort(), await freePort()];
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'handlers/main.ts'], {
      env: {
        ...env,
        PORT: String(port),
        METRICS_PORT: String(metricsPort),
        READY_JSON: String(what === 'on a full disk'),
        LOG_LEVEL: 'trace',
      },
      stdio: ['ignore', output, 'ignore'],
    });
    try {
      if (what === 'closed') child.stdout?.destroy();
      await eventually('/healthz', () => fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined));
      // Each leaves a line of about 150 bytes; together they are more than any pipe holds.
      for (let i = 0; i < (what === 'read by nobody' ? 8 : 1); i++) {
        const { answers } = await exchange(port, requestText('GET /healthz').repeat(1_000), { answers: 1_000 });
        expect(answers.map(({ status }) => status)).toEqual(Array(1_000).fill(200));
      }
      const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
      const dropped = Number(/^log_lines_dropped_total (\d+)$/m.exec(metrics)?.[1]);
      // The lines of a full disk fit into the buffer: they are written when there is space.
      expect([dropped > 0, dropped < 8_200]).toEqual([what !== 'on a full disk', true]);
      child.kill('SIGTERM');
      await eventually('its end', () => child.exitCode !== null || child.signalCode !== null || undefined);
      expect([child.exitCode, child.signalCode]).toEqual([0, null]);
    } finally {
      child.kill('SIGKILL');
    }
  });

  test.each([
    ['uncaughtException', 'throw new TypeError("boom")'],
    ['unhandledRejection', 'Promise.reject(new SyntaxError("9001".repeat(3)))'],
  ])('an %s is logged without the data of the request, and ends the process with exit code 1', async (event, fault) => {
    const preload = encodeURIComponent(`process.once('SIGUSR2',()=>{${fault}})`);
    await withServer({ NODE_OPTIONS: `--import=data:text/javascript,${preload}` }, async (server) => {
      server.process.signal('SIGUSR2');
      expect(await server.process.ended).toBe(1);
      const fatal = server.log().find(({ level }) => level === 'fatal');
      expect(fatal).toMatchObject({ event, error: { kind: /new (\w+)/.exec(fault)?.[1] } });
      expect(server.process.stdout + server.process.stderr).not.toContain('9001'.repeat(3));
    });
  });
});

describe('the control clock', () => {
  let server: RunningServer;

  beforeAll(async () => {
    server = await startServer({ ...env, CONTROL_PORT: '0', METRICS_PORT: '0', RATE_LIMIT_STORE: 'memory' });
    await ready(server);
  });

  afterAll(() => server.process.stop('SIGKILL'));

  test('takes whole numbers only, and does not move the rate limit', async () => {
    const offset = async (change: object) => {
      const answer = await askClock(server, change);
      return answer.ok ? (await answer.json()).offset_ms : answer.status;
    };
    const headers = { 'X-API-Key': await tenant.key() };
    const verify = async () => (await fetch(`${server.url}/developer/v1/api_key/_verify`, { headers })).status;
    const burst = () => Promise.all(Array.from({ length: 40 }, verify));
    const begun = performance.now();
    const first = await burst();
    expect([await offset({ offset_ms: 1_000 }), await offset({ advance_ms: 3_600_000 })]).toEqual([1_000, 3_601_000]);
    const admitted = [...first, ...(await burst())].filter((status) => status === 200).length;
    expect(admitted).toBeGreaterThanOrEqual(20);
    expect(admitted).toBeLessThanOrEqual(20 + Math.ceil((performance.now() - begun) / 100));
    for (const wrong of [{}, { offset_ms: '1' }, { offset_ms: 1e16 }, { advance_ms: null }]) {
      expect([wrong, await offset(wrong)]).toEqual([wrong, 400]);
    }
    await offset({ offset_ms: 0 });
  });

  test('is out of reach of the pages of a browser', async () => {
    const { host, port } = new URL(server.controlUrl);
    /** Node's fetch would not send another Host. */
    const asked = (headers: Record<string, string>, body?: string, method = body === undefined ? 'GET' : 'POST') =>
      new Promise<number | undefined>((resolve, reject) => {
        const sent = request({ host: '127.0.0.1', port, path: '/clock', method, headers: { host, ...headers } });
        sent.on('response', (answer) => resolve(answer.resume().statusCode));
        sent.on('error', reject).end(body);
      });
    const move = '{"offset_ms":1000}';
    const json = { 'Content-Type': 'application/json; charset=utf-8' };
    for (const type of ['', 'text/plain', 'multipart/form-data; boundary=x', 'application/jsonp']) {
      expect([type, await asked({ 'Content-Type': type }, move)]).toEqual([type, 415]);
    }
    const names = ['rebound.example', `rebound.example:${port}`, '0.0.0.0', `127.0.0.1.example:${port}`];
    const pages = [
      'https://page.example',
      `http://page.example:${port}`,
      'null',
      'http://127.0.0.1:1',
      `https://${host}`,
    ];
    for (const foreign of [...names.map((Host) => ({ Host })), ...pages.map((Origin) => ({ Origin }))]) {
      const answers = [await asked({ ...json, ...foreign }, move), await asked({ ...foreign })];
      expect([foreign, answers]).toEqual([foreign, [403, 403]]);
    }
    // A browser asks first whether it may send JSON.
    expect(await asked({ 'Access-Control-Request-Method': 'POST' }, undefined, 'OPTIONS')).toBe(405);
    expect(await (await askClock(server)).json()).toMatchObject({ offset_ms: 0 });
    for (const Host of [`localhost:${port}`, `[::1]:${port}`, '127.0.0.1']) {
      expect(await asked({ ...json, Host, Origin: `http://${Host}` }, move)).toBe(200);
    }
    expect(await (await askClock(server)).json()).toMatchObject({ offset_ms: 1_000 });
  });

  test('sets those of its peers before it answers, and names a peer that it could not set', async () => {
    const gone = `http://127.0.0.1:${await freePort()}`;
    await withServer({ CONTROL_PORT: '0', CONTROL_PEERS: [server.controlUrl, gone].join() }, async (other) => {
      const answer = await askClock(other, { offset_ms: 5_000 });
      expect([answer.status, await answer.json()]).toEqual([
        502,
        { error: `set here, but not by ${gone} of CONTROL_PEERS` },
      ]);
      for (const one of [server, other]) expect(await (await askClock(one)).json()).toMatchObject({ offset_ms: 5_000 });
    });
    await askClock(server, { offset_ms: 0 });
  });

  test('is on a loopback port of its own', async () => {
    expect(new URL(server.controlUrl).hostname).toBe('127.0.0.1');
    for (const path of ['/clock', '/metrics']) expect((await fetch(`${server.url}${path}`)).status).toBe(404);
  });
});
