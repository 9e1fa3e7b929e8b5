import { expect, test } from '@jest/globals';
import type { Results } from '../../../conformance/report/results.ts';
import { sameVerdicts } from './mongodb.ts';

const run = (statuses: Readonly<Record<string, string>>) => ({
  rules: Object.entries(statuses).map(([rule, status]) => ({ rule, status, reason: `${rule} says why` })),
});
const compare = (embedded: Readonly<Record<string, string>>, real: Readonly<Record<string, string>>) =>
  sameVerdicts(run(embedded) as Pick<Results, 'rules'>, run(real) as Pick<Results, 'rules'>);

test('equal verdicts count one passed check for each rule', () => {
  expect(compare({ 'A-1': 'PASS', 'A-2': 'SKIP' }, { 'A-1': 'PASS', 'A-2': 'SKIP' })).toEqual({
    passed: 2,
    failures: [],
  });
});

test('a rule with different verdicts is reported, with both verdicts and the reason', () => {
  const { passed, failures } = compare(
    { 'A-1': 'PASS', 'A-2': 'PASS', 'A-3': 'PASS' },
    { 'A-1': 'PASS', 'A-2': 'WARN' },
  );
  expect(passed).toBe(1);
  expect(failures).toEqual([
    'A-2 PASS on the embedded database, WARN on MongoDB\nA-2 says why\nA-2 says why',
    'A-3 PASS on the embedded database, not judged on MongoDB\nA-3 says why',
  ]);
});

test('a rule that could not be tested on one database is not a contradiction', () => {
  expect(compare({ 'A-1': 'PASS', 'A-2': 'UNTESTED' }, { 'A-1': 'UNTESTED', 'A-2': 'PASS' }).failures).toEqual([]);
});
