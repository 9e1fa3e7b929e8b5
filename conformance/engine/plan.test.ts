import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import type { Status } from '../judge/outcome.ts';
import type { Profile } from '../profile/profile.ts';
import { difference, differenceText } from '../report/diff.ts';
import type { Results } from '../report/results.ts';
import { fileOfRule, rules } from '../rules/all-rules.ts';
import type { Rule } from '../rules/rule.ts';
import { costOf, estimateMs, leftText, Progress } from './estimate.ts';
import { operationsOf } from './needs.ts';
import { isAlone, phasesOf } from './phases.ts';
import { planOf, planText } from './plan.ts';

const profile = parse(readFileSync(join(import.meta.dirname, '../profile.example.yaml'), 'utf8')) as Profile;

describe('the plan', () => {
  const about = (place: string, extra: Partial<Rule> = {}): Rule => ({
    id: 'PAGE-1',
    section: 'PAGE',
    level: 'MUST',
    text: 'It is so.',
    place,
    decisions: [],
    ...extra,
  });
  const planned = (extra: Partial<Rule>, change: Partial<Profile> = {}) =>
    planOf([about('x', extra)], { ...profile, ...change }).rules[0];

  test('says without a target which rules would be untested, and why', () => {
    expect(planned({})).toMatchObject({ expected: 'RUN' });
    expect(planned({ needs: { keys: ['load'] } }, { keys: { full: ['A'] } })).toMatchObject({
      expected: 'UNTESTED',
      code: 'missing_key',
      reason: 'the profile has no key load',
    });
    expect(planned({ needs: { callbacks: true } })).toMatchObject({ code: 'missing_callbacks' });
    expect(planned({ needs: { clock: true } })).toMatchObject({ code: 'missing_clock' });
    expect(planned({ needs: { replica: true } })).toMatchObject({ code: 'missing_replica' });
    expect(planned({ needs: { fixtures: ['employee_id'] } }, { fixtures: {} })).toMatchObject({
      code: 'missing_fixture',
    });
    const shy = { tenant: { ...profile.tenant, consent_to_writes: false } };
    expect(planned({ needs: { admin: ['flag_on'] } }, shy)).toMatchObject({ code: 'no_consent_to_writes' });
    expect(planned({ needs: { admin: ['flag_on'] } }, { admin: {} })).toMatchObject({ code: 'missing_admin_command' });
  });

  test('creates no documents if no key is known to be able to', () => {
    const creating = { needs: { operations: ['createDocument'] } } as const;
    const { owner_employee_id, ...fixtures } = profile.fixtures;
    expect(owner_employee_id).toBeDefined();
    expect(planned(creating)).toMatchObject({ expected: 'RUN' });
    expect(planned(creating, { fixtures })).toMatchObject({ expected: 'UNTESTED', code: 'missing_fixture' });
    expect(planned(creating, { fixtures, capabilities: ['1.3'] })).toMatchObject({ expected: 'SKIP' });
  });

  test('expects to skip what is not claimed', () => {
    const plan = planned({ needs: { operations: ['listLoginMethods'] } }, { capabilities: ['1.5'] });
    expect(plan).toMatchObject({ expected: 'SKIP', code: 'capability_not_claimed', requests: 1 });
    expect(planned({ needs: { operations: ['listLoginMethods'] } })).toMatchObject({ expected: 'RUN' });
    const cursor = about('getEmployee, listDocumentTypes: limit');
    expect(operationsOf(cursor)).toEqual(['listDocumentTypes']);
    expect(planOf([cursor], { ...profile, capabilities: ['1.3'] }).rules[0]).toMatchObject({ expected: 'SKIP' });
  });

  test('warns if the limit on writes is too low', () => {
    const small = { ...profile, tenant: { ...profile.tenant, max_writes: 0 } };
    const plan = { ...planOf(rules.slice(0, 3), small), writes: 1 };
    expect(planText(plan, String)).toContain('tenant.max_writes is too small');
    expect(planText(plan, String)).toContain('Nothing was sent.');
  });
});

