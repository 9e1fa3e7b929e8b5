import { beforeEach, expect, test } from '@jest/globals';
import { eventually } from '../testing/processes.ts';
import { createLogger } from './log.ts';
import { type OneAtATime, oneAtATime } from './one-at-a-time.ts';

const log = createLogger('silent');
let begun: string[];
let open: Map<string, PromiseWithResolvers<void>>;

beforeEach(() => {
  begun = [];
  open = new Map();
});

function work(atOnce: number): OneAtATime {
  const run = (id: string, stopping: AbortSignal): Promise<void> => {
    begun.push(id);
    const ends = Promise.withResolvers<void>();
    open.set(id, ends);
    stopping.addEventListener('abort', () => ends.resolve());
    return ends.promise;
  };
  return oneAtATime({ name: 'test', atOnce, run }, log);
}

const hasBegun = (count: number) => eventually(`${count} runs`, () => (begun.length === count ? true : undefined));

test('for an id one run at a time; what is asked for meanwhile is one more', async () => {
  const work1 = work(5);
  for (let times = 0; times < 3; times++) work1.begin('a');
  work1.begin('b');
  expect(begun).toEqual(['a', 'b']);
  open.get('a')?.resolve();
  await hasBegun(3);
  open.get('a')?.resolve();
  work1.begin('c');
  await hasBegun(4);
  expect(begun).toEqual(['a', 'b', 'a', 'c']);
});

test('only so many ids at a time, each in its turn', async () => {
  const work1 = work(2);
  for (const id of ['a', 'b', 'c', 'd']) work1.begin(id);
  expect(begun).toEqual(['a', 'b']);
  open.get('b')?.resolve();
  await hasBegun(3);
  expect(begun.at(-1)).toBe('c');
});

test('a run that rests lets those that wait have their turn, and goes on in its own', async () => {
  const told: string[] = [];
  const steps = 3;
  const run = async (id: string, _: AbortSignal, rest: () => Promise<void>): Promise<void> => {
    for (let step = 0; step < steps; step++) {
      told.push(id);
      await rest();
    }
  };
  const work1 = oneAtATime({ name: 'test', atOnce: 1, run }, log);
  for (const id of ['a', 'b']) work1.begin(id);
  await eventually('both', () => (told.length === 2 * steps ? true : undefined));
  expect(told.join('')).toBe('ababab');
});

test('an end wakes what rests', async () => {
  const reached = Promise.withResolvers<void>();
  let hasEnded = false;
  const run = async (id: string, stopping: AbortSignal, rest: () => Promise<void>): Promise<void> => {
    if (id === 'b') {
      reached.resolve();
      return new Promise((resolve) => stopping.addEventListener('abort', () => resolve()));
    }
    await rest();
    hasEnded = stopping.aborted;
  };
  const work1 = oneAtATime({ name: 'test', atOnce: 1, run }, log);
  for (const id of ['a', 'b']) work1.begin(id);
  await reached.promise;
  await work1.stop();
  expect(hasEnded).toBe(true);
});

test('a run that fails holds nothing up', async () => {
  const work1 = work(1);
  work1.begin('a');
  work1.begin('b');
  open.get('a')?.reject(new Error('the store is away'));
  await hasBegun(2);
  expect(begun).toEqual(['a', 'b']);
});

test('an end tells what is under way, waits for it, and begins nothing', async () => {
  const work1 = work(1);
  work1.begin('a');
  work1.begin('b');
  await work1.stop();
  work1.begin('c');
  expect(begun).toEqual(['a']);
});
