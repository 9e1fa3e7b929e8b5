import { describe, expect, test } from '@jest/globals';
import { escaped } from '../../scripts/kit/page/page.ts';
import { outcomeWithout, type Status } from '../judge/outcome.ts';
import { rules } from '../rules/all-rules.ts';
import { junit } from './junit.ts';
import { countsOf, joined, mustOf, type Results, verdictOf } from './results.ts';

const of = (status: Status, level: 'MUST' | 'SHOULD' = 'MUST') => ({ status, level });

describe('the verdict', () => {
  test.each([
    ['a violation before all else', [of('PASS'), of('FAIL'), of('ERROR'), of('UNTESTED')], 1],
    ['a fault of the suite before a gap', [of('PASS'), of('ERROR'), of('UNTESTED')], 4],
    ['a gap if a MUST rule is untested', [of('PASS'), of('UNTESTED')], 6],
    ['no gap if another rule is', [of('PASS'), of('UNTESTED', 'SHOULD')], 0],
    ['right with a warning and what is skipped', [of('PASS'), of('WARN', 'SHOULD'), of('SKIP')], 0],
    ['never right without rules', [], 4],
  ])('is %s', (_what, rules, code) => {
    expect(verdictOf(rules).exit_code).toBe(code);
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
