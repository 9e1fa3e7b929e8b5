/** Cases that a receiver on loopback cannot produce: a connection without an answer, and one that comes too late. */
import { Agent } from 'node:https';
import { Duplex } from 'node:stream';
import { expect, test } from '@jest/globals';
import type { ConnectionLease } from './connections.ts';
import { exchange } from './exchange.ts';

const post = { host: 'receiver.test', port: 443, path: '/', body: '{}', headers: {} };

type OnConnect = (error: Error | null, socket: Duplex) => void;

/** Connections that are made when the test says so. */
function leaseOf({ isGreeting = false, connect = (_connected: OnConnect) => {} } = {}): ConnectionLease {
  const agent = new (class extends Agent {
    override createConnection(_options: unknown, connected?: OnConnect): undefined {
      if (connected !== undefined) connect(connected);
    }
  })({ keepAlive: true });
  return { agent, isGreeting: () => isGreeting, dropKept: () => {}, release: () => {} };
}

test.each([
  ['that nobody answers is a connect_error, like one that is refused', false, 'connect_error'],
  ['without a TLS session is a timeout', true, 'timeout'],
])('a connection %s', async (_what, isGreeting, error) => {
  expect(await exchange(leaseOf({ isGreeting }), post, 20)).toEqual({ error });
});

test('a connection that is ready after the deadline gets no request, and is kept for the next one', async () => {
  const written: string[] = [];
  const socket = new Duplex({
    read: () => {},
    write: (chunk, _encoding, done) => {
      written.push(String(chunk));
      done();
    },
  });
  Object.assign(socket, { setKeepAlive: () => {}, setTimeout: () => {}, unref: () => {} });
  let connected: OnConnect | undefined;
  const lease = leaseOf({
    connect: (callback) => {
      connected = callback;
    },
  });
  expect(await exchange(lease, post, 20)).toEqual({ error: 'connect_error' });
  const freed = new Promise((resolve) => lease.agent.once('free', resolve));
  connected?.(null, socket);
  await freed;
  expect(Object.values(lease.agent.freeSockets).flat()).toEqual([socket]);
  expect(written).toEqual([]);
});

test('a request that is given up while nobody answers ends at once', async () => {
  const given = new AbortController();
  const reason = new Error('stopping');
  const sent = exchange(leaseOf(), post, 20_000, given.signal);
  given.abort(reason);
  await expect(sent).rejects.toBe(reason);
});
