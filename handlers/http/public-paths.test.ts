import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { afterEach, expect, jest, test } from '@jest/globals';
import express from 'express';
import { MongoServerError } from 'mongodb';
import { testFolder } from '../../scripts/kit/testing/test-folder.ts';
import type { Store } from '../data/store.ts';
import { publicPaths, storeReadiness } from './public-paths.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

test('a store is ready while it takes writes; many questions cause one write a second', async () => {
  const clock = jest.spyOn(performance, 'now');
  let writes = 0;
  let isFull = false;
  const findOneAndUpdate = async () => {
    writes++;
    // What MongoDB answers on a full disk.
    if (isFull) throw new MongoServerError({ code: 14031, message: 'no space' });
    return {};
  };
  const isReady = storeReadiness({ rate_limits: { findOneAndUpdate } } as unknown as Pick<Store, 'rate_limits'>);
  for (const [atMs, full] of [
    [0, false],
    [1_000, true],
    [2_000, true],
    [3_000, false],
  ] as const) {
    clock.mockReturnValue(atMs);
    isFull = full;
    expect(await Promise.all(Array.from({ length: 50 }, isReady))).toEqual(Array(50).fill(!full));
    clock.mockReturnValue(atMs + 999);
    isFull = !full;
    expect(await isReady()).toBe(!full);
  }
  expect(writes).toBe(4);
});

const folder = testFolder();

test('/healthz tells the version; the docs are sent compressed, once to who keeps them, and found from the root', async () => {
  const docsFile = join(folder, 'index.html');
  writeFileSync(docsFile, '<h1>The docs</h1>');
  const server = express()
    .use(publicPaths({ docsFile, version: { version: '1.2.3', revision: 'abc' }, ready: async () => true }))
    .listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const ask = async (path: string, headers: Record<string, string>) => {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      get({ host: '127.0.0.1', port, path, headers, agent: false }, resolve).on('error', reject);
    });
    return { status: answer.statusCode, headers: answer.headers, body: await buffer(answer) };
  };
  try {
    expect(JSON.parse((await ask('/healthz', {})).body.toString())).toEqual({
      status: 'ok',
      version: '1.2.3',
      revision: 'abc',
    });
    const plain = await ask('/docs', {});
    const zipped = await ask('/docs', { 'Accept-Encoding': 'br, gzip' });
    expect(plain.body.toString()).toBe('<h1>The docs</h1>');
    expect(zipped.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(zipped.body)).toEqual(plain.body);
    expect(zipped.headers.etag).not.toBe(plain.headers.etag);
    const again = { 'Accept-Encoding': 'gzip', 'If-None-Match': `"other", ${zipped.headers.etag}` };
    expect(await ask('/docs', again)).toMatchObject({ status: 304, body: Buffer.alloc(0) });
    expect((await ask('/docs', { 'If-None-Match': '"other"' })).status).toBe(200);
    expect(await ask('/', { Accept: 'text/html,*/*' })).toMatchObject({ status: 302, headers: { location: 'docs' } });
    expect((await ask('/', { Accept: '*/*' })).status).toBe(404);
  } finally {
    server.close();
  }
});
