import { describe, expect, test } from '@jest/globals';
import { Failure } from '../../scripts/kit/command-line.ts';
import type { Status } from '../judge/outcome.ts';
import { advice, excuse, parseBaseline } from './baseline.ts';
import type { RuleResult } from './results.ts';
import { verdictOf } from './results.ts';

/** PAGE-3 has taken the places of PAGE-4 and PAGE-5. */
const ids: Readonly<Record<string, string>> = {
  'PAGE-1': 'PAGE-1',
  'PAGE-2': 'PAGE-2',
  'PAGE-3': 'PAGE-3',
  'PAGE-4': 'PAGE-3',
  'PAGE-5': 'PAGE-3',
};
const known = (id: string) => ids[id];
const entry = (rule: string, expires = '2030-06-30') => ({
  rule,
  link: 'https://tracker.example/7',
  expires,
  note: '',
});
const result = (rule: string, status: Status) => ({ rule, status, level: 'MUST' }) as RuleResult;
const file = (deviations: object[]) => JSON.stringify({ baseline_version: 1, deviations });

const reading = (text: string) => () => parseBaseline(text, 'b.yaml', known);

describe('a baseline', () => {
  test('excuses only the listed violation, until its day is over', () => {
    const before = [result('PAGE-1', 'FAIL'), result('PAGE-2', 'PASS')];
    const { results, problems } = excuse(before, [entry('PAGE-1')], '2030-06-30');
    expect(results.map(({ status }) => status)).toEqual(['DEVIATION', 'PASS']);
    expect(results[0]?.deviation).toEqual({ link: 'https://tracker.example/7', expires: '2030-06-30', note: '' });
    expect(problems).toEqual([]);
    expect(verdictOf(results, problems).exit_code).toBe(0);
    const unlisted = excuse([result('PAGE-1', 'FAIL'), result('PAGE-2', 'FAIL')], [entry('PAGE-1')], '2030-06-30');
    expect(verdictOf(unlisted.results, unlisted.problems).exit_code).toBe(1);
  });

  test.each([
    ['an entry has expired', 'FAIL', '2030-07-01', 'expired', 'excused until 2030-06-30 only'],
    ['a rule that it lists holds', 'PASS', '2030-01-01', 'stale', 'take it out'],
  ] as const)('fails the run when %s', (_what, status, today, problem, said) => {
    const { results, problems } = excuse([result('PAGE-1', status)], [entry('PAGE-1')], today);
    expect(problems).toMatchObject([{ rule: 'PAGE-1', problem }]);
    expect(verdictOf(results, problems)).toEqual({ verdict: 'outdated_baseline', exit_code: 5 });
    expect(problems.map(advice)).toEqual([expect.stringContaining(said)]);
  });

  test('ignores rules that were not selected or could not be tested, and takes precedence only over a gap', () => {
    const entries = [entry('PAGE-1'), entry('PAGE-2', '2001-01-01')];
    expect(excuse([result('PAGE-1', 'UNTESTED')], entries, '2030-01-01').problems).toEqual([]);
    const stale = excuse([result('PAGE-1', 'PASS'), result('PAGE-3', 'UNTESTED')], entries, '2030-01-01');
    expect(verdictOf(stale.results, stale.problems).exit_code).toBe(5);
    const fault = excuse([result('PAGE-1', 'PASS'), result('PAGE-3', 'ERROR')], entries, '2030-01-01');
    expect(verdictOf(fault.results, fault.problems).exit_code).toBe(4);
  });

  test('is read completely, and each problem says where it is', () => {
    const { note: _, ...short } = entry('PAGE-1');
    expect(reading(file([short]))()).toEqual([entry('PAGE-1')]);
    expect(reading(file([entry('PAGE-9'), entry('PAGE-1'), entry('PAGE-1')]))).toThrow(
      /deviations.0.rule: there is no rule PAGE-9.*deviations.2.rule: PAGE-1 is listed twice/s,
    );
    expect(reading(file([{ ...entry('PAGE-1'), link: 'a colleague knows', expires: '2030-02-30' }]))).toThrow(
      /deviations.0.link: must be.*deviations.0.expires: must be/s,
    );
    expect(reading(file([entry('PAGE-4', '2030-02-02'), entry('PAGE-5', '2030-01-01')]))()).toEqual([
      entry('PAGE-3', '2030-01-01'),
    ]);
    expect(reading('deviations: []')).toThrow('baseline_version');
    expect(reading('a: [')).toThrow(Failure);
  });
});
