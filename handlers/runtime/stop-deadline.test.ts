/** When a stop is given up. */
import { expect, jest, test } from '@jest/globals';
import { afterLongestStop, LONGEST_STOP_MS } from './stop-deadline.ts';

test('a stop is given up after its time, and what is read after the process stood still comes before that', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'performance'] });
  const giveUp = jest.fn();
  afterLongestStop(giveUp);
  jest.advanceTimersByTime(LONGEST_STOP_MS - 1);
  expect(giveUp).not.toHaveBeenCalled();
  jest.advanceTimersByTime(1);
  expect(giveUp).toHaveBeenCalledTimes(1);
  jest.useRealTimers();

  const order: string[] = [];
  const { promise: end, resolve: atEnd } = Promise.withResolvers<void>();
  afterLongestStop(() => atEnd(void order.push('given up')), 120);
  // After an immediate, timers come before the next one.
  await new Promise(setImmediate);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 360);
  setImmediate(() => order.push('read'));
  // The beats alone keep no process alive.
  const alive = setInterval(() => {}, 1_000);
  await end.finally(() => clearInterval(alive));
  expect(order).toEqual(['read', 'given up']);
});
