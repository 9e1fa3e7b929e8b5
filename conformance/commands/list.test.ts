import { expect, test } from '@jest/globals';
import { rules } from '../rules/all-rules.ts';
import { listed } from './list.ts';

test('the list has of each rule what users can use, and nothing of how a run is arranged', () => {
  const all = listed([], [], 'https://docs');
  expect(all.map(({ id }) => id)).toEqual(rules.map(({ id }) => id));
  const names = new Set(all.flatMap((rule) => Object.keys(rule)));
  const told = ['id', 'level', 'text', 'place', 'decisions', 'replaces', 'needs', 'promise'];
  expect([...names].toSorted()).toEqual(told.toSorted());
  for (const { promise } of all) expect(promise).toMatch(/^https:\/\/docs/);
});
