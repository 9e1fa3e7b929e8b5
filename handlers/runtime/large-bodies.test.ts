import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { ApiError } from './errors.ts';
import { admitBody, ByteBudget } from './large-bodies.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('ByteBudget', () => {
  test('gives bytes in the order of asking, also where a later, smaller wish could be met', async () => {
    const budget = new ByteBudget(10, 60_000);
    const order: string[] = [];
    const ask = async (name: string, bytes: number) => {
      const release = await budget.take(bytes);
      order.push(name);
      return release;
    };
    const first = await ask('first', 8);
    const second = ask('second', 10);
    const third = ask('third', 1);
    await settled();
    expect(order).toEqual(['first']);
    first();
    // A second call gives nothing back.
    first();
    (await second)();
    (await third)();
    expect(order).toEqual(['first', 'second', 'third']);
    (await ask('all of it', 10))();
  });

  test('refuses with UNAVAILABLE who waits too long, and serves those behind', async () => {
    const budget = new ByteBudget(10, 50);
    const release = await budget.take(5);
    const refused = budget.take(10);
    const behind = budget.take(5);
    const error = await refused.catch((reason) => reason);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ errorName: 'UNAVAILABLE', extras: { retryAfterMs: 5_000 } });
    (await behind)();
    release();
    (await budget.take(10))();
  });
});

describe('admitBody', () => {
  const LIMIT = 32 * 1024 * 1024;
  const admit = (headers: IncomingHttpHeaders) => admitBody({ headers } as IncomingMessage, LIMIT);

  test('counts what a body announces, and twice the limit where that says nothing', async () => {
    const releases = [
      await admit({ 'transfer-encoding': 'chunked' }),
      await admit({ 'content-length': String(LIMIT) }),
      await admit({ 'content-length': String(LIMIT) }),
    ];
    // All is given out: ordinary bodies pass all the same, and another large one waits.
    (await admit({ 'content-length': '1048576' }))();
    let isAdmitted = false;
    const waiting = admit({ 'content-length': '1048576', 'content-encoding': 'gzip' }).then((release) => {
      isAdmitted = true;
      return release;
    });
    releases.pop()?.();
    await settled();
    expect(isAdmitted).toBe(false);
    releases.pop()?.();
    releases.push(await waiting);
    for (const release of releases) release();
  });
});
