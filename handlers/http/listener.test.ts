/** Which requests the listener's timers end: those of a client that is late, and not those that wait for the service. */
import { once } from 'node:events';
import type { IncomingMessage, RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { afterEach, expect, jest, test } from '@jest/globals';
import { eventually } from '../../scripts/kit/eventually.ts';
import { answersIn, requestText } from '../../scripts/world/wire.ts';
import { type Listener, type ListenOptions, listen } from './listener.ts';

const TIMEOUT_MS = 100;
let listener: Listener;

afterEach(() => listener.stop());

/** Listens with short timeouts; a refusal is answered with its code. */
async function start(app: RequestListener, times: Partial<ListenOptions> = {}): Promise<void> {
  listener = await listen(app, {
    host: '127.0.0.1',
    port: 0,
    maxConnections: 10,
    headersTimeoutMs: TIMEOUT_MS,
    requestTimeoutMs: TIMEOUT_MS,
    refuse: (socket, code) => socket.end(code),
    ...times,
  });
}

/** Connects. The bytes of `write` are in the server's socket when it returns, so this process need not run for that. */
async function client() {
  const socket = connect(Number(new URL(listener.url).port), '127.0.0.1');
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk;
  });
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  await once(socket, 'connect');
  /** Waits for so many answers, or a refusal, and closes the connection. @returns their statuses */
  const answersTo = async (requests: number) => {
    const isOver = () => statuses(text).length >= requests || text.includes('ERR_') || socket.destroyed;
    await eventually('the answers', () => isOver());
    socket.destroy();
    return statuses(text);
  };
  /** The same, for the answers with these statuses. */
  const answered = async (...expected: number[]) => {
    expect(await answersTo(expected.length)).toEqual(expected);
  };
  return { socket, text: () => text, closed, answersTo, answered };
}

/** Lets the server's timers run for longer than any of its timeouts, however slow the machine is. */
async function runTimers(): Promise<void> {
  for (let i = 0; i < 10; i++) await setTimeout(TIMEOUT_MS);
}

/**
 * Sends bytes and stops this process before it can read them. The event loop then runs its timers first, since it is at
 * its immediates.
 * @returns how long it took until the bytes were sent, in milliseconds
 */
async function sendAndStandStill(socket: Socket, bytes: string): Promise<number> {
  const calledMs = performance.now();
  await setImmediate();
  const tookMs = performance.now() - calledMs;
  socket.write(bytes);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5 * TIMEOUT_MS);
  return tookMs;
}

const GET = requestText('GET /');
const statuses = (text: string) => answersIn(text).map(({ status }) => status);

/** An app that answers a request when its body has arrived, and says which requests have begun. */
function echo() {
  const begun: IncomingMessage[] = [];
  const app: RequestListener = (req, res) => {
    begun.push(req);
    req.resume().once('end', () => res.end('ok'));
  };
  return { begun, app };
}

test('a client that does not finish its head, or its body, is refused, however steadily it sends', async () => {
  await start(echo().app);
  for (const part of ['GET / HTTP/1.1\r\nX-A: ', requestText('POST /', ['Content-Length: 1000'])]) {
    const { socket, text, closed } = await client();
    socket.on('error', () => {}).write(part);
    const timer = setInterval(() => socket.write('a'), TIMEOUT_MS / 5);
    await closed;
    clearInterval(timer);
    expect(text()).toBe('ERR_HTTP_REQUEST_TIMEOUT');
  }
});

test('a head that arrived while the process stood still does not let its body come late', async () => {
  const { app, begun } = echo();
  await start(app, { requestTimeoutMs: 5 * TIMEOUT_MS });
  const { socket, text, closed } = await client();
  socket.write('POST / HTTP/1.1\r\nHost: localhost\r\n');
  await setTimeout(TIMEOUT_MS / 2);
  await sendAndStandStill(socket, 'Content-Length: 2\r\n\r\n');
  await closed;
  expect(begun).toHaveLength(1);
  expect(text()).toBe('ERR_HTTP_REQUEST_TIMEOUT');
});

test.each([
  ['the end of a head', 'GET / HTTP/1.1\r\nHost: localhost\r\n', '\r\n'],
  ['the end of a body', requestText('POST /', ['Content-Length: 4'], 'a'), 'bcd'],
])('%s that arrived while the process stood still is read', async (_part, first, rest) => {
  await start(echo().app);
  const { socket, answered } = await client();
  socket.write(first);
  await setTimeout(TIMEOUT_MS / 2);
  await sendAndStandStill(socket, rest);
  await answered(200);
});

test('what arrives while the process stands still again, just before it would refuse, is read', async () => {
  // Shorter than it stands still.
  await start(echo().app, { headersTimeoutMs: 4 * TIMEOUT_MS, requestTimeoutMs: 4 * TIMEOUT_MS });
  for (;;) {
    const startedMs = performance.now();
    const { socket, answered } = await client();
    socket.on('error', () => {}).write('GET / HTTP/1.1\r\n');
    await setTimeout(TIMEOUT_MS / 2);
    const firstMs = performance.now() - startedMs + (await sendAndStandStill(socket, 'Host: localhost\r\n'));
    const secondMs = await sendAndStandStill(socket, '\r\n');
    // On a busy machine the client itself may be late.
    if (Math.max(firstMs, secondMs) < 3 * TIMEOUT_MS) return answered(200);
    socket.destroy();
  }
});

