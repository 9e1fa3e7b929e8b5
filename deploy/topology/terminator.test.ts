/** The configurations that operators use, on the programs themselves where they are on the PATH. */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect } from 'node:http2';
import { request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { errors } from '../../generated/contract.ts';
import { describeConfig } from '../../handlers/runtime/config.ts';
import { eventually } from '../../scripts/kit/eventually.ts';
import { closeServer, freePort, listenOnLoopback } from '../../scripts/kit/ports.ts';
import type { RunningProgram } from '../../scripts/kit/program.ts';
import { testFolder } from '../../scripts/kit/testing/test-folder.ts';
import { TestAuthority } from '../../scripts/world/receiver.ts';
import { DEPLOY, filledFile } from './filled.ts';
import {
  findTerminator,
  startTerminator,
  type TerminatorWords,
  terminatorKinds,
  terminatorProgram,
} from './terminator.ts';

const authority = new TestAuthority();
const folder = testFolder();
const MIB = 2 ** 20;

interface SeenRequest {
  readonly to: string;
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
}

const seen: SeenRequest[] = [];
/** Whether the api processes end a connection instead of answering. */
let breaksOff = false;

const LARGE = JSON.stringify(Array(1_000).fill({ id: 'a row like others' }));

/** Answers as soon as it has the head of a request. */
const behind = (to: string) => (req: IncomingMessage, res: ServerResponse) => {
  if (req.url === '/readyz') return void res.end('{}');
  const { method, url, headers } = req;
  seen.push({ to, method, url, headers });
  if (breaksOff && to !== 'storage') return void req.socket.destroy();
  req.resume();
  res.writeHead(200, { 'X-Request-Id': String(headers['x-request-id']), 'Content-Type': 'application/json' });
  req.once('end', () => res.end(url === '/large' ? LARGE : '{}'));
};

const servers = ['api-1', 'api-2', 'storage'].map((to) => createServer(behind(to)));
let words: TerminatorWords;

beforeAll(async () => {
  const [one, two, storage] = await Promise.all(servers.map((server) => listenOnLoopback(server)));
  const { key, cert } = authority.server(['127.0.0.1']);
  writeFileSync(join(folder, 'pair.pem'), cert + key);
  words = {
    API_LISTEN: `127.0.0.1:${await freePort()}`,
    STORAGE_LISTEN: `127.0.0.1:${await freePort()}`,
    API_1: `127.0.0.1:${one}`,
    API_2: `127.0.0.1:${two}`,
    STORAGE: `127.0.0.1:${storage}`,
    CERTIFICATE: join(folder, 'pair.pem'),
    ERROR_DOMAIN: 'domain.example',
  };
});
afterAll(() => Promise.all(servers.map(closeServer)));

interface TestRequest {
  readonly at?: 'API_LISTEN' | 'STORAGE_LISTEN';
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string | number>>;
  readonly body?: Buffer;
  /** Whether the body that the head announces never comes. */
  readonly isHeadOnly?: boolean;
}

interface TestAnswer {
  readonly status: number | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

function ask({
  at = 'API_LISTEN',
  method = 'GET',
  path = '/x',
  headers = {},
  body,
  isHeadOnly,
}: TestRequest): Promise<TestAnswer> {
  const [host, port] = words[at].split(':');
  return new Promise((resolve, reject) => {
    // The certificate is for the address, whatever Host says.
    const options = { host, port, servername: '', path, method, headers, agent: false, rejectUnauthorized: false };
    const asked = request(options, (answer) => {
      const { statusCode: status, headers } = answer;
      text(answer)
        .then((whole) => resolve({ status, headers, text: whole }), reject)
        .finally(() => asked.destroy());
    });
    asked.once('error', reject);
    if (isHeadOnly) asked.flushHeaders();
    else asked.end(body);
  });
}

/** What the contract says of the error in an answer. */
function errorOf({ status, headers, text }: TestAnswer) {
  const { code, message, details } = JSON.parse(text);
  const known = Object.values(errors).find(({ reason }) => reason === details[0].reason);
  expect([status, code]).toEqual([known?.httpStatus, known?.rpcCode]);
  if (known?.name !== 'INVALID_ARGUMENT') expect(message).toBe(known?.message);
  expect(details[0].domain).toBe('domain.example');
  expect(details.at(-1).request_id).toBe(headers['x-request-id']);
  expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
  return {
    name: known?.name,
    types: details.map((detail: Record<string, string>) => detail['@type']?.split('.').at(-1)),
  };
}

describe.each(terminatorKinds)('%s', (kind) => {
  if (findTerminator(kind) === undefined) {
    test.skip(`DID NOT RUN: ${kind} is not on the PATH`, () => {});
    return;
  }
  let running: RunningProgram;
  let said = '';

  beforeAll(async () => {
    const program = terminatorProgram(kind, words, join(folder, kind));
    const [command = '', ...args] = program.check;
    const { stdout, stderr } = await promisify(execFile)(command, args, { env: program.env });
    expect(stdout + stderr).not.toMatch(/warn/i);
    const started = await startTerminator(program, words, authority.pem, (text) => {
      said += text;
    });
    running = started.process;
  });
  afterEach(() => {
    breaksOff = false;
  });
  afterAll(() => running?.stop('SIGKILL'));

  test('hands on host, path, body and the id of a request as they came, and says whose it is', async () => {
    const path = '/developer/v1//a%2Fb/../c;d?page_token=secret&x=%20';
    const headers = {
      Host: 'api.example:77',
      'X-Request-Id': 'mine-1',
      'X-Forwarded-For': '203.0.113.9',
      odd_name: '1',
    };
    const { status } = await ask({ method: 'POST', path, headers, body: Buffer.alloc(32 * MIB, ' ') });
    expect(status).toBe(200);
    expect(seen.at(-1)).toMatchObject({
      url: path,
      headers: { host: 'api.example:77', 'x-request-id': 'mine-1', 'x-forwarded-for': '127.0.0.1', odd_name: '1' },
    });
    const { headers: answered } = await ask({ headers: { 'X-Request-Id': 'not an id' } });
    expect(answered['x-request-id']).toMatch(/^[\w.-]{32,36}$/);
    expect(said).not.toContain('secret');
  });

  test('compresses answers of the API for clients that ask for it', async () => {
    const plain = await ask({ path: '/large' });
    expect([plain.headers['content-encoding'], plain.text]).toEqual([undefined, LARGE]);
    const { headers, text } = await ask({ path: '/large', headers: { 'Accept-Encoding': 'gzip' } });
    expect(headers).toMatchObject({ 'content-encoding': 'gzip', vary: expect.stringMatching(/accept-encoding/i) });
    expect(text.length).toBeLessThan(LARGE.length / 5);
    const file = await ask({ at: 'STORAGE_LISTEN', path: '/large', headers: { 'Accept-Encoding': 'gzip' } });
    expect(file.headers['content-encoding']).toBe(undefined);
  });

  test('speaks HTTP/2 to clients', async () => {
    const session = connect(`https://${words.API_LISTEN}`, { ca: authority.pem });
    const stream = session.request({ ':path': '/h2' });
    const [headers] = await new Promise<[Record<string, unknown>]>((resolve, reject) => {
      stream.once('response', (...got) => resolve(got as unknown as [Record<string, unknown>])).once('error', reject);
    });
    session.destroy();
    expect([headers[':status'], session.alpnProtocol]).toEqual([200, 'h2']);
  });

  test('hands a file on while it comes, refuses what is too large for a form, and forbids to guess its type', async () => {
    const head = { at: 'STORAGE_LISTEN', method: 'POST', isHeadOnly: true } as const;
    const isTaken = new Promise<void>((resolve) => servers[2]?.once('request', () => resolve()));
    const waiting = ask({ ...head, path: '/taken', headers: { 'Content-Length': 52_428_800 + 4_096 } });
    waiting.catch(() => {});
    await isTaken;
    expect(seen.at(-1)).toMatchObject({ to: 'storage', url: '/taken' });
    expect((await ask({ ...head, headers: { 'Content-Length': 60 * MIB } })).status).toBe(413);
    const path = '/bucket/a%20b?X-Amz-Signature=secret';
    const { headers } = await ask({ at: 'STORAGE_LISTEN', path, headers: { Host: 'files.example' } });
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(seen.at(-1)).toMatchObject({ to: 'storage', url: path, headers: { host: 'files.example' } });
  });

  test('asks again for what changes nothing, and sends no write twice', async () => {
    breaksOff = true;
    const away = { name: 'UNAVAILABLE', types: ['ErrorInfo', 'RetryInfo', 'RequestInfo'] };
    // A process that has just failed gets no requests for a second.
    const sent = (method: string) =>
      eventually('a request that reaches a process', async () => {
        const from = seen.length;
        const told = await ask({ method, path: `/${method}` });
        expect(errorOf(told)).toEqual(away);
        expect(told.headers['retry-after']).toBe('1');
        return seen.length > from ? seen.length - from : undefined;
      });
    expect(await sent('GET')).toBeGreaterThan(1);
    expect(await sent('POST')).toBe(1);
    expect(await sent('DELETE')).toBe(1);
  });

  test('refuses what is too large in the form of the contract', async () => {
    const headers = { 'Content-Length': 40 * MIB, 'X-Request-Id': 'large-1' };
    const told = await ask({ method: 'POST', headers, isHeadOnly: true });
    expect(errorOf(told)).toEqual({ name: 'REQUEST_TOO_LARGE', types: ['ErrorInfo', 'RequestInfo'] });
    expect(told.headers['x-request-id']).toBe('large-1');
  });
});

test.each(['nginx.conf', 'haproxy.cfg'])('the errors of %s are those of the contract', (file) => {
  const words = ['ACCESS_LOG', 'API_1', 'API_2', 'API_LISTEN', 'CERTIFICATE', 'STORAGE', 'STORAGE_LISTEN', 'TEMP_DIR'];
  const values = Object.fromEntries([...words, 'ERROR_DOMAIN'].map((name) => [name, `=${name}=`]));
  const text = filledFile(`terminator/${file}`, values).replaceAll(/'"|"'/g, '');
  const bodies = [...text.matchAll(/'(\{"code":.*\})'/g)].map(([, body = '']) => JSON.parse(body));
  expect(bodies.length).toBeGreaterThan(6);
  for (const { code, message, details } of bodies) {
    const known = Object.values(errors).find(({ reason }) => reason === details[0].reason);
    expect([known?.rpcCode, details[0].domain]).toEqual([code, '=ERROR_DOMAIN=']);
    const [{ field, description }] = details[1].field_violations ?? [{}];
    expect(message).toBe(field === undefined ? known?.message : `The ${field} ${description}.`);
  }
});

test('nginx ends an idle connection to the service before the service does', () => {
  const text = readFileSync(join(DEPLOY, 'terminator/nginx.conf'), 'utf8');
  const [, keptS] = /upstream api \{.*?keepalive_timeout (\d+)s;/s.exec(text) ?? [];
  const [, keptMs] = /KEEP_ALIVE_TIMEOUT_MS.*default: (\d+)/.exec(describeConfig()) ?? [];
  expect(Number(keptS) * 1_000).toBeLessThan(Number(keptMs));
});
