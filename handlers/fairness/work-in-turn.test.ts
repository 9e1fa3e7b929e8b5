/** How what takes long is handed out to tenants that ask for much (D-33). */

import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { unhurried } from '../data/write-timeout.ts';
import { bulkInTurn, listInTurn, type Rest, readInTurn, ThreadTime, writingInTurn } from './work-in-turn.ts';

/** What can begin begins within a few turns of the event loop. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await setImmediate();
}

/** Asks for work that ends when the test ends it. */
function asking(ask: (work: () => Promise<void>) => Promise<void>) {
  const begun: PromiseWithResolvers<void>[] = [];
  const all: Promise<void>[] = [];
  return {
    begun,
    ask(): void {
      const work = () => {
        const ends = Promise.withResolvers<void>();
        begun.push(ends);
        return ends.promise;
      };
      all.push(ask(work));
    },
    async end(): Promise<void> {
      for (let ended = 0; ended < all.length; ) {
        for (; ended < begun.length; ended++) begun[ended]?.resolve();
        await settled();
      }
      await Promise.all(all);
    },
  };
}

const listsOf = (tenantId: string, query: object) => asking((work) => listInTurn(tenantId, query, work));

test.each([
  ['one of the largest pages', { limit: 1_000 }, 1],
  ['one page with a limit beyond the largest', { limit: 5_000_000 }, 1],
  ['one search', { limit: 1, search: 'abc' }, 1],
  ['three pages of 400', { limit: 400 }, 3],
  ['six usual pages', { limit: 100 }, 6],
])('while other tenants ask, a tenant runs %s at a time', async (_, query, most) => {
  const other = listsOf(randomUUID(), { limit: 1 });
  other.ask();
  const greedy = listsOf(randomUUID(), query);
  for (let nth = 0; nth < 10; nth++) greedy.ask();
  await settled();
  expect(greedy.begun).toHaveLength(most);
  const modest = listsOf(randomUUID(), { limit: 1_000 });
  modest.ask();
  await settled();
  expect(modest.begun).toHaveLength(1);
  await Promise.all([greedy.end(), modest.end(), other.end()]);
});

const kinds: [string, number, (tenantId: string) => (work: () => Promise<void>) => Promise<void>][] = [
  ['twelve writes', 12, (tenantId) => writingInTurn(tenantId, unhurried)],
  ['one large body', 1, (tenantId) => (work) => bulkInTurn(tenantId, work)],
  ['three uploads', 3, (tenantId) => (work) => readInTurn(tenantId, work)],
];

test.each(kinds)('while other tenants ask, a tenant runs %s at a time', async (_, most, inTurn) => {
  const [first, greedy, modest] = [1, 2, 3].map(() => asking(inTurn(randomUUID())));
  first?.ask();
  for (let nth = 0; nth < 20; nth++) greedy?.ask();
  modest?.ask();
  await settled();
  expect([greedy?.begun.length, modest?.begun.length]).toEqual([most, 1]);
  await Promise.all([first?.end(), greedy?.end(), modest?.end()]);
});

/** Whose part of long work comes next, by a clock that moves only when a test moves it. */
describe('the time of the thread', () => {
  let nowMs: number;
  let thread: ThreadTime;

  beforeEach(() => {
    nowMs = 0;
    thread = new ThreadTime(() => nowMs);
  });

  /** Work of some parts, each of which takes the given time; it notes the tenant at the start of each. */
  function parts(tenantId: string, count: number, partMs: number, noted: string[]): Promise<void> {
    return thread.during(tenantId, async (rest) => {
      for (let part = 0; part < count; part++) {
        noted.push(tenantId);
        nowMs += partMs;
        await rest();
      }
    });
  }

  test('a tenant that has used much lets a new one run all its parts first', async () => {
    const noted: string[] = [];
    const greedy = parts('greedy', 20, 50, noted);
    while (noted.length < 10) await setImmediate();
    await Promise.all([greedy, parts('patient', 5, 10, noted)]);
    expect(noted.join(' ').match(/patient( patient){4}/)).not.toBeNull();
    expect(noted.filter((tenantId) => tenantId === 'greedy')).toHaveLength(20);
    expect(noted.at(-1)).toBe('greedy');
  });

  test('tenants that have used the same take turns', async () => {
    const noted: string[] = [];
    await Promise.all([parts('one', 4, 10, noted), parts('other', 4, 10, noted)]);
    expect(noted).toEqual(['one', 'other', 'one', 'other', 'one', 'other', 'one', 'other']);
  });

  test('what a tenant has used is forgotten after some seconds', async () => {
    await parts('greedy', 20, 50, []);
    nowMs += 10_000;
    const noted: string[] = [];
    await Promise.all([parts('greedy', 2, 10, noted), parts('patient', 2, 10, noted)]);
    expect(noted).toEqual(['greedy', 'patient', 'greedy', 'patient']);
  });

  test('a tenant waits only a limited time for one that has used less and continues', async () => {
    const ends = Promise.withResolvers<void>();
    const patient = thread.during('patient', () => ends.promise);
    const noted: string[] = [];
    await parts('greedy', 3, 200, noted);
    expect(noted).toHaveLength(3);
    ends.resolve();
    await patient;
  });

  test('work that fails blocks nobody', async () => {
    const failing = thread.during('patient', async (rest: Rest) => {
      await rest();
      throw new Error('the store is away');
    });
    const noted: string[] = [];
    const timers = jest.spyOn(globalThis, 'setTimeout');
    const greedy = parts('greedy', 5, 200, noted);
    await expect(failing).rejects.toThrow('the store is away');
    await greedy;
    expect(noted).toHaveLength(5);
    // Each of five rests that lets others go first sets one.
    expect(timers.mock.calls.filter(([, ms]) => ms === 500).length).toBeLessThan(5);
    timers.mockRestore();
  });
});