test('a body whose head was not late has its whole time, although the process stood still', async () => {
  await start(echo().app, { requestTimeoutMs: 600 * TIMEOUT_MS });
  const { socket, text, answered } = await client();
  socket.write('POST / HTTP/1.1\r\nHost: localhost\r\n');
  await setTimeout(TIMEOUT_MS / 2);
  await sendAndStandStill(socket, 'Content-Length: 2\r\n\r\n');
  await runTimers();
  expect(text()).toBe('');
  socket.write('ab');
  await answered(200);
});

test('requests that wait behind an answer, more than Node reads at once, are all answered', async () => {
  let begun = 0;
  const first = Promise.withResolvers<void>();
  await start(async (_req, res) => {
    if (++begun === 1) await first.promise;
    res.end('y'.repeat(2_000));
  });
  const { socket, answered } = await client();
  const sent = 60;
  socket.write(requestText('GET /', [`X-Long: ${'x'.repeat(3_000)}`]).repeat(sent));
  await runTimers();
  expect(begun).toBeLessThan(sent);
  first.resolve();
  await answered(...Array<number>(sent).fill(200));
});

test.each([
  ['does not read yet', `Content-Length: ${256 * 1024}`, 256 * 1024],
  ['has not asked for yet', 'Expect: 100-continue\r\nContent-Length: 2', 0],
])('a body that the service %s is not late', async (_what, head, sentBefore) => {
  let ready: Promise<void>;
  const app: RequestListener = async (req, res) => {
    await ready;
    if (sentBefore === 0) res.writeContinue();
    req.resume().once('end', () => res.end('ok'));
  };
  // The client has this time again when the service reads.
  await start(app, { requestTimeoutMs: 10 * TIMEOUT_MS });
  for (;;) {
    const { promise, resolve: read } = Promise.withResolvers<void>();
    ready = promise;
    const { socket, text, answersTo } = await client();
    socket.on('error', () => {}).write(requestText('POST /', [head]));
    socket.write('x'.repeat(sentBefore));
    await runTimers();
    await runTimers();
    expect(text()).toBe('');
    const startedMs = performance.now();
    // The listener looks at the connection in this time.
    await setTimeout(2 * TIMEOUT_MS);
    read();
    if (sentBefore === 0) {
      await eventually('the invitation', () => text() !== '');
      socket.write('ab');
    }
    const expected = sentBefore > 0 ? [200] : [100, 200];
    const answers = await answersTo(expected.length);
    // On a busy machine the client itself may be late.
    if (performance.now() - startedMs < 8 * TIMEOUT_MS) return expect(answers).toEqual(expected);
  }
});

test('nothing that follows a request that is refused is begun', async () => {
  let begun = 0;
  const first = Promise.withResolvers<void>();
  await start(async (_req, res) => {
    begun++;
    await first.promise;
    res.end();
  });
  const { socket, text, closed } = await client();
  socket.write(`${GET}GET / HTTP/1.1\r\n`);
  await runTimers();
  socket.write('Host: localhost\r\n\r\n');
  await runTimers();
  first.resolve();
  await closed;
  expect(begun).toBe(1);
  expect(text()).toMatch(/^HTTP\/1\.1 200 .*ERR_HTTP_REQUEST_TIMEOUT$/s);
});

test('a stop answers what still comes on a kept connection, and then closes it', async () => {
  for (;;) {
    await start(echo().app);
    const { socket, text, closed } = await client();
    socket.on('error', () => {}).write(GET);
    await eventually('the first answer', () => text() !== '');
    const stoppedMs = performance.now();
    const stopped = listener.stop();
    socket.write(GET);
    await closed;
    const tookMs = performance.now() - stoppedMs;
    await stopped;
    // Half a second after a stop an idle connection is closed.
    if (tookMs > 400) continue;
    const answers = answersIn(text()).map(({ status, headers }) => [status, headers.get('connection')]);
    return expect(answers).toEqual([
      [200, 'keep-alive'],
      [200, 'close'],
    ]);
  }
});

test('a connection that never brought a request is no idle one', async () => {
  const told = jest.fn();
  await start(echo().app, { stillTimeoutMs: TIMEOUT_MS, onIdleEnd: told });
  await (await client()).closed;
  expect(told).not.toHaveBeenCalled();
});

test('a client is not silent while the service works on its answer', async () => {
  const ready = Promise.withResolvers<void>();
  await start(
    async (_req, res) => {
      await ready.promise;
      res.end('ok');
    },
    { stillTimeoutMs: TIMEOUT_MS },
  );
  const { socket, answered } = await client();
  socket.write(GET);
  await runTimers();
  ready.resolve();
  await answered(200);
});

test.each<[string, RequestListener, string]>([
  ['send its body', (req) => void req.resume(), requestText('POST /', ['Content-Length: 2'], 'a')],
  ['read its answer', (_req, res) => void res.end('x'.repeat(64 * 1024 * 1024)), GET],
])('a client that does not %s is disconnected', async (_what, app, request) => {
  await start(app, { headersTimeoutMs: 600_000, requestTimeoutMs: 600_000, stillTimeoutMs: TIMEOUT_MS });
  const { socket, text, closed } = await client();
  socket.pause();
  socket.write(request);
  const gone = Promise.withResolvers<void>();
  socket.once('error', () => gone.resolve());
  await runTimers();
  socket.resume();
  await Promise.race([closed, gone.promise]);
  expect(text().length).toBeLessThan(64 * 1024 * 1024);
});
