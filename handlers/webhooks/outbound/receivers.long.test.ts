/** For any behaviour of a receiver (D-25, D-27), an attempt ends in time, with a status or a class of error. */
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { eventually } from '../../../scripts/kit/eventually.ts';
import {
  type Answer,
  loopbackOutbound,
  plainly,
  RECEIVER,
  receiver,
  TestAuthority,
  type TestReceiver,
} from '../../../scripts/world/receiver.ts';
import { MAX_ANSWER_BYTES } from './exchange.ts';
import type { Outbound } from './outbound.ts';

const authority = new TestAuthority();
/** Deadline for receivers that let the sender wait: long enough for a handshake on a busy machine. */
const HASTE_MS = 4_000;
/** Deadline for everything else: long enough for a busy machine. */
const PATIENCE_MS = 30_000;
const request = { body: '{"id":"1"}', headers: { 'content-type': 'application/json' } };

let there: TestReceiver;
/** What single tests opened; stopped even if they fail. */
const more: { stop(): unknown }[] = [];
let patient: Outbound;
let hasty: Outbound;

beforeAll(async () => {
  there = await receiver(authority.server([RECEIVER]));
  patient = loopbackOutbound(there.port, authority, { deadlineMs: PATIENCE_MS });
  hasty = loopbackOutbound(there.port, authority, { deadlineMs: HASTE_MS });
});

beforeEach(() => {
  there.requests.length = 0;
});

afterEach(async () => {
  for (const one of more.splice(0)) await one.stop();
});

afterAll(async () => {
  patient.stop();
  hasty.stop();
  await there.stop();
});

/** The result that the sender reports for this answer. */
async function outcome(answer: Answer, sender = patient): Promise<number | string> {
  there.answer = answer;
  const { status_code, error, duration_ms } = await sender.post({ url: there.url, ...request });
  expect(Number.isInteger(duration_ms)).toBe(true);
  return error === '' ? status_code : error;
}

/** The same, when the connection of the answer has ended. */
async function outcomeAtEnd(answer: Answer): Promise<number | string> {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const got = await outcome((socket, text) => {
    socket.once('close', () => resolve());
    answer(socket, text);
  });
  await ended;
  return got;
}

const writing = (text: string, then?: 'end' | 'destroy'): Answer => {
  return (socket) => {
    socket.write(text);
    if (then === 'end') socket.end();
    else if (then === 'destroy') socket.destroy();
  };
};
const OK = 'HTTP/1.1 200 OK\r\n';

test.each<[string, Answer]>([
  ['no answer, but an end', (socket) => socket.end()],
  ['a connection that breaks', (socket) => socket.destroy()],
  ['an answer that ends within its head', writing(`${OK}Content-Le`, 'end')],
  ['an interim answer, but an end', writing('HTTP/1.1 100 Continue\r\n\r\n', 'end')],
])('%s is a connect_error', async (_what, answer) => {
  // Without connections that are kept: those would be replaced.
  const sender = loopbackOutbound(there.port, authority, { deadlineMs: PATIENCE_MS });
  more.push(sender);
  expect(await outcome(answer, sender)).toBe('connect_error');
  expect(there.requests).toHaveLength(1);
});

const EMPTY = `${OK}Content-Length: 0\r\n\r\n`;

test.each([
  ['a status line of HTTP/0.9', 'HTTP/0.9 200 OK\r\n\r\n'],
  ['a status line of HTTP/2', 'HTTP/2.0 200 OK\r\n\r\n'],
  ['a status of two digits', 'HTTP/1.1 20 OK\r\n\r\n'],
  ['a status of four digits', 'HTTP/1.1 2000 OK\r\n\r\n'],
  ['a status below 100', 'HTTP/1.1 099 OK\r\n\r\n'],
  ['a bare LF after a field', `${OK}Content-Length: 0\n\r\n`],
  ['a bare CR in a field', `${OK}X: a\rb\r\n\r\n`],
  ['a NUL in a field', `${OK}X: a\0b\r\n\r\n`],
  ['a folded field', `${OK}X: a\r\n b\r\n\r\n`],
  ['a blank before the colon', `${OK}X : a\r\n\r\n`],
  ['a negative length', `${OK}Content-Length: -1\r\n\r\n`],
  ['a thousand cookies', `${OK}${'Set-Cookie: a=bcdefghijklmnopqrstuvwxyz\r\n'.repeat(1_000)}\r\n`],
  ['a flood of interim answers', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(10_000)],
  ['another protocol without its name', 'HTTP/1.1 101 Switching\r\n\r\n'],
  ['an answer after an interim one that closes', `HTTP/1.1 100 Continue\r\nConnection: close\r\n\r\n${EMPTY}`],
])('%s is a protocol_error', async (_what, text) => {
  expect(await outcome(writing(text))).toBe('protocol_error');
  expect(there.requests).toHaveLength(1);
});

