import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { listenOnLoopback } from '../../scripts/kit/ports.ts';
import { served } from '../testing/small-target.ts';
import { exchangeOverHttp } from './client.ts';
import { answersOverWire, exchangeOverWire } from './wire.ts';

const servers: Server[] = [];
const open: Socket[] = [];
afterEach(async () => {
  for (const socket of open.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) {
    server.close();
    await once(server, 'close');
  }
});

async function serving(server: Server): Promise<string> {
  servers.push(server);
  return `http://127.0.0.1:${await listenOnLoopback(server)}`;
}

const echo = (req: IncomingMessage, res: ServerResponse) => {
  const parts: Buffer[] = [];
  req.on('data', (part: Buffer) => parts.push(part));
  req.on('end', () =>
    res.setHeader('X-Twice', ['a', 'b']).end(
      JSON.stringify({
        method: req.method,
        target: req.url,
        headers: req.rawHeaders,
        body: Buffer.concat(parts).toString(),
      }),
    ),
  );
};

const echoing = served(echo);

const posted = (baseUrl: string, more: Partial<Parameters<typeof exchangeOverHttp>[0]> = {}) =>
  exchangeOverHttp({ baseUrl, method: 'POST', target: '/', headers: [], ...more });

/** A target that does this to each connection with the head of its request. */
const onHead = (work: (socket: Socket, head: Buffer) => void) =>
  serving(
    createTcpServer((socket) => {
      open.push(socket.on('error', () => {}));
      socket.once('data', (head) => work(socket, head));
    }),
  );

/** More than a socket takes at once. */
const body = Buffer.alloc(16 * 1024 * 1024);