describe('the time left', () => {
  const some = rules.filter(({ excluded }) => excluded === undefined).slice(0, 40);

  test('decreases to zero, and follows the measured pace', () => {
    const slow = new Progress(some, 1, 0);
    const quick = new Progress(some, 1, 0);
    const half = some.slice(0, 20);
    const whole = estimateMs(some, 1);
    const [late, early] = [slow, quick].map((progress, at) =>
      half.map(({ id }) => progress.done(id, at === 0 ? whole * 3 : 1000)).at(-1),
    );
    expect(late).toBeGreaterThan(early ?? Number.POSITIVE_INFINITY);
    expect(
      some
        .slice(20)
        .map(({ id }) => slow.done(id, whole * 4))
        .at(-1),
    ).toBe(0);
  });

  test('is no shorter than the keys allow', () => {
    expect(estimateMs(rules, 1)).toBeGreaterThanOrEqual(estimateMs(rules, 8));
    const these = rules.filter((rule) => !isAlone(rule));
    const requests = these.reduce((sum, { id }) => sum + costOf(id).requests, 0);
    expect(estimateMs(these, 1)).toBeGreaterThanOrEqual((requests / 8) * 1000 * 0.99);
  });

  test('is estimated from rules that exist, and from nearly all of them', () => {
    const costs = JSON.parse(readFileSync(join(import.meta.dirname, 'costs.json'), 'utf8')) as object;
    const known = rules.filter(({ excluded }) => excluded === undefined).map(({ id }) => id);
    expect(Object.keys(costs).filter((id) => !known.includes(id))).toEqual([]);
    expect(known.filter((id) => id in costs).length).toBeGreaterThan(known.length * 0.9);
  });

  test('is shown in rounded steps', () => {
    expect([0, 4000, 41_000, 61_000].map(leftText)).toEqual(['', '~10 s left', '~50 s left', '~2 min left']);
  });
});

describe('the phases of a run', () => {
  const [together, alone] = phasesOf(rules.filter(({ excluded }) => excluded === undefined));

  test('rules that run alone have a phase of their own, one file at a time', () => {
    const apart = rules.filter(({ runs }) => runs === 'alone' || runs === 'last').map(({ id }) => id);
    expect(alone).toMatchObject({ workers: 1, rules: expect.arrayContaining(apart) });
    expect(alone?.rules.length).toBe(apart.length);
    expect(together?.rules.filter((id) => apart.includes(id))).toEqual([]);
    expect(together?.workers).toBeGreaterThan(1);
  });

  test('rules that judge the whole run come last', () => {
    expect(alone?.files.slice(-2).toSorted()).toEqual(['whole-run-deliveries.rules.ts', 'whole-run.rules.ts']);
    expect(phasesOf(rules.filter(({ id }) => id === 'GEN-12'))).toEqual([
      { rules: ['GEN-12'], files: ['whole-run.rules.ts'], workers: 1 },
    ]);
  });

  test('the files that take longest start first', () => {
    const ms = (file: string) =>
      rules.reduce((sum, rule) => (isAlone(rule) || fileOfRule(rule.id) !== file ? sum : sum + costOf(rule.id).ms), 0);
    const costs = together?.files.map(ms) ?? [];
    expect(costs).toEqual(costs.toSorted((a, b) => b - a));
    expect(costs.length).toBeGreaterThan(30);
  });
});

describe('the difference of two runs', () => {
  const run = (statuses: Record<string, Status>, whole = true) =>
    ({
      run_id: 'r',
      started_at: '2030-01-01T00:00:00.000Z',
      verdict: 'conformant',
      must: { selected: 1, exercised: 1 },
      whole,
      rules: Object.entries(statuses).map(([rule, status]) => ({ rule, status, text: '', reason: `why ${rule}` })),
      coverage: [{ operation: 'getEmployee', seen: whole ? { '200': 1 } : {} }],
    }) as unknown as Results;
  const changes = (before: Results, after: Results) =>
    Object.fromEntries(difference(before, after).rules.map(({ rule, change }) => [rule, change]));

  test('distinguishes rules that got worse, that got better, and that are no longer tested', () => {
    const before = run({
      A: 'PASS',
      B: 'FAIL',
      C: 'PASS',
      D: 'UNTESTED',
      E: 'UNTESTED',
      F: 'PASS',
      G: 'PASS',
      H: 'FAIL',
    });
    const after = run({ A: 'FAIL', B: 'PASS', C: 'UNTESTED', D: 'FAIL', E: 'PASS', F: 'PASS', G: 'WARN', H: 'ERROR' });
    expect(changes(before, after)).toEqual({
      A: 'regression',
      B: 'improvement',
      C: 'lost',
      D: 'regression',
      E: 'improvement',
      G: 'regression',
      H: 'other',
    });
    expect(difference(before, after)).toMatchObject({ regressions: 3, lost: 1, improvements: 2 });
    expect(differenceText(difference(before, after))).toContain('A         PASS → FAIL: why A');
  });

  test('does not compare what a partial run left out, but reports what a whole run lost', () => {
    expect(changes(run({ A: 'PASS', B: 'PASS' }), run({ A: 'PASS' }, false))).toEqual({});
    expect(changes(run({ A: 'PASS', B: 'PASS' }), run({ A: 'PASS' }))).toEqual({ B: 'lost' });
    expect(changes(run({ A: 'PASS' }), run({ A: 'PASS', B: 'FAIL' }))).toEqual({ B: 'regression' });
    expect(difference(run({ A: 'PASS' }), run({ A: 'PASS' })).rules).toEqual([]);
  });
});
