import { describe, expect, test } from '@jest/globals';
import { escaped } from '../../scripts/kit/page/page.ts';
import { outcomeWithout, type Status } from '../judge/outcome.ts';
import { rules } from '../rules/all-rules.ts';
import { junit } from './junit.ts';
import { countsOf, joined, mustOf, type Results, verdictOf } from './results.ts';

const of = (status: Status, level: 'MUST' | 'SHOULD' = 'MUST') => ({ status, level });

describe('the verdict', () => {
  test('a violation takes precedence over a fault of the suite, and the latter over a gap', () => {
    expect(verdictOf([of('PASS'), of('FAIL'), of('ERROR'), of('UNTESTED')]).exit_code).toBe(1);
    expect(verdictOf([of('PASS'), of('ERROR'), of('UNTESTED')]).exit_code).toBe(4);
    expect(verdictOf([of('PASS'), of('UNTESTED')]).exit_code).toBe(6);
    expect(verdictOf([of('PASS'), of('WARN', 'SHOULD'), of('SKIP')]).exit_code).toBe(0);
  });

  test('only an untested MUST rule is a gap, and a run without rules is never green', () => {
    expect(verdictOf([of('PASS'), of('UNTESTED', 'SHOULD')]).exit_code).toBe(0);
    expect(verdictOf([]).exit_code).toBe(4);
  });

  test('a selected rule without an outcome, and an outcome without a rule, are ERRORs', () => {
    const [first, second] = rules;
    if (!first || !second) throw new Error('no rules');
    const outcomes = [outcomeWithout(first.id, 'PASS', '', ''), outcomeWithout('FILE x', 'ERROR', '', '')];
    const results = joined([first, second], outcomes);
    expect(results.map(({ rule, status }) => [rule, status])).toEqual([
      [first.id, 'PASS'],
      [second.id, 'ERROR'],
      ['FILE x', 'ERROR'],
    ]);
    expect(mustOf(results)).toEqual({ selected: 3, exercised: 1 });
  });
});

test('JUnit keeps the reasons and is well-formed with any text', () => {
  const result = (rule: string, status: Status, reason: string) => ({
    ...outcomeWithout(rule, status, '', reason),
    section: 'AUTH',
    text: 'A <rule> & "more".',
    exchange: '> \u0000',
  });
  const list = [
    result('AUTH-1', 'PASS', ''),
    result('AUTH-2', 'FAIL', 'a < b\u0001'),
    result('AUTH-3', 'UNTESTED', 'no key'),
  ];
  const report = junit({ target: { name: 'x' }, rules: list, counts: countsOf(list) } as unknown as Results);
  expect(report).toContain('tests="3" failures="1" errors="0" skipped="1"');
  expect(report).toContain('<skipped message="UNTESTED: no key"/>');
  expect(report).toContain('<failure message="FAIL: a &lt; b�">&gt; �</failure>');
  expect(escaped('\ud800<')).toBe('�&lt;');
});
