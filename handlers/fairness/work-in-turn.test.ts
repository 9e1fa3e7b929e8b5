/** How what takes long is handed out to tenants that ask for much (D-33). */
import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { unhurried } from '../data/write-time.ts';
import { bulkInTurn, listInTurn, readInTurn, writingInTurn } from './work-in-turn.ts';

/** What can begin begins within a few turns of the event loop. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
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
