import { getHeapStatistics } from 'node:v8';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { eventually } from '../../scripts/testbed/eventually.ts';
import { collectGarbage, collectWhenIdle } from './garbage.ts';

const MB = 1024 * 1024;
let stop = () => {};

afterEach(() => {
  stop();
  letGo();
});

const totalMb = () => getHeapStatistics().total_heap_size / MB;

const held: number[][] = [];

/** Makes the heap grow by about 100 MB, which is garbage once nothing is held. @returns how large it is then, in MB */
function growHeap(): number {
  held.push(Array.from({ length: 13 * MB }, (_, nth) => nth + 0.5));
  return totalMb();
}

function letGo(): void {
  held.length = 0;
}

// What earlier test files left would be collected while the heap grows, so that it would grow by less.
beforeEach(collectGarbage);

test('memory of garbage goes back to the system', () => {
  const before = totalMb();
  const grown = growHeap();
  expect(grown).toBeGreaterThan(before + 80);
  letGo();
  collectGarbage();
  expect(totalMb()).toBeLessThan(grown - 80);
});

test('a thread that becomes idle collects its garbage once its heap has grown, and once only', async () => {
  const collect = jest.fn(() => {
    letGo();
    collectGarbage();
  });
  stop = collectWhenIdle({ everyMs: 5, idleBelow: 1.1, worthBytes: 40 * MB, collect });
  const grown = growHeap();
  await eventually('less memory', () => (totalMb() < grown - 80 ? true : undefined));
  await looks(3);
  expect(collect).toHaveBeenCalledTimes(1);
});

test('it does not while it has work, has been idle only for a short time, or has little to gain', async () => {
  const collect = jest.fn();
  stop = collectWhenIdle({ everyMs: 5, idleBelow: 0, worthBytes: 0, collect });
  growHeap();
  await looks(5);
  stop();
  stop = collectWhenIdle({ everyMs: 5, idleBelow: 1.1, idleLooks: 1_000_000, worthBytes: 0, collect });
  await looks(5);
  stop();
  stop = collectWhenIdle({ everyMs: 5, idleBelow: 1.1, worthBytes: 1_000 * MB, collect });
  await looks(5);
  expect(collect).not.toHaveBeenCalled();
});

/** Waits for so many looks of whoever looks every 5 ms. */
async function looks(count: number): Promise<void> {
  let seen = 0;
  const timer = setInterval(() => seen++, 5);
  await eventually('some looks', () => (seen > count ? true : undefined));
  clearInterval(timer);
}
