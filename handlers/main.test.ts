/** One process, seen from outside: its configuration, its start, its end, its control clock. */
import { spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { Agent, get, request } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { freePort } from '../conformance/processes/ports.ts';
import { RunningProgram } from '../conformance/processes/program.ts';
import { eventually } from '../scripts/testbed/eventually.ts';
import { startAlone } from '../scripts/testbed/run-program.ts';
import { askClock, type RunningServer, ready, startServer } from '../scripts/testbed/server.ts';
import { TestTenant } from '../scripts/testbed/tenant.ts';
import { testDeployment } from '../scripts/testbed/test-deployment.ts';
import { exchange, requestText } from '../scripts/testbed/wire.ts';
import { readConfig } from './process/config.ts';

const { database, store } = await testDeployment();
let tenant: TestTenant;
let env: Record<string, string>;

beforeAll(async () => {
  tenant = await TestTenant.create(store);
  env = { ...database.env, STORAGE_DIR: join(database.folder, 'files') };
});

const VERIFY = '/developer/v1/api_key/_verify';

async function withServer(more: Record<string, string>, use: (server: RunningServer) => Promise<void>): Promise<void> {
  const server = await startServer({ ...env, ...more });
  try {
    await ready(server);
    await use(server);
  } finally {
    await server.process.stop('SIGKILL');
  }
}

const status = async (server: RunningServer, path: string, key: string) =>
  (await fetch(`${server.url}${path}`, { headers: { 'X-API-Key': key } })).status;

describe('the start', () => {
  /** Starts a server that must refuse to start. @returns its exit code and what it wrote */
  async function refusal(more: Record<string, string>): Promise<string> {
    const running = startAlone('handlers/main.ts', [], { ...env, PORT: '0', ...more });
    const code = await running.ended;
    return `${code}: ${running.stderr}`;
  }

  test('a wrong configuration is refused in one sentence, with exit code 1', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const address = taken.address();
    const port = typeof address === 'object' ? String(address?.port) : '';
    const wrong: readonly (readonly [Record<string, string>, string])[] = [
      [{ PORT: 'http' }, 'PORT: must be a whole number from 0 to 65535'],
      [
        { MONGODB_URI: 'mongodb://user:hunter2@:::/' },
        'MONGODB_URI: is not a connection string that the MongoDB driver understands',
      ],
      [{ STORAGE_DIR: '/dev/null/files' }, 'STORAGE_DIR: is no folder that this user can write to (ENOTDIR)'],
      [{ PDF_FONTS_DIR: '/nowhere' }, 'PDF_FONTS_DIR: is no folder that this user can read'],
      [{ HOST: '192.0.2.1' }, 'HOST: is no address of this machine'],
      [{ METRICS_PORT: '0', METRICS_HOST: '192.0.2.1' }, 'METRICS_HOST: is no address of this machine'],
      ...['PORT', 'STORAGE_PORT', 'METRICS_PORT', 'CONTROL_PORT'].map(
        (name) =>
          [{ [name]: port }, `${name}: the port is taken; choose another one, or 0 for any that is free`] as const,
      ),
    ];
    const said = await Promise.all(wrong.map(([more]) => refusal(more)));
    taken.close();
    const plain = said.map((text) => text.replace(/\s+/g, ' ').trim());
    expect(plain).toEqual(
      wrong.map(([, sentence]) => `1: The server cannot start: ${sentence}. See npm run server -- --help.`),
    );
  });

  test('--role overrides ROLE and takes three values; other arguments are refused', async () => {
    const end = async (...args: string[]) => {
      const running = startAlone('handlers/main.ts', args, { ...env, ROLE: 'api', PORT: '0' });
      return [await running.ended, running.stderr.replace(/\s+/g, ' ').trim()];
    };
    const [role, unknown] = await Promise.all([end('--role', 'boss'), end('--rule', 'api')]);
    expect(role).toEqual([
      1,
      'The server cannot start: ROLE: must be one of all, api, worker. See npm run server -- --help.',
    ]);
    expect(unknown).toEqual([1, expect.stringContaining("Unknown option '--rule'")]);
    expect((await end('boss'))[1]).toContain('unknown argument boss');
  });

  test('shard-plan prints commands for the database that MONGODB_DATABASE names, and needs no other variable', async () => {
    const plan = async (more: Record<string, string>, ...args: string[]) => {
      const running = startAlone('handlers/main.ts', ['shard-plan', ...args], more);
      return [await running.ended, running.stdout, running.stderr] as const;
    };
    const named = { MONGODB_DATABASE: 'hr' };
    const [usual, own, wrong, help, more] = await Promise.all([
      plan({}),
      plan(named),
      plan({ MONGODB_DATABASE: 'a"b' }),
      plan(named, '--help'),
      plan(named, 'now'),
    ]);
    expect(usual).toEqual([0, expect.stringContaining('"developer_api.employees"'), '']);
    expect(own).toEqual([0, expect.stringContaining('sh.enableSharding("hr");'), '']);
    expect(wrong).toEqual([1, '', expect.stringContaining('MONGODB_DATABASE: must be 1 to 38 letters')]);
    expect(help).toEqual([0, expect.stringContaining('shard-plan | mongosh'), '']);
    expect(more).toEqual([1, '', expect.stringContaining('unknown argument now')]);
  });

  test('requests are rehearsed before it is ready', async () => {
    await withServer({ LOG_LEVEL: 'info' }, async (server) => {
      expect(await server.process.stop()).toBe(0);
      const lines = server.process.stdout.split('\n').filter((line) => line.includes('"event"'));
      const events = lines.map((line) => JSON.parse(line) as { event: string; requests?: number });
      // How many there are depends on how fast the machine is.
      const rehearsed = events.findIndex(({ event, requests = 0 }) => event === 'rehearsed' && requests > 0);
      expect(rehearsed).toBeGreaterThan(0);
      expect(events.findIndex(({ event }) => event === 'ready')).toBeGreaterThan(rehearsed);
    });
  });

  test('--help names every variable and its default', async () => {
    const running = startAlone('handlers/main.ts', ['--help'], {});
    expect(await running.ended).toBe(0);
    const read = readConfig({ MONGODB_URI: 'mongodb://127.0.0.1/', STORAGE_DIR: '/tmp' });
    const names = 'config' in read ? Object.keys(read.config) : [];
    expect(names.length).toBeGreaterThan(10);
    for (const name of names) expect(running.stdout).toMatch(new RegExp(`^  ${name} `, 'm'));
    expect(running.stdout).toMatch(/^ {2}--role all\|api\|worker /m);
    expect(running.stdout).toMatch(/^ {2}PORT .*\(default: 8080\)$/m);
  });
});

