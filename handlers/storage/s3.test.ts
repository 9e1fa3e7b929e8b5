/** A service that is away, slow or refusing: the caller gets UNAVAILABLE, in bounded time, and no other error. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterEach, expect, test } from '@jest/globals';
import { PDF } from '../../scripts/world/disk-storage.ts';
import { watchOutages } from '../data/outages.ts';
import { loggerTo } from '../runtime/log.ts';
import { type S3Storage, s3Storage } from './s3.ts';

const servers: Server[] = [];
const storages: S3Storage[] = [];
let logged: string[] = [];
let unwatch = () => {};

afterEach(() => {
  unwatch();
  logged = [];
  for (const storage of storages.splice(0)) storage.stop();
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

/** Longer than a busy machine takes for an answer. */
const PATIENT_MS = 60_000;
const IMPATIENT_MS = 500;

function storageAt(endpoint: string, answerMs = PATIENT_MS): S3Storage {
  const access = { S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'the secret of a test' };
  const timeouts = { connectionTimeout: PATIENT_MS, requestTimeout: answerMs, socketTimeout: answerMs };
  const place = { S3_BUCKET: 'files', S3_REGION: 'us-east-1', S3_ENDPOINT: endpoint, S3_FORCE_PATH_STYLE: true };
  const storage = s3Storage({ ...place, ...access }, timeouts);
  const log = loggerTo('info', { write: (line) => void logged.push(line) });
  unwatch = watchOutages('storage', { log, place: storage.place, isBack: async () => false });
  storages.push(storage);
  return storage;
}

async function served(answer: RequestListener, answerMs?: number): Promise<S3Storage> {
  const server = createServer(answer);
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return storageAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, answerMs);
}

async function* chunks() {
  yield Buffer.from('bytes');
}

const object = { key: 'uploads/t/f', version: 'v' };
const unavailable = { errorName: 'UNAVAILABLE', extras: { retryAfterMs: 1000 } };

const always = (status: number, headers: Record<string, string> = {}, body = '') =>
  served((req, res) => void req.resume().once('end', () => res.writeHead(status, headers).end(body)));

const page = '<html>\r\n<head><title>Bad gateway</title></head><body><hr>nginx & co<br></body></html>';
const html = { 'Content-Type': 'text/html', Server: 'nginx/1.22.1' };
const denied = '<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>x</Message></Error>';

const failing: readonly [what: string, open: () => Promise<S3Storage>, reason: string][] = [
  ['does not listen', async () => storageAt('http://127.0.0.1:1'), 'refuses connections (ECONNREFUSED)'],
  ['does not answer', () => served(() => {}, IMPATIENT_MS), 'did not answer in time (ETIMEDOUT)'],
  ['hangs up', () => served((req) => void req.socket.destroy()), 'closed the connection (ECONNRESET)'],
  ['fails', () => always(500), 'answered 500: no XML error from S3: no body'],
  ['refuses us', () => always(403), 'answered 403: no XML error from S3: no body'],
  [
    'refuses us in words',
    () => always(403, { 'Content-Type': 'application/xml' }, denied),
    'answered 403: the user may not do this (AccessDenied)',
  ],
  [
    'is behind a proxy that cannot reach it',
    () => always(502, html, page),
    'answered 502 (server: nginx/1.22.1): no XML error from S3: HTML from a proxy',
  ],
  [
    'is behind a proxy that is too busy',
    () => always(503, { 'Content-Type': 'text/html' }, '<html><body>503</body></html>'),
    'answered 503: no XML error from S3: HTML from a proxy',
  ],
  [
    'is another one than the proxy leads to',
    () => always(404, html, page),
    'answered 404 (server: nginx/1.22.1): no XML error from S3: HTML from a proxy',
  ],
  ['talks nonsense', () => always(200, {}, '{"not": "xml"}'), 'the bucket does not keep versions any more'],
];

test.each(failing)('a service that %s is unavailable, which is one line', async (_, open, reason) => {
  const storage = await open();
  const work: [string, () => Promise<unknown>][] = [
    ['write', () => storage.write('k', PDF, Buffer.from('x'))],
    ['latest', () => storage.latest('k')],
    ['write of a stream', () => storage.write('k', PDF, chunks())],
  ];
  if (_ !== 'talks nonsense') {
    work.push(['read', () => storage.read(object)], ['remove', () => storage.remove('k')]);
  }
  for (const [, run] of work) await expect(run()).rejects.toMatchObject(unavailable);
  expect(logged.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ event: 'storage_unavailable', place: storage.place, reason }),
  ]);
  expect(storage.place).toMatch(/^files at http:/);
  expect(logged.join('')).not.toMatch(/uploads\/t\/f|secret of a test|xml/);
});

test.each<[string, (req: IncomingMessage, res: ServerResponse) => void, number]>([
  ['stops arriving', (_req, res) => void res.write('half'), IMPATIENT_MS],
  ['loses its connection', (req, res) => void res.write('half', () => req.socket.destroy()), PATIENT_MS],
])('an object that %s in the middle is unavailable', async (_, send, answerMs) => {
  const storage = await served((req, res) => send(req, res.writeHead(200, { 'Content-Length': '1000' })), answerMs);
  await expect(storage.read(object).then(buffer)).rejects.toMatchObject(unavailable);
});

test('forms and URLs are made without a request', async () => {
  const storage = storageAt('http://127.0.0.1:1');
  const form = await storage.uploadForm('uploads/t/f', PDF, 100, 60_000);
  expect(form.url).toMatch(/^http:\/\/127\.0\.0\.1:1\/files\/?$/);
  expect(form.fields).toMatchObject({ key: 'uploads/t/f', 'Content-Type': PDF, 'X-Amz-Signature': expect.any(String) });
  const url = new URL(await storage.downloadUrl(object, { filename: 'a.pdf', content_type: PDF }, 60_000));
  expect(url.pathname).toBe('/files/uploads/t/f');
  expect(Object.fromEntries(url.searchParams)).toMatchObject({ versionId: 'v', 'X-Amz-Expires': '60' });
});