describe('the HTTP client', () => {
  test('sends the request target unchanged, duplicate headers, and unusual methods', async () => {
    const answer = await posted(echoing.baseUrl, {
      method: 'PROPFIND',
      target: '/a/../b//c%2fd/?x=1&x=2',
      headers: [
        ['X-API-Key', 'one'],
        ['X-API-Key', 'two'],
      ],
    });
    const seen = JSON.parse(answer.body.toString()) as { method: string; target: string; headers: string[] };
    expect(seen).toMatchObject({ method: 'PROPFIND', target: '/a/../b//c%2fd/?x=1&x=2' });
    expect(seen.headers.filter((name) => name === 'X-API-Key')).toHaveLength(2);
    expect(answer.headers.filter(([name]) => name === 'X-Twice')).toHaveLength(2);
  });

  test('sends chunked bodies', async () => {
    const answer = await posted(echoing.baseUrl, { body: Buffer.from('abcdef'), chunkBytes: 4 });
    const seen = JSON.parse(answer.body.toString()) as { body: string; headers: string[] };
    expect(seen.body).toBe('abcdef');
    expect(seen.headers).toContain('Transfer-Encoding');
  });

  test('waits for 100 Continue if requested', async () => {
    const server = createServer(echo);
    server.on('checkContinue', (req, res) => {
      res.writeContinue();
      echo(req, res);
    });
    const answer = await posted(await serving(server), {
      headers: [['Expect', '100-continue']],
      body: Buffer.from('late'),
      expectContinueMs: 60_000,
    });
    expect(JSON.parse(answer.body.toString())).toMatchObject({ body: 'late' });
  });

  test('sends a body again with Expect if the target closed the connection', async () => {
    const heads: string[] = [];
    const baseUrl = await onHead((socket, head) => {
      heads.push(head.toString('latin1'));
      if (heads.length === 1) socket.resetAndDestroy();
      else socket.end('HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
    });
    expect((await posted(baseUrl, { body })).status).toBe(413);
    expect(heads.map((head) => /^Expect: 100-continue\r$/m.test(head))).toEqual([false, true]);
  });

  test('sends a request again if the idle connection was dead, but not one whose answer was cut off', async () => {
    const asked: string[] = [];
    const server = createServer((req, res) => {
      asked.push(`${req.url}`);
      if (asked.length === 1) res.end('first');
      else if (req.url === '/dead' && asked.length === 2) req.socket.destroy();
      else if (req.url === '/half') {
        res.writeHead(200, { 'Content-Length': '10' }).write('half', () => req.socket.destroy());
      } else res.end('again');
    });
    const baseUrl = await serving(server);
    const ask = (target: string) => posted(baseUrl, { target });
    await ask('/');
    expect((await ask('/dead')).body.toString()).toBe('again');
    asked.splice(1);
    await ask('/');
    await ask('/');
    await expect(ask('/half')).rejects.toMatchObject({ name: 'NoAnswer' });
    expect(asked.filter((url) => url === '/half')).toHaveLength(1);
    server.closeAllConnections();
  });

  test('never repeats a request that does something halfway', async () => {
    let [heads, calls] = [0, 0];
    const baseUrl = await onHead((socket) => {
      heads++;
      socket.resetAndDestroy();
    });
    const halfway = async () => {
      calls++;
      await new Promise((resolve) => setImmediate(resolve));
    };
    await expect(posted(baseUrl, { body, halfway })).rejects.toMatchObject({ name: 'NoAnswer' });
    expect([heads, calls]).toEqual([1, 1]);
  });

  test('a silent, a refusing and a closing target are distinguished', async () => {
    const silent = await serving(createTcpServer((socket) => open.push(socket.on('error', () => {}))));
    const closing = await serving(createTcpServer((socket) => socket.destroy()));
    const ask = (baseUrl: string, timeoutMs = 60_000) => posted(baseUrl, { method: 'GET', timeoutMs });
    await expect(ask(silent, 50)).rejects.toMatchObject({ code: 'TIMEOUT' });
    await expect(ask(closing)).rejects.toMatchObject({ name: 'NoAnswer', code: 'ECONNRESET' });
    await expect(ask('http://127.0.0.1:1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await expect(exchangeOverWire(closing, Buffer.from('x'), 60_000)).rejects.toMatchObject({ code: 'CLOSED' });
  });

  test('counts the answers to raw bytes until the target closes', async () => {
    const { baseUrl } = echoing;
    const get = 'GET /HTTP/1.1%20200 HTTP/1.1\r\nHost: x\r\n';
    const count = (text: string, withinMs = 60_000) => answersOverWire(baseUrl, Buffer.from(text), withinMs);
    expect(await count(`${get}Connection: close\r\n\r\n`)).toEqual({ answers: 1, closed: true });
    expect(await count(`${get}\r\n${get}Connection: close\r\n\r\n`)).toEqual({ answers: 2, closed: true });
    let kept = await count(`${get}\r\n`, 100);
    // On a busy machine the answer comes later.
    for (let ms = 200; kept.answers === 0 && !kept.closed; ms *= 2) kept = await count(`${get}\r\n`, ms);
    expect(kept).toEqual({ answers: 1, closed: false });
    expect(await answersOverWire('http://127.0.0.1:1', Buffer.from(get))).toEqual({ answers: 0, closed: true });
  });

  test('reads answers to raw bytes, with either framing', async () => {
    const { baseUrl } = echoing;
    const answer = await exchangeOverWire(baseUrl, Buffer.from('GET http://x.example/a HTTP/1.1\r\nHost: x\r\n\r\n'));
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body.toString())).toMatchObject({ target: 'http://x.example/a' });
    const interim = 'HTTP/1.1 100 Continue\r\n\r\n';
    const head = 'HTTP/1.1 400 Bad\r\nTransfer-Encoding: chunked\r\n\r\n';
    const sent = async (text: string) =>
      exchangeOverWire(await onHead((socket) => socket.end(text)), Buffer.from('x'), 60_000);
    expect(await sent(`${interim}${head}3\r\nabc\r\n0\r\n\r\n`)).toMatchObject({
      status: 400,
      body: Buffer.from('abc'),
    });
    await expect(sent(`${head}3\r\nabc\r\n0\r\n`)).rejects.toMatchObject({ code: 'CLOSED' });
    await expect(sent('no HTTP')).rejects.toMatchObject({ code: 'CLOSED' });
  });
});
