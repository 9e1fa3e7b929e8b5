/** A service that is away, slow or refusing: the caller gets UNAVAILABLE, in bounded time, and no other error. */
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { bytesOf, PDF } from '../../scripts/testbed/disk-storage.ts';
import { loggerTo } from '../process/log.ts';
import { type S3Storage, s3Storage } from './s3.ts';

const servers: Server[] = [];
const storages: S3Storage[] = [];
const logged: string[] = [];

afterEach(() => {
  for (const storage of storages.splice(0)) storage.stop();
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

function storageAt(endpoint: string): S3Storage {
  const access = { S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'the secret of a test' };
  const log = loggerTo('info', { write: (line) => void logged.push(line) });
  const timeouts = { connectionTimeout: 500, requestTimeout: 500, socketTimeout: 500 };
  const place = { S3_BUCKET: 'files', S3_REGION: 'us-east-1', S3_ENDPOINT: endpoint, S3_FORCE_PATH_STYLE: true };
  const storage = s3Storage({ ...place, ...access }, log, timeouts);
  storages.push(storage);
  return storage;
}

async function served(answer: RequestListener): Promise<S3Storage> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return storageAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

async function* chunks() {
  yield Buffer.from('bytes');
}

const object = { key: 'uploads/t/f', version: 'v' };
const unavailable = { errorName: 'UNAVAILABLE', extras: { retryAfterMs: 1000 } };

const failing: readonly [string, () => Promise<S3Storage>][] = [
  ['does not listen', async () => storageAt('http://127.0.0.1:1')],
  ['does not answer', () => served(() => {})],
  ['hangs up', () => served((req) => void req.socket.destroy())],
  ['fails', () => served((req, res) => void req.resume().once('end', () => res.writeHead(500).end()))],
  ['refuses us', () => served((req, res) => void req.resume().once('end', () => res.writeHead(403).end()))],
  ['talks nonsense', () => served((req, res) => void req.resume().once('end', () => res.end('{"not": "xml"}')))],
];

test.each(failing)('a service that %s is unavailable', async (_, open) => {
  const storage = await open();
  const work: [string, () => Promise<unknown>][] = [
    ['latest', () => storage.latest('k')],
    ['write', () => storage.write('k', PDF, Buffer.from('x'))],
    ['write of a stream', () => storage.write('k', PDF, chunks())],
  ];
  if (_ !== 'talks nonsense') {
    work.push(['read', () => storage.read(object)], ['remove', () => storage.remove('k')]);
  }
  for (const [, run] of work) await expect(run()).rejects.toMatchObject(unavailable);
  expect(logged.join('')).not.toMatch(/uploads\/t\/f|secret of a test/);
});

test.each<[string, (req: IncomingMessage, res: ServerResponse) => void]>([
  ['stops arriving', (_req, res) => void res.write('half')],
  ['loses its connection', (req, res) => void res.write('half', () => req.socket.destroy())],
])('an object that %s in the middle is unavailable', async (_, send) => {
  const storage = await served((req, res) => send(req, res.writeHead(200, { 'Content-Length': '1000' })));
  await expect(storage.read(object).then(bytesOf)).rejects.toMatchObject(unavailable);
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
