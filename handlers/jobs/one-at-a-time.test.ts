import { beforeEach, expect, test } from '@jest/globals';
import { eventually } from '../../scripts/testbed/eventually.ts';
import { Shares } from '../fairness/shares.ts';
import { createLogger } from '../runtime/log.ts';
import { type OneAtATime, oneAtATime, type WorkById } from './one-at-a-time.ts';

const log = createLogger('silent');
let begun: string[];
let open: Map<string, PromiseWithResolvers<void>>;

beforeEach(() => {
  begun = [];
  open = new Map();
});

/** Lets so many ids work at a time. */
function inTurns(atOnce: number): WorkById['inTurn'] {
  const places = new Shares({ inAll: atOnce, ofTenant: 1, patienceMs: Number.POSITIVE_INFINITY });
  return (id, work) => places.during(id, 1, work);
}

function work(atOnce: number): OneAtATime {
  const run = (id: string, stopping: AbortSignal): Promise<void> => {
    begun.push(id);
    const ends = Promise.withResolvers<void>();
    open.set(id, ends);
    stopping.addEventListener('abort', () => ends.resolve());
    return ends.promise;
  };
  return oneAtATime({ name: 'test', inTurn: inTurns(atOnce), run }, log);
}

const hasBegun = (count: number) => eventually(`${count} runs`, () => (begun.length === count ? true : undefined));

test('an id has one run at a time, and requests during it make one more run', async () => {
  const work1 = work(5);
  for (let times = 0; times < 3; times++) work1.begin('a');
  work1.begin('b');
  await hasBegun(2);
  for (let times = 0; times < 3; times++) work1.begin('a');
  open.get('a')?.resolve();
  await hasBegun(3);
  open.get('a')?.resolve();
  work1.begin('c');
  await hasBegun(4);
  expect(begun).toEqual(['a', 'b', 'a', 'c']);
});

test('a run that rests lets waiting ids run, then continues in its turn', async () => {
  const parts: string[] = [];
  const steps = 3;
  const run = async (id: string, _: AbortSignal, rest: () => Promise<void>): Promise<void> => {
    for (let step = 0; step < steps; step++) {
      parts.push(id);
      await rest();
    }
  };
  const work1 = oneAtATime({ name: 'test', inTurn: inTurns(1), run }, log);
  for (const id of ['a', 'b']) work1.begin(id);
  await eventually('all parts', () => (parts.length === 2 * steps ? true : undefined));
  expect(parts.join('')).toBe('ababab');
});

test('a stop wakes runs that rest', async () => {
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
  const work1 = oneAtATime({ name: 'test', inTurn: inTurns(1), run }, log);
  for (const id of ['a', 'b']) work1.begin(id);
  await reached.promise;
  await work1.stop();
  expect(hasEnded).toBe(true);
});

test('a failed run does not block others', async () => {
  const work1 = work(1);
  // Requests before a run begins are all met by it.
  for (const id of ['a', 'b', 'b', 'c']) work1.begin(id);
  await hasBegun(1);
  open.get('a')?.reject(new Error('the store is away'));
  await hasBegun(2);
  open.get('b')?.resolve();
  await hasBegun(3);
  expect(begun).toEqual(['a', 'b', 'c']);
});

test('a stop aborts the runs under way, waits for them, and begins no other', async () => {
  const work1 = work(1);
  work1.begin('a');
  work1.begin('b');
  await hasBegun(1);
  await work1.stop();
  work1.begin('c');
  expect(begun).toEqual(['a']);
});
