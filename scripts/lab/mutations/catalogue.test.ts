/** The catalogue itself. Whether it fits the source is said by `npm run lab -- faults-source --verify`, and by each run. */
import { expect, test } from '@jest/globals';
import { rules } from '../../../conformance/rules/all-rules.ts';
import { catalogue } from './mutation.ts';

const all = catalogue();

test('every mutation has an id of its own, is in the service and none of its tests, and says its effect in a sentence', () => {
  const ids = all.map(({ id }) => id);
  expect(ids.filter((id, nth) => ids.indexOf(id) !== nth)).toEqual([]);
  const wrong = all.filter(
    ({ file, effect, reason = 'R.' }) =>
      !/^handlers\/.*(?<!\.test)\.ts$/.test(file) || !/^\S.*\.$/.test(effect) || !/^[A-Z].*\.$/.test(reason),
  );
  expect(wrong.map(({ id }) => id)).toEqual([]);
});

test('every mutation names as its own rule one that there is', () => {
  const known = new Set(rules.flatMap(({ id, replaces = [] }) => [id, ...replaces]));
  expect(all.filter(({ rule }) => rule !== undefined && !known.has(rule)).map(({ id }) => id)).toEqual([]);
});
