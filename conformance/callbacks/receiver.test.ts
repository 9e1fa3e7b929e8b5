import { connect } from 'node:net';
import { connect as tlsConnect } from 'node:tls';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { exchangeOverHttp } from '../http/client.ts';
import { headerOf } from '../http/exchange.ts';
import { bytesOf } from './delivery.ts';
import { leftLate } from './hooks.ts';
import { Receiver } from './receiver.ts';
import { strangeCertificate } from './strange-certificate.ts';

let receiver: Receiver;
let port: number;

beforeEach(async () => {
  receiver = new Receiver();
  port = await receiver.listen('127.0.0.1', 0);
});

afterEach(() => receiver.close());

const post = (target: string, body = '{}') =>
  exchangeOverHttp({
    baseUrl: `http://127.0.0.1:${port}`,
    method: 'POST',
    target,
    headers: [['X-Mixed', 'Case']],
    body: Buffer.from(body),
    freshConnection: true,
  });

describe('the receiver', () => {
  test('keeps what it receives byte for byte, by route', async () => {
    const body = '{"id":"1", "text":"ә\\u0000"}\n';
    expect(await post('/some/where/route-1?x=1', body)).toMatchObject({ status: 200 });
    expect(receiver.deliveries).toMatchObject([{ n: 1, route: 'route-1', method: 'POST' }]);
    const [delivery] = receiver.deliveries;
    if (delivery === undefined) throw new Error('nothing was kept');
    expect(bytesOf(delivery).toString()).toBe(body);
    expect(headerOf(delivery, 'x-mixed')).toBe('Case');
    expect(delivery.headers.map(([name]) => name)).toContain('X-Mixed');
  });

  test('notes when an answer has left, so that one that left late is told from one that was not taken', async () => {
    const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
    receiver.react('r', [{ answer: 200, delayMs: 1 }, { answer: 'reset' }]);
    const posted = post('/r');
    while (receiver.deliveries.length < 1) await new Promise(setImmediate);
    clock.mockReturnValue(9_600);
    await posted;
    await expect(post('/r')).rejects.toThrow();
    jest.restoreAllMocks();
    expect(receiver.deliveries.map(leftLate)).toEqual([true, false]);
  });

  test.each([
    ['counts from the connection', 400, 8_600],
    ['makes nothing early that is late on purpose', 5_000, 8_100],
  ])('a delay %s', async (_, handshakeMs, waitMs) => {
    receiver.react('r', [{ answer: 200, delayMs: 9_000 }]);
    const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
    const timers = jest.spyOn(globalThis, 'setTimeout');
    const waits = () => timers.mock.calls.map(([, ms]) => ms).filter((ms = 0) => ms > 5_000 && ms <= 9_000);
    const socket = connect(port, '127.0.0.1');
    try {
      // When this request is answered, the connection made before it has been accepted too.
      await new Promise((met) => socket.once('connect', met));
      await post('/other');
      clock.mockReturnValue(handshakeMs);
      const request = 'POST /r HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}';
      socket.write(request);
      while (waits().length < 1) await new Promise(setImmediate);
      expect(waits()).toEqual([waitMs]);
    } finally {
      jest.restoreAllMocks();
      socket.destroy();
    }
  });

  test('marks what arrives while the clock is moved, and afterwards, since an event of that time may be late', async () => {
    await post('/r');
    receiver.clockMoved(true);
    await post('/r');
    expect(receiver.deliveries.map(({ clock_moved }) => clock_moved)).toEqual([false, true]);
    receiver.clockMoved(false);
    await post('/r');
    expect(receiver.deliveries.map(({ clock_was_moved }) => clock_was_moved)).toEqual([false, true, true]);
  });
});

test('a receiver can speak one version of TLS alone', async () => {
  const identity = await strangeCertificate();
  const secure = new Receiver(identity);
  const port = await secure.listen('127.0.0.1', 0);
  const oldest = { minVersion: 'TLSv1.1', ciphers: 'DEFAULT:@SECLEVEL=0' } as const;
  const spoken = (more: object) =>
    new Promise<string>((resolve) => {
      const socket = tlsConnect({ port, host: '127.0.0.1', rejectUnauthorized: false, ...more }, () => {
        resolve(socket.getProtocol() ?? '');
        socket.destroy();
      });
      socket.on('error', ({ message }) => resolve(message));
    });
  await secure.setMode('tls_1_2');
  expect(await spoken(oldest)).toBe('TLSv1.2');
  await secure.setMode('tls_1_1');
  expect(await spoken(oldest)).toBe('TLSv1.1');
  expect(await spoken({ minVersion: 'TLSv1.2' })).toMatch(/alert protocol version|unsupported protocol/);
  await secure.setMode('open');
  expect(await spoken(oldest)).toBe('TLSv1.3');
  await secure.close();
});
