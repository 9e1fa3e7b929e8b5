/** Searches on copies that fail: what then counts as a verdict. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { testFolder } from '../../testbed/test-surroundings.ts';
import type { OpenedCopy } from './bench.ts';
import type { Mutation } from './mutation.ts';
import { Control, searchAll, searchByOwnRule } from './search.ts';
import type { Side } from './verdict.ts';

const mutation: Mutation = { id: 'x', file: 'one.ts', find: 'a', replace: 'b', effect: 'It is wrong.', rule: 'A-1' };

const folder = testFolder();
let stop = new AbortController();

beforeEach(() => {
  writeFileSync(join(folder, 'one.ts'), 'a;');
  stop = new AbortController();
});

const breaks = (why: string) => async (): Promise<never> => {
  throw new Error(why);
};
const opens = (ask: OpenedCopy['ask']) => async (): Promise<OpenedCopy> => ({ ask, close: async () => {} });
const nothing = opens(async () => ({ failed: [], undecided: [] }));
const finding = opens(async () => ({ failed: [{ name: 'A-1', reason: 'said' }], undecided: [] }));

/** The verdicts of a search for one mutation. @param control how a copy without a mutation opens */
async function sidesOf(search: typeof searchAll, open: () => Promise<OpenedCopy>, control = nothing): Promise<Side[]> {
  const sides: Side[] = [];
  const plan = {
    judge: 'suite',
    control: new Control({ open: control }, 'suite'),
    benches: [{ folder, open }],
    size: 6,
    stop: stop.signal,
    note: (_: Mutation, side: Side) => void sides.push(side),
    say: () => {},
  } as const;
  await search(plan, [mutation]);
  return sides;
}

test('a service that does not start twice is a verdict', async () => {
  for (const search of [searchAll, searchByOwnRule]) {
    expect(await sidesOf(search, breaks('no port'))).toEqual([{ state: 'does_not_start', reason: 'no port' }]);
  }
});

test('whatever else fails leaves the result unclear', async () => {
  const unclear = (reason: string) => [{ state: 'unclear', reason }];
  expect(await sidesOf(searchByOwnRule, opens(breaks('no suite')))).toEqual(unclear('no suite'));
  expect(await sidesOf(searchByOwnRule, finding, breaks('no control'))).toEqual(unclear('no control'));
  rmSync(join(folder, 'one.ts'));
  expect(await sidesOf(searchByOwnRule, nothing)).toEqual([expect.objectContaining({ state: 'unclear' })]);
});

test('a mutation of which nothing was asked has not survived', async () => {
  let starts = 0;
  const late = () => (++starts <= 2 ? breaks('no port')() : nothing());
  expect(await sidesOf(searchAll, late)).toEqual([expect.objectContaining({ state: 'unclear' })]);
});

test('a mutation under way at the stop gets no verdict', async () => {
  const stopped = opens(async () => {
    stop.abort();
    throw new Error('stopped');
  });
  for (const search of [searchAll, searchByOwnRule]) {
    stop = new AbortController();
    expect(await sidesOf(search, stopped)).toEqual([]);
  }
});
