/** The program: its arguments, its configuration, its control clock. */
import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { freePort } from '../scripts/kit/ports.ts';
import { ranHere } from '../scripts/kit/testing/ran-here.ts';
import { askClock, type RunningServer, ready, startServer } from '../scripts/world/server.ts';
import { testDeployment } from '../scripts/world/test-deployment.ts';
import { main } from './main.ts';

const deployment = await testDeployment();
const { database } = deployment;
const env = { ...database.env, STORAGE_DIR: join(database.folder, 'files') };

describe('the start', () => {
  test('takes variables from a file, unless they are set', async () => {
    const file = join(database.folder, 'server.env');
    writeFileSync(file, 'PORT=70000\nLOG_LEVEL=loud\nMONGODB_URI_FILE=/nowhere\nPAGE_TOKEN_KEY=x\n');
    const { code, err } = await ranHere(main, ['--env-file', file], { ...env, PORT: '0' });
    expect([code, ...err.split('\n').slice(1, -1)]).toEqual([
      1,
      expect.stringContaining('PAGE_TOKEN_KEY: the server has no such variable'),
      expect.stringContaining('LOG_LEVEL: must be one of'),
    ]);
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
    const told = expect.stringContaining(said);
    const due = code === 0 ? { out: told, err: '' } : { out: '', err: told };
    expect(await ranHere(main, args, variables)).toEqual({ code, ...due });
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
    const headers = { 'X-API-Key': await (await deployment.tenant()).key() };
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
    const peers = { CONTROL_PORT: '0', CONTROL_PEERS: [server.controlUrl, gone].join() };
    const other = await startServer({ ...env, ...peers });
    try {
      const answer = await askClock(other, { offset_ms: 5_000 });
      expect([answer.status, await answer.json()]).toEqual([
        502,
        { error: `set here, but not by ${gone} of CONTROL_PEERS` },
      ]);
      for (const one of [server, other]) expect(await (await askClock(one)).json()).toMatchObject({ offset_ms: 5_000 });
    } finally {
      await other.process.stop('SIGKILL');
    }
    await askClock(server, { offset_ms: 0 });
  });

  test('is on a loopback port of its own', async () => {
    expect(new URL(server.controlUrl).hostname).toBe('127.0.0.1');
    for (const path of ['/clock', '/metrics']) expect((await fetch(`${server.url}${path}`)).status).toBe(404);
  });
});
