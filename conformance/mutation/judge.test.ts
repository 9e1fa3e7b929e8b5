import { describe, expect, test } from '@jest/globals';
import type { Status } from '../judge/outcome.ts';
import { fileOfRule, rules } from '../rules/all-rules.ts';
import { faults, faultsByFile } from './all-faults.ts';
import { isByMachine } from './by-machine.ts';
import { judge } from './judge.ts';
import { nullFault } from './mutation-run.ts';
import { outOfReach } from './out-of-reach.ts';
import { roundsOf, WHOLE_RUN } from './rounds.ts';

const verdict = (status: Status | undefined, changed: number, reason = 'x', rule = 'EMP-1') =>
  judge({ fault: nullFault(rule), changed }, status && { status, reason }, false).verdict;

describe('the verdict on a fault', () => {
  test('is caught only when the rule itself found a violation while the fault was at work', () => {
    expect(verdict('FAIL', 1)).toBe('caught');
    expect(verdict('WARN', 1)).toBe('caught');
    expect(verdict('PASS', 1)).toBe('survived');
    expect(verdict('PASS', 0)).toBe('not_reached');
    for (const [status, changed] of [
      ['FAIL', 0],
      ['ERROR', 3],
      ['UNTESTED', 3],
      ['SKIP', 1],
      [undefined, 1],
    ] as const) {
      expect(verdict(status, changed)).toBe('error');
    }
  });

  test('is an error if the fault itself failed, whatever its rule says', () => {
    const failed = { fault: nullFault('EMP-1'), changed: 1, failure: 'TypeError: no id' };
    for (const status of ['FAIL', 'PASS'] as const) {
      const { verdict: given, isFound, said } = judge(failed, { status, reason: 'no answer' }, true);
      expect([given, isFound]).toEqual(['error', false]);
      expect(said).toBe('the fault itself failed: TypeError: no id; the rule: no answer');
    }
  });

  test('of a rule about the whole run counts only what the rule itself found', () => {
    const found = (...during: string[]) =>
      `3 of 9 exchanges: ${during.map((rule) => `a (1, during ${rule})`).join('; ')}`;
    expect(verdict('FAIL', 1, found('GEN-2'), 'GEN-2')).toBe('caught');
    expect(verdict('FAIL', 1, found('GEN-3', 'GEN-2'), 'GEN-2')).toBe('caught');
    expect(verdict('FAIL', 1, found('GEN-3'), 'GEN-2')).toBe('error');
    expect(verdict('FAIL', 1, found('SCOPE-listEmployees', 'GEN-25'), 'GEN-2')).toBe('error');
  });
});

describe('the faults', () => {
  test('stand beside their rules, in the file of the first word of their file', () => {
    const beside = new Map(faultsByFile.flatMap(([file, list]) => list.map(({ id }) => [id, file] as const)));
    const wrong = faults.filter(({ id, rule }) => beside.get(id) !== fileOfRule(rule)?.replace(/[-.].*/, '.faults.ts'));
    expect(wrong.map(({ id }) => id)).toEqual([]);
  });

  test('have unique ids and alter something', () => {
    expect(new Set(faults.map(({ id }) => id)).size).toBe(faults.length);
    for (const { alter, storage, delivery, wire } of faults) expect(alter ?? storage ?? delivery ?? wire).toBeDefined();
  });

  test('leave no rule without a fault that is planted by hand, faults that a machine tries, or a reason', () => {
    const named = new Set([...faults, ...outOfReach].map(({ rule }) => rule));
    const bare = rules.filter((rule) => !named.has(rule.id) && !isByMachine(rule));
    expect(bare.map(({ id }) => id)).toEqual([]);
    expect(outOfReach.filter(({ rule }) => faults.some((fault) => fault.rule === rule))).toEqual([]);
  });

  test('of one rule never share a round, nor do faults that disturb rules of the same file', () => {
    const rounds = roundsOf(faults, 60);
    expect(rounds.flat()).toHaveLength(faults.length);
    for (const round of rounds) {
      const disturbed = round.flatMap(({ rule, alone }) => (alone ? [alone === true ? fileOfRule(rule) : alone] : []));
      expect(new Set(round.map(({ rule }) => rule)).size).toBe(round.length);
      expect(new Set(disturbed).size).toBe(disturbed.length);
      if (round.some(({ alone, rule }) => alone && WHOLE_RUN.has(rule))) expect(round).toHaveLength(1);
    }
  });

  test('that disturb other rules name a file of rules', () => {
    const files = new Set(rules.map(({ id }) => fileOfRule(id)));
    const named = faults.flatMap(({ alone }) => (typeof alone === 'string' ? [alone] : []));
    expect(named.filter((file) => !files.has(file))).toEqual([]);
  });
});
