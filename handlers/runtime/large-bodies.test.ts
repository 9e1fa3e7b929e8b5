/** The memory of large bodies: counted as it comes, shared by tenants, waited for in turns (D-33). */
import { describe, expect, test } from '@jest/globals';
import { ApiError } from './errors.ts';
import { type Budgets, ByteBudget, roomFor } from './large-bodies.ts';

const MIB = 1024 * 1024;
const LONG_MS = 60_000;
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('bytes that are short', () => {
  test('go to tenants in turns, and within a tenant to whoever came first', async () => {
    const budget = new ByteBudget(10, 10, LONG_MS);
    await budget.take('first', 10);
    const order: string[] = [];
    const ask = (tenantId: string, name: string) =>
      budget.take(tenantId, 5).then(() => {
        order.push(name);
      });
    const asked = [ask('a', 'a1'), ask('a', 'a2'), ask('a', 'a3'), ask('b', 'b1')];
    budget.release('first', 10);
    await settled();
    expect(order).toEqual(['a1', 'b1']);
    budget.release('b', 5);
    await settled();
    expect(order).toEqual(['a1', 'b1', 'a2']);
    budget.release('a', 5);
    await Promise.all(asked);
    expect(order).toEqual(['a1', 'b1', 'a2', 'a3']);
  });

  test('are not waited for behind a tenant that has had its share', async () => {
    const budget = new ByteBudget(10, 6, LONG_MS);
    await budget.take('greedy', 6);
    let isServed = false;
    const more = budget.take('greedy', 1).then(() => {
      isServed = true;
    });
    await budget.take('modest', 4);
    expect(isServed).toBe(false);
    budget.release('greedy', 1);
    await more;
  });

  test('are refused with UNAVAILABLE to who waits too long, and others go on', async () => {
    const budget = new ByteBudget(10, 10, 50);
    await budget.take('a', 5);
    const refused = budget.take('b', 10);
    const behind = budget.take('c', 5);
    const error = await refused.catch((reason) => reason);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ errorName: 'UNAVAILABLE', extras: { retryAfterMs: 5_000 } });
    await behind;
    budget.release('a', 5);
    await budget.take('b', 5);
  });
});

describe('the room of a body', () => {
  const budgets = (bytes: number, share: number, patienceMs = LONG_MS): Budgets => ({
    shares: new ByteBudget(Number.POSITIVE_INFINITY, share, patienceMs),
    bytes: new ByteBudget(bytes, Number.POSITIVE_INFINITY, patienceMs),
  });

  test('takes only what has come, after a first step that is free, and gives all of it back once', async () => {
    const of = budgets(4 * MIB, 32 * MIB, 50);
    const room = roomFor('a', 32 * MIB, of);
    await room.grow(MIB);
    expect(room.bytes).toBe(MIB);
    await of.bytes.take('b', 4 * MIB);
    await expect(room.grow(MIB + 1)).rejects.toMatchObject({ errorName: 'UNAVAILABLE' });
    of.bytes.release('b', 4 * MIB);
    await room.grow(2 * MIB + 1);
    expect(room.bytes).toBe(3 * MIB);
    room.release();
    room.release();
    await of.bytes.take('b', 4 * MIB);
  });

  test('is for as many bodies of a tenant as may become its share; others wait, and hold nothing', async () => {
    const of = budgets(100 * MIB, 8 * MIB);
    const rooms = Array.from({ length: 3 }, () => roomFor('a', 4 * MIB, of));
    const grown = rooms.map((room) => room.grow(4 * MIB));
    await Promise.all(grown.slice(0, 2));
    await roomFor('b', 8 * MIB, of).grow(8 * MIB);
    await settled();
    expect(rooms.map(({ bytes }) => bytes / MIB)).toEqual([4, 4, 1]);
    rooms[0]?.release();
    await grown[2];
    expect(rooms[2]?.bytes).toBe(4 * MIB);
  });

  test('gives back at once what it gets after its request has ended', async () => {
    const of = budgets(MIB, 4 * MIB);
    await of.bytes.take('b', MIB);
    const room = roomFor('a', 2 * MIB, of);
    const growing = room.grow(2 * MIB);
    await settled();
    room.release();
    of.bytes.release('b', MIB);
    await growing;
    await of.bytes.take('b', MIB);
    await of.shares.take('a', 4 * MIB);
  });
});