describe('the end', () => {
  test('SIGTERM under load: every request gets its answer, and the exit code is 0', async () => {
    const keys = await Promise.all(Array.from({ length: 8 }, () => tenant.key()));
    await withServer({ RATE_LIMIT_STORE: 'memory' }, async (server) => {
      const agent = new Agent({ keepAlive: true, maxSockets: keys.length });
      const failures: string[] = [];
      let answered = 0;
      let signalledAt = Number.POSITIVE_INFINITY;
      // Each client goes on until an answer says that the connection ends.
      const client = async (key: string) => {
        for (;;) {
          const sentAt = performance.now();
          const last = await new Promise<boolean>((resolve) => {
            get(`${server.url}${VERIFY}`, { agent, headers: { 'X-API-Key': key } }, (res) => {
              res.resume().once('end', () => {
                answered++;
                resolve(res.headers.connection === 'close');
              });
            }).once('error', (error) => {
              // A connection that was idle for half a second may have been closed before the request arrived.
              if (sentAt - signalledAt < 250) failures.push(error.message);
              resolve(true);
            });
          });
          if (last) return;
        }
      };
      const clients = keys.map(client);
      await eventually('load', () => (answered > 50 ? true : undefined));
      signalledAt = performance.now();
      server.process.signal('SIGTERM');
      await Promise.all(clients);
      // A process that has to be killed ends with another code.
      expect([failures, await server.process.ended]).toEqual([[], 0]);
      expect(server.log().at(-1)?.event).toBe('stopped');
    });
  });

  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('%s that is sent again and again is one', async (signal) => {
    await withServer({}, async ({ process }) => {
      while (!process.hasEnded) {
        process.signal(signal);
        await new Promise(setImmediate);
      }
      expect([await process.ended, process.stderr]).toEqual([0, '']);
    });
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

  test('SIGTERM closes silent connections, and ends a process that never reached its database', async () => {
    const server = await startServer({ MONGODB_URI: 'mongodb://127.0.0.1:1/' });
    const silent = connect(server.port, '127.0.0.1').on('error', () => {});
    await eventually('connection', () => (silent.readyState === 'open' ? true : undefined));
    expect(await server.process.stop()).toBe(0);
    silent.destroy();
  });

  test('an outage of the database is logged once, with its address and what was found there', async () => {
    let looks = 0;
    const dead = createServer((socket) => {
      looks++;
      socket.destroy();
    });
    await new Promise<void>((resolve) => dead.listen(0, '127.0.0.1', resolve));
    const { port } = dead.address() as AddressInfo;
    const server = await startServer({ MONGODB_URI: `mongodb://127.0.0.1:${port}/` });
    // More connections than one attempt makes.
    await eventually('several looks', () => (looks > 6 ? true : undefined));
    expect(await server.process.stop()).toBe(0);
    dead.close();
    const outages = server.log().filter(({ event }) => event === 'store_unavailable');
    expect(outages).toMatchObject([
      { level: 'warn', servers: expect.stringMatching(`^127\\.0\\.0\\.1:${port} \\w+$`) },
    ]);
    expect(JSON.stringify(outages)).not.toContain('    at ');
  });

  test('a closed standard output does not end the process, and does not delay its end', async () => {
    await withServer({ LOG_LEVEL: 'trace' }, async (server) => {
      server.process.child.stdout?.destroy();
      for (let i = 0; i < 200; i++) expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
      expect(server.process.hasEnded).toBe(false);
      expect(await server.process.stop()).toBe(0);
    });
  });

  test('a full disk behind standard output does not end the process, and does not delay its end', async () => {
    const port = await freePort();
    const full = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'handlers/main.ts'], {
      env: { ...env, PORT: String(port), READY_JSON: 'true', LOG_LEVEL: 'trace' },
      stdio: ['ignore', openSync('/dev/full', 'w'), 'ignore'],
    });
    const health = () => fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined);
    try {
      await eventually('/healthz', async () => ((await health())?.ok ? true : undefined));
      for (let i = 0; i < 500; i++) expect((await health())?.status).toBe(200);
      expect([full.exitCode, full.signalCode]).toEqual([null, null]);
      full.kill('SIGTERM');
      await eventually('its end', () => (full.exitCode === null ? undefined : true));
      expect(full.exitCode).toBe(0);
    } finally {
      full.kill('SIGKILL');
    }
  });

  test('a reader of the log that stalls delays neither requests nor the end', async () => {
    const port = await freePort();
    const stalled = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'handlers/main.ts'], {
      env: { ...env, PORT: String(port), LOG_LEVEL: 'trace' },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    try {
      const health = () => fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined);
      await eventually('/healthz', async () => ((await health())?.ok ? true : undefined));
      // Each leaves a line of about 150 bytes, together more than any pipe holds.
      for (let i = 0; i < 8; i++) {
        const { answers } = await exchange(port, requestText('GET /healthz').repeat(1_000), { answers: 1_000 });
        expect(answers).toHaveLength(1_000);
      }
      stalled.kill('SIGTERM');
      await eventually('its end', () => (stalled.exitCode === null ? undefined : true));
      expect(stalled.exitCode).toBe(0);
    } finally {
      stalled.kill('SIGKILL');
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
  test('moves the expiry of keys and page tokens, but not the rate limit', async () => {
    await withServer({ CONTROL_PORT: '0', RATE_LIMIT_STORE: 'memory' }, async (server) => {
      expect(new URL(server.controlUrl).hostname).toBe('127.0.0.1');
      const clock = async (body: string) => {
        const headers = { 'Content-Type': 'application/json' };
        const answer = await fetch(`${server.controlUrl}/clock`, { method: 'POST', headers, body });
        return answer.ok ? ((await answer.json()) as { offset_ms: number }).offset_ms : answer.status;
      };
      const hour = 3_600_000;
      const expiring = await tenant.key({ expires_at: new Date(Date.now() + hour) });
      const lasting = await tenant.key();
      for (let i = 0; i < 2; i++) await tenant.employee(i * 1_000);
      const list = async (token = '') => {
        const url = `${server.url}/developer/v1/employees?limit=1&page_token=${token}`;
        const answer = await fetch(url, { headers: { 'X-API-Key': lasting } });
        return { status: answer.status, body: (await answer.json()) as { next_page_token: string } };
      };
      const { body } = await list();
      expect([await status(server, VERIFY, expiring), (await list(body.next_page_token)).status]).toEqual([200, 200]);

      expect(await clock(`{"offset_ms":${hour + 1_000}}`)).toBe(hour + 1_000);
      expect([await status(server, VERIFY, expiring), (await list(body.next_page_token)).status]).toEqual([401, 200]);
      expect(await clock(`{"advance_ms":${23 * hour}}`)).toBe(24 * hour + 1_000);
      expect((await list(body.next_page_token)).status).toBe(400);

      const hammered = await tenant.key();
      const burst = () => Promise.all(Array.from({ length: 40 }, () => status(server, VERIFY, hammered)));
      const begun = performance.now();
      const statuses = [...(await burst()), await clock(`{"advance_ms":${hour}}`), ...(await burst())];
      const admitted = statuses.filter((status) => status === 200).length;
      expect(admitted).toBeGreaterThanOrEqual(20);
      expect(admitted).toBeLessThanOrEqual(20 + Math.ceil((performance.now() - begun) / 100));
      for (const wrong of ['', '{}', '{"offset_ms":"1"}', `{"offset_ms":${1e16}}`, `{"advance_ms":null}`]) {
        expect([wrong, await clock(wrong)]).toEqual([wrong, 400]);
      }
    });
  });

  test('is out of reach of the pages of a browser', async () => {
    await withServer({ CONTROL_PORT: '0' }, async (server) => {
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
      for (const [headers, body, status] of [
        [{}, move, 415],
        ...[
          'text/plain',
          'application/x-www-form-urlencoded',
          'multipart/form-data; boundary=x',
          'application/jsonp',
        ].map((type) => [{ 'Content-Type': type }, move, 415] as const),
        ...[
          'rebound.example',
          `rebound.example:${port}`,
          '0.0.0.0',
          `127.0.0.1.example:${port}`,
          'localhost.example',
        ].flatMap((name) => [[{ ...json, Host: name }, move, 403] as const, [{ Host: name }, undefined, 403] as const]),
        ...[
          'https://page.example',
          `http://page.example:${port}`,
          'null',
          'http://127.0.0.1:1',
          `https://${host}`,
        ].flatMap((Origin) => [[{ ...json, Origin }, move, 403] as const, [{ Origin }, undefined, 403] as const]),
      ] as const) {
        expect([headers, await asked(headers, body)]).toEqual([headers, status]);
      }
      // A browser asks first whether it may send JSON.
      expect(await asked({ 'Access-Control-Request-Method': 'POST' }, undefined, 'OPTIONS')).toBe(405);
      expect(await (await askClock(server)).json()).toMatchObject({ offset_ms: 0 });
      for (const Host of [`localhost:${port}`, `[::1]:${port}`, '127.0.0.1']) {
        expect(await asked({ ...json, Host, Origin: `http://${Host}` }, move)).toBe(200);
      }
      expect(await (await askClock(server)).json()).toMatchObject({ offset_ms: 1_000 });
    });
  });

  test('is not on the public listener', async () => {
    await withServer({ CONTROL_PORT: '0', METRICS_PORT: '0' }, async (server) => {
      for (const path of ['/clock', '/metrics']) expect((await fetch(`${server.url}${path}`)).status).toBe(404);
    });
  });
});
