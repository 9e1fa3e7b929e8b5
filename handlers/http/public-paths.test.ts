import { afterEach, expect, jest, test } from '@jest/globals';
import { MongoServerError } from 'mongodb';
import type { Store } from '../data/store.ts';
import { storeReadiness } from './public-paths.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

test('a store is ready while it takes writes; many questions cause one write a second', async () => {
  const clock = jest.spyOn(performance, 'now');
  let writes = 0;
  let isFull = false;
  const findOneAndUpdate = async () => {
    writes++;
    // What MongoDB answers on a full disk.
    if (isFull) throw new MongoServerError({ code: 14031, message: 'no space' });
    return {};
  };
  const isReady = storeReadiness({ rate_limits: { findOneAndUpdate } } as unknown as Pick<Store, 'rate_limits'>);
  for (const [atMs, full] of [
    [0, false],
    [1_000, true],
    [2_000, true],
    [3_000, false],
  ] as const) {
    clock.mockReturnValue(atMs);
    isFull = full;
    expect(await Promise.all(Array.from({ length: 50 }, isReady))).toEqual(Array(50).fill(!full));
    clock.mockReturnValue(atMs + 999);
    isFull = !full;
    expect(await isReady()).toBe(!full);
  }
  expect(writes).toBe(4);
});
