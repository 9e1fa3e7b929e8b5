/** The memory of large bodies is counted as they arrive, shared among tenants, and waited for in turns (D-33). */
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { Shares } from '../fairness/shares.ts';
import { type Budgets, roomFor } from './body.ts';

const MIB = 1024 * 1024;
const LONG_MS = 60_000;

describe('the reservation of memory for a body', () => {
  const budgets = (bytes: number, share: number, patienceMs = LONG_MS): Budgets => ({
    shares: new Shares({ inAll: Number.POSITIVE_INFINITY, ofTenant: share, patienceMs }),
    bytes: new Shares({ inAll: bytes, ofTenant: Number.POSITIVE_INFINITY, patienceMs }),
  });

  test('takes only what has arrived, after a first step that is free, and returns all of it once', async () => {
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

  test('is granted to as many bodies of a tenant as its share holds; others wait without memory', async () => {
    const of = budgets(100 * MIB, 8 * MIB);
    const rooms = Array.from({ length: 3 }, () => roomFor('a', 4 * MIB, of));
    const grown = rooms.map((room) => room.grow(4 * MIB));
    await Promise.all(grown.slice(0, 2));
    await roomFor('b', 8 * MIB, of).grow(8 * MIB);
    await setImmediate();
    expect(rooms.map(({ bytes }) => bytes / MIB)).toEqual([4, 4, 1]);
    rooms[0]?.release();
    await grown[2];
    expect(rooms[2]?.bytes).toBe(4 * MIB);
  });

  test('returns at once what it gets after its request has ended', async () => {
    const of = budgets(MIB, 4 * MIB);
    await of.bytes.take('b', MIB);
    const room = roomFor('a', 2 * MIB, of);
    const growing = room.grow(2 * MIB);
    await setImmediate();
    room.release();
    of.bytes.release('b', MIB);
    await growing;
    await of.bytes.take('b', MIB);
    await of.shares.take('a', 4 * MIB);
  });
});
