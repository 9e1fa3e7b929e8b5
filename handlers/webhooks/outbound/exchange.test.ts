/** Cases that a receiver on loopback cannot produce: a connection without an answer, a pool that sends twice. */
import { expect, test } from '@jest/globals';
import type { Dispatcher } from 'undici';
import type { Lease } from './connections.ts';
import { exchange } from './exchange.ts';

const post = { path: '/', body: '{}', headers: {} };

/** A pool that handles a request as the test says. */
function leaseOf(dispatch: (handler: Dispatcher.DispatchHandler) => void, isGreeting = false): Lease {
  const pool = { dispatch: (_options: object, handler: Dispatcher.DispatchHandler) => dispatch(handler) };
  return { pool: pool as unknown as Lease['pool'], isGreeting: () => isGreeting, release: () => {} };
}

const controllerOf = (aborted: unknown[]) =>
  ({ abort: (reason: unknown) => void aborted.push(reason) }) as unknown as Dispatcher.DispatchController;

test('a connection that nobody answers is a connect_error, like one that is refused', async () => {
  expect(
    await exchange(
      leaseOf(() => {}),
      post,
      20,
    ),
  ).toEqual({ error: 'connect_error' });
});

test('a connection without a TLS session is a timeout', async () => {
  expect(
    await exchange(
      leaseOf(() => {}, true),
      post,
      20,
    ),
  ).toEqual({ error: 'timeout' });
});

test('a connection that is ready after the deadline gets no request', async () => {
  let late: Dispatcher.DispatchHandler | undefined;
  const aborted: unknown[] = [];
  const given = leaseOf((handler) => {
    late = handler;
  });
  expect(await exchange(given, post, 20)).toEqual({ error: 'connect_error' });
  late?.onRequestStart?.(controllerOf(aborted), {});
  expect(aborted).toHaveLength(1);
});

test('a request is sent once, even if the pool would repeat it', async () => {
  const aborted: unknown[] = [];
  const given = leaseOf((handler) => {
    handler.onRequestStart?.(controllerOf([]), {});
    handler.onRequestStart?.(controllerOf(aborted), {});
    handler.onResponseError?.(controllerOf([]), new Error('over'));
  });
  expect(await exchange(given, post, 20_000)).toEqual({ error: 'connect_error' });
  expect(aborted).toHaveLength(1);
});

test('a request that is given up while nobody answers ends at once', async () => {
  const given = new AbortController();
  const reason = new Error('stopping');
  const sent = exchange(
    leaseOf(() => {}),
    post,
    20_000,
    given.signal,
  );
  given.abort(reason);
  await expect(sent).rejects.toBe(reason);
});
