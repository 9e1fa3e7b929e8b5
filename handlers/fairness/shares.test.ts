/** What tenants share: waited for in turns, refused after a while, and never taken by one alone (D-33). */
import { setImmediate } from 'node:timers/promises';
import { describe, expect, jest, test } from '@jest/globals';
import { ApiError } from '../answers/errors.ts';
import { Shares } from './shares.ts';

const LONG_MS = 60_000;

describe('shares of a scarce resource', () => {
  test('go to tenants in turns, and within a tenant in the order of requests', async () => {
    const shares = new Shares({ inAll: 10, ofTenant: 10, patienceMs: LONG_MS });
    await shares.take('first', 10);
    const order: string[] = [];
    const ask = (tenantId: string, name: string) =>
      shares.take(tenantId, 5).then(() => {
        order.push(name);
      });
    const asked = [ask('a', 'a1'), ask('a', 'a2'), ask('a', 'a3'), ask('b', 'b1')];
    shares.release('first', 10);
    await setImmediate();
    expect(order).toEqual(['a1', 'b1']);
    shares.release('b', 5);
    await setImmediate();
    expect(order).toEqual(['a1', 'b1', 'a2']);
    shares.release('a', 5);
    await Promise.all(asked);
    expect(order).toEqual(['a1', 'b1', 'a2', 'a3']);
  });

  test('are given to a tenant at once, and in its turn, although another tenant that has its share is waiting', async () => {
    const shares = new Shares({ inAll: 10, ofTenant: 6, patienceMs: LONG_MS });
    await shares.take('greedy', 6);
    let isServed = false;
    const more = shares.take('greedy', 1).then(() => {
      isServed = true;
    });
    await shares.take('modest', 4);
    const third = shares.take('third', 1);
    shares.release('modest', 1);
    await third;
    expect(isServed).toBe(false);
    shares.release('greedy', 1);
    await more;
  });

  test('are refused with UNAVAILABLE to a request that waits too long, and those behind it continue', async () => {
    const shares = new Shares({ inAll: 10, ofTenant: 10, patienceMs: 50 });
    await shares.take('a', 5);
    const refused = shares.take('b', 10);
    const behind = shares.take('b', 5);
    const error = await refused.catch((reason) => reason);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ errorName: 'UNAVAILABLE', extras: { retryAfterMs: 5_000 } });
    await behind;
  });

  test('are waited for by so many requests, of which each waiting tenant may have its part', async () => {
    const shares = new Shares({ inAll: 1, ofTenant: 1, patienceMs: LONG_MS, mostWaiting: 4 });
    await shares.take('first', 1);
    const refused: string[] = [];
    const ask = (tenantId: string) => shares.take(tenantId, 1).catch(() => void refused.push(tenantId));
    const asked = [...'aaaaabbb'].map(ask);
    await setImmediate();
    expect(refused).toEqual(['a', 'b']);
    for (const holder of ['first', ...'ababa']) {
      shares.release(holder, 1);
      await setImmediate();
    }
    await Promise.all(asked);
  });

  test('are left for a new tenant when others would take everything', async () => {
    const shares = new Shares({ inAll: 12, ofTenant: 100, keepsSomeFree: true, patienceMs: LONG_MS });
    const held = new Map<string, number>();
    const wantAll = (tenantId: string) =>
      Array.from({ length: 12 }, () =>
        shares.take(tenantId, 1).then(() => held.set(tenantId, (held.get(tenantId) ?? 0) + 1)),
      );
    const wanted = [...wantAll('a'), ...wantAll('b'), ...wantAll('c')];
    await setImmediate();
    await shares.take('modest', 1);
    const taken = [...held.values()].reduce((sum, each) => sum + each, 0);
    expect([held.get('a'), taken < 12]).toEqual([6, true]);
    for (let given = 0; given < 36; given++) {
      const [tenantId] = [...held].find(([, units]) => units > 0) ?? ['', 0];
      held.set(tenantId, (held.get(tenantId) ?? 0) - 1);
      shares.release(tenantId, 1);
      await setImmediate();
    }
    await Promise.all(wanted);
  });

  test('are given back when the work fails', async () => {
    const shares = new Shares({ inAll: 1, ofTenant: 1, patienceMs: LONG_MS });
    await expect(shares.during('a', 1, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await shares.during('b', 1, async () => 7)).toBe(7);
  });

  test('grow for a tenant that alone has asked for ten seconds', async () => {
    const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
    const shares = new Shares({ inAll: 10, ofTenant: 2, alone: 6, patienceMs: LONG_MS });
    let held = 0;
    const take = (tenantId: string) => void shares.take(tenantId, 1).then(() => (held += tenantId === 'a' ? 1 : 0));
    for (let nth = 0; nth < 7; nth++) take('a');
    await setImmediate();
    expect(held).toBe(6);
    clock.mockReturnValue(60_000);
    take('b');
    await setImmediate();
    // What it has it keeps; it gets more only below its share.
    for (let nth = 0; nth < 5; nth++) shares.release('a', 1);
    await setImmediate();
    expect(held).toBe(7);
    clock.mockReturnValue(70_000);
    take('a');
    await setImmediate();
    expect(held).toBe(7);
    clock.mockReturnValue(70_001);
    take('a');
    await setImmediate();
    expect(held).toBe(7);
    shares.release('a', 1);
    await setImmediate();
    expect(held).toBe(9);
    clock.mockRestore();
  });
});