test.each<[string, Answer]>([
  ['a body that breaks off', writing(`${OK}Content-Length: 10\r\n\r\n123`, 'end')],
  ['a body up to the end of the connection', writing(`${OK}\r\nbody`, 'end')],
  ['chunks', writing(`${OK}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n`)],
  ['broken chunks', writing(`${OK}Transfer-Encoding: chunked\r\n\r\nzz\r\n`)],
  ['an HTTP/1.0', writing('HTTP/1.0 200 OK\r\n\r\nbody', 'end')],
  ['more than one answer', writing(`${EMPTY}HTTP/1.1 500 No\r\n\r\n`)],
  ['bytes after the answer', writing(`${EMPTY}garbage`)],
])('%s does not matter: the status decides', async (_what, answer) => {
  expect(await outcome(answer)).toBe(200);
  // Nothing of it is taken for the answer to the next request.
  expect(await outcome(plainly(202))).toBe(202);
});

test.each([
  [204, 'a length', 'HTTP/1.1 204 None\r\nContent-Length: 5\r\n\r\n'],
  [204, 'chunks', 'HTTP/1.1 204 None\r\nTransfer-Encoding: chunked\r\n\r\n'],
  [304, 'a length', 'HTTP/1.1 304 Same\r\nContent-Length: 5\r\n\r\n'],
  [200, 'chunks of chunks', `${OK}Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n`],
  [
    200,
    'chunks of HTTP/1.0',
    'HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  ],
])('a %i with %s counts, and its connection is not used again', async (status, _what, head) => {
  expect(await outcome(writing(head))).toBe(status);
  there.names.length = 0;
  expect(await outcome(plainly(202))).toBe(202);
  expect(there.names).toHaveLength(1);
});

test.each<[string, Answer]>([
  ['stalls after an interim answer', writing('HTTP/1.1 102 Processing\r\n\r\n')],
  ['sends its head byte by byte', drip(`${OK}Content-Length: 0\r\n\r\n`)],
])('a receiver that %s is a timeout', async (_what, answer) => {
  const startedAt = performance.now();
  expect(await outcome(answer, hasty)).toBe('timeout');
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(HASTE_MS - 5);
});

/** Answers so slowly that the deadline comes first. */
function drip(text: string): Answer {
  return (socket) => {
    let sent = 0;
    const timer = setInterval(() => socket.write(text[sent++] ?? 'x'), HASTE_MS / 20);
    socket.once('close', () => clearInterval(timer));
  };
}

const MIB = 1024 * 1024;

/** Sends as long as somebody reads, at most `most` bytes. */
function pour(head: string, most: number): Answer {
  return (socket) => {
    socket.write(head);
    const piece = Buffer.alloc(16_384, 'x');
    let left = most;
    const more = () => {
      while (left > 0 && !socket.destroyed) {
        left -= piece.length;
        if (!socket.write(piece)) return void socket.once('drain', more);
      }
    };
    more();
  };
}

test.each([
  ['an endless body', OK],
  ['a body of 1 GB', `${OK}Content-Length: ${1024 * MIB}\r\n`],
])('%s is read up to a limit, then the connection is closed', async (_what, head) => {
  const before = there.bytesWritten();
  expect(await outcomeAtEnd(pour(`${head}\r\n`, 256 * MIB))).toBe(200);
  // This includes what is only in the buffers of the sockets, which we do not read.
  expect(there.bytesWritten() - before).toBeLessThan(16 * MIB);
});

test('compressed answers are not decompressed', async () => {
  const bomb = gzipSync(Buffer.alloc(32 * MIB));
  expect(bomb.length).toBeLessThan(MAX_ANSWER_BYTES);
  const head = `${OK}Content-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`;
  const before = process.memoryUsage().arrayBuffers;
  const got = await outcome((socket) => {
    socket.write(head);
    socket.write(bomb);
  });
  expect(got).toBe(200);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 * MIB);
});

