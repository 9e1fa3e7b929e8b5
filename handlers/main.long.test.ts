/** One process, seen from outside: what it cannot start with, its start, its end. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '../scripts/kit/eventually.ts';
import { freePort } from '../scripts/kit/ports.ts';
import { RunningProgram } from '../scripts/kit/program.ts';
import { startAlone } from '../scripts/kit/run-program.ts';
import { type RunningServer, ready, startServer } from '../scripts/world/server.ts';
import { TestTenant } from '../scripts/world/tenant.ts';
import { testDeployment } from '../scripts/world/test-deployment.ts';
import { exchange, requestText } from '../scripts/world/wire.ts';
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
  test('what cannot be used is named in one sentence, with exit code 1', async () => {
    const taken = createServer();
    await once(taken.listen(0, '127.0.0.1'), 'listening');
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
    const given = Object.values(wrong).map(([more]) => ({ ...env, PORT: '0', ...more }));
    // One after the other in a process: each start of a process loads the whole service.
    const program = `const { main } = await import(${JSON.stringify(join(import.meta.dirname, 'main.ts'))});
      for (process.env of ${JSON.stringify(given)}) console.error('exit code', await main([]));
      process.exit();`;
    const running = startAlone(process.execPath, ['--input-type=module', '-e', program], {});
    const said = Object.entries(wrong).map(
      ([name, [, why]]) => `The server cannot start: ${name}: ${why}.\n  See npm run server -- --help.\nexit code 1\n`,
    );
    expect([await running.ended, running.stderr]).toEqual([0, said.join('')]);
    taken.close();
  });

  /** Leaves connections idle until they are closed. */
  async function leaveIdle({ port, storageUrl }: RunningServer): Promise<void> {
    const ports = [port, port, Number(new URL(storageUrl).port)];
    const kept = await Promise.all(ports.map((each) => exchange(each, requestText('GET /healthz'))));
    const times = kept.map(({ closed, answers }) => [closed, answers[0]?.headers.get('keep-alive')]);
    expect(times).toEqual(ports.map(() => [true, 'timeout=1']));
  }

  test('its log tells the version, and once a stored day that no reader could hold, by the id of its row; nothing for spans is loaded', async () => {
    const ids = [await tenant.employee(1_000), await tenant.employee()];
    await store.employees.updateMany({ _id: { $in: ids } }, { $set: { start_date: '0000-02-29' } });
    const headers = { 'X-API-Key': await tenant.key() };
    const loaded =
      'import{registerHooks}from"node:module";registerHooks({load(url,context,next){' +
      'if(/opentelemetry.(sdk|exporter|otlp)/.test(url))console.error(url);return next(url,context)}})';
    const watched = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(loaded)}` };
    const given = { LOG_LEVEL: 'info', REVISION: 'abc123', KEEP_ALIVE_TIMEOUT_MS: '1000', ...watched };
    await withServer(given, async (server) => {
      const answer = await fetch(`${server.url}/developer/v1/employees`, { headers });
      expect((await answer.json()).employees).toMatchObject(ids.map(() => ({ start_date: '' })));
      await leaveIdle(server);
      expect([await server.process.stop(), server.process.stderr]).toEqual([0, '']);
      const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
      const starting = { event: 'starting', version, revision: 'abc123', node: process.versions.node, role: 'all' };
      expect(server.log()[0]).toMatchObject(starting);
      // Without a terminator, the end of idle connections is not told.
      const told = server.log().filter(({ event }) => /^(unshowable_time|idle_)/.test(String(event)));
      const day = { event: 'unshowable_time', level: 'warn', field: 'start_date', id: ids.at(-1) };
      expect(told).toEqual([expect.objectContaining(day)]);
    });
  });

  test('behind a terminator, the end of idle connections after KEEP_ALIVE_TIMEOUT_MS is told once', async () => {
    const given = { LOG_LEVEL: 'info', KEEP_ALIVE_TIMEOUT_MS: '1000', TRUSTED_PROXIES: 'loopback' };
    await withServer(given, async (server) => {
      await leaveIdle(server);
      await server.process.stop();
      const told = server.log().filter(({ event }) => event === 'idle_connection_ended');
      expect(told).toEqual([expect.objectContaining({ level: 'warn', idle_ms: 1_000 })]);
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

  test('signals that are sent again and again close silent connections, and end a process that never reached its database', async () => {
    const { port, process } = await startServer({ MONGODB_URI: 'mongodb://127.0.0.1:1/' });
    const silent = connect(port, '127.0.0.1').on('error', () => {});
    await eventually('connection', () => silent.readyState === 'open' || undefined);
    while (!process.hasEnded) {
      // One that is not heard ends it at once.
      for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) process.signal(signal);
      await new Promise(setImmediate);
    }
    expect([await process.ended, process.stderr]).toEqual([0, '']);
    silent.destroy();
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
