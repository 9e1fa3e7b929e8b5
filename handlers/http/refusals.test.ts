/** What a client sees when it is refused while still sending. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { requestText } from '../../scripts/world/wire.ts';
import { listen } from './listener.ts';
import { lingerAfterAnswer, type Patience } from './refusals.ts';

const MIB = 1024 * 1024;
const HEAD = requestText('POST /', [`Content-Length: ${64 * MIB}`]);

let server: Server | undefined;
afterEach(() => {
  server?.close();
  server?.closeAllConnections();
});

interface RefusedRequest {
  readonly socket: Socket;
  readonly text: () => string;
  readonly errors: readonly Error[];
  /** Resolves when the server has closed the connection. */
  readonly gone: Promise<unknown>;
}

/** Starts a server that refuses every request after its head. @returns a connection to it */
async function refusing(patience?: Patience): Promise<RefusedRequest> {
  server = createServer((_req, res) => {
    lingerAfterAnswer(res, patience);
    res.writeHead(413, { 'Content-Length': 2 }).end('no');
  });
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  // The client keeps its side open even after the server has closed its own.
  const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
  let text = '';
  const errors: Error[] = [];
  socket.on('data', (part) => {
    text += part.toString('latin1');
  });
  socket.on('error', (error) => errors.push(error));
  const [there] = await accepted;
  const gone = new Promise((resolve) => there.once('close', resolve));
  return { socket, text: () => text, errors, gone };
}

test('a client that sends everything before it reads gets the answer, and no reset', async () => {
  // Longer than a busy machine takes for all of it.
  const { socket, text, errors, gone } = await refusing({ quietMs: 60_000, longestMs: 600_000 });
  socket.pause();
  socket.write(HEAD);
  const part = Buffer.alloc(MIB);
  const failed = new Promise((resolve) => socket.once('close', resolve));
  for (let i = 0; i < 64 && !socket.destroyed; i++) {
    const sent = new Promise((resolve) => socket.write(part, resolve));
    await Promise.race([sent, failed]);
  }
  socket.resume();
  socket.end();
  await gone;
  expect(errors).toEqual([]);
  expect(text()).toMatch(/^HTTP\/1\.1 413 /);
  expect(text()).toMatch(/\r\n\r\nno$/);
});

test('a client that sends nothing more is disconnected', async () => {
  const { socket, text, gone } = await refusing({ quietMs: 20, longestMs: 60_000 });
  socket.write(HEAD);
  await gone;
  expect(text()).toMatch(/no$/);
});

test('a client that never stops sending is cut off', async () => {
  const { socket, text, gone } = await refusing({ quietMs: 1_000, longestMs: 100 });
  socket.write(HEAD);
  const timer = setInterval(() => socket.write('x'), 1);
  await gone;
  clearInterval(timer);
  expect(text()).toMatch(/no$/);
});

test('what follows on the connection is not handled as a request', async () => {
  let requests = 0;
  const app = (_req: IncomingMessage, res: ServerResponse) => {
    requests++;
    lingerAfterAnswer(res);
    res.writeHead(413, { 'Content-Length': 2 }).end('no');
  };
  const listener = await listen(app, {
    host: '127.0.0.1',
    port: 0,
    maxConnections: 10,
    headersTimeoutMs: 60_000,
    requestTimeoutMs: 60_000,
    refuse: (socket) => socket.destroy(),
  });
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(listener.url).port), allowHalfOpen: true });
  socket.write(requestText('POST /', ['Content-Length: 4']));
  await once(socket, 'data');
  socket.end(`body${requestText('POST /', ['Content-Length: 0'])}`);
  await new Promise((resolve) => socket.once('close', resolve));
  await listener.stop();
  expect(requests).toBe(1);
});