test.each<[string, Answer]>([
  ['breaks', (socket) => socket.destroy()],
  ['ends', (socket) => socket.end()],
])(
  'a kept connection that %s before a byte of the answer is replaced, once, within the attempt',
  async (_what, answer) => {
    const names = there.names.length;
    await keepConnections(2);
    expect(there.names.length - names).toBeLessThan(3);
    there.requests.length = 0;
    const breaking = new Set<object>();
    const breakOnce: Answer = (socket, text) => {
      (breaking.size === 0 ? answer : plainly(201))(socket, text);
      breaking.add(socket);
    };
    expect(await outcome(breakOnce)).toBe(201);
    expect(there.requests).toHaveLength(2);
    // Also the other connections that were kept are not used any more.
    expect(breaking.size).toBe(2);
    expect(there.requests[1]).toBe(there.requests[0]);

    await keepConnections(1);
    there.requests.length = 0;
    // The new connection fails too: no third one.
    expect(await outcome(answer)).toBe('connect_error');
    expect(there.requests).toHaveLength(2);
  },
);

/** Afterwards the sender keeps this many connections, or more. */
async function keepConnections(count: number): Promise<void> {
  there.answer = plainly(200);
  const sent = Array.from({ length: count }, () => patient.post({ url: there.url, ...request }));
  for (const { status_code } of await Promise.all(sent)) expect(status_code).toBe(200);
}

test.each<[string, Answer]>([
  ['part of the answer', writing(`${OK}Content-Le`, 'end')],
  ['an interim answer', writing('HTTP/1.1 100 Continue\r\n\r\n', 'end')],
])('a kept connection that ends after %s is a failed attempt, without a second POST', async (_what, answer) => {
  await keepConnections(1);
  there.requests.length = 0;
  expect(await outcome(answer)).toBe('connect_error');
  expect(there.requests).toHaveLength(1);
});

test('the time of the attempt goes on when a kept connection is replaced', async () => {
  await keepConnections(1);
  there.requests.length = 0;
  const sockets: Socket[] = [];
  // The time of the sender goes on only here.
  jest.useFakeTimers({ doNotFake: ['Date', 'nextTick', 'queueMicrotask', 'setImmediate', 'setInterval'] });
  const arrived = async (count: number) => {
    while (sockets.length < count) await new Promise(setImmediate);
  };
  try {
    const results: unknown[] = [];
    void outcome((socket) => sockets.push(socket)).then((result) => results.push(result));
    await arrived(1);
    jest.advanceTimersByTime(PATIENCE_MS / 2);
    sockets[0]?.destroy();
    await arrived(2);
    jest.advanceTimersByTime(PATIENCE_MS / 2 - 1);
    await new Promise(setImmediate);
    expect(results).toEqual([]);
    jest.advanceTimersByTime(1);
    await new Promise(setImmediate);
    expect(results).toEqual(['timeout']);
  } finally {
    jest.useRealTimers();
  }
});

test.each<[string, Answer]>([
  ['has closed', (socket) => void socket.end(EMPTY)],
  ['writes to without a request', (socket) => void socket.write(EMPTY, () => setImmediate(() => socket.write(EMPTY)))],
])('a kept connection that the receiver %s is replaced', async (_what, answer) => {
  expect(await outcomeAtEnd(answer)).toBe(200);
  there.requests.length = 0;
  expect(await outcome(plainly(202))).toBe(202);
  expect(there.requests).toHaveLength(1);
});

test('idle connections to many hosts are bounded', async () => {
  const many = await receiver(authority.server([`*.${RECEIVER}`]));
  const sender = loopbackOutbound(many.port, authority, { deadlineMs: PATIENCE_MS });
  more.push(sender, many);
  for (let i = 0; i < 300; i += 20) {
    const urls = Array.from({ length: 20 }, (_, n) => `https://h${i + n}.${RECEIVER}:${many.port}/`);
    const sent = await Promise.all(urls.map((url) => sender.post({ url, ...request })));
    expect(new Set(sent.map(({ status_code }) => status_code))).toEqual(new Set([204]));
  }
  await eventually('at most 256 open connections', () => many.open() <= 256, 3_500);
  sender.stop();
  await eventually('no open connection after the stop', () => many.open() === 0);
});

test('a request that is given up rejects with the reason, before and during its exchange', async () => {
  const reason = new Error('stopping');
  const late = new AbortController();
  there.answer = () => late.abort(reason);
  await expect(patient.post({ url: there.url, ...request, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  expect(there.requests).toHaveLength(0);
  await expect(patient.post({ url: there.url, ...request, signal: late.signal })).rejects.toBe(reason);
});
