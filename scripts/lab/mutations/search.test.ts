/** Searches on copies that fail: what then counts as a verdict. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { testFolder } from '../../kit/testing/test-folder.ts';
import type { OpenedCopy } from './bench.ts';
import type { Mutation } from './mutation.ts';
import { controlOf, searchAll } from './search.ts';
import type { Side } from './verdict.ts';

const mutation: Mutation = { id: 'x', file: 'one.ts', find: 'a', replace: 'b', effect: 'It is wrong.', rule: 'A-1' };

const folder = testFolder();

beforeEach(() => writeFileSync(join(folder, 'one.ts'), 'a;'));

const breaks = (why: string) => async (): Promise<never> => {
  throw new Error(why);
};
const opens = (ask: OpenedCopy['ask']) => async (): Promise<OpenedCopy> => ({ ask, close: async () => {} });
const nothing = opens(async () => ({ failed: [], undecided: [] }));
const finding = opens(async () => ({ failed: [{ name: 'A-1', reason: 'said' }], undecided: [] }));

/** The verdicts of a search for one mutation. @param control how a copy without a mutation opens */
async function sidesOf(open: () => Promise<OpenedCopy>, control = nothing): Promise<Side[]> {
  const sides: Side[] = [];
  const plan = {
    judge: 'suite',
    control: controlOf({ open: control }, 'suite'),
    benches: [{ folder, open }],
    note: (_: Mutation, side: Side) => void sides.push(side),
  } as const;
  await searchAll(plan, [mutation]);
  return sides;
}

test('whatever else fails leaves the result unclear', async () => {
  const unclear = (reason: string) => [{ state: 'unclear', reason }];
  expect(await sidesOf(opens(breaks('no suite')))).toEqual(unclear('no suite'));
  expect(await sidesOf(finding, breaks('no control'))).toEqual(unclear('no control'));
  rmSync(join(folder, 'one.ts'));
  expect(await sidesOf(nothing)).toEqual([expect.objectContaining({ state: 'unclear' })]);
});
