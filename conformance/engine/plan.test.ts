import { describe, expect, test } from '@jest/globals';
import type { Status } from '../judge/outcome.ts';
import type { Profile } from '../profile/profile.ts';
import { difference, differenceText } from '../report/diff.ts';
import type { Results } from '../report/results.ts';
import { rules } from '../rules/all-rules.ts';
import type { Rule } from '../rules/rule.ts';
import { exampleProfile, ruleWith } from '../testing/small-target.ts';
import { estimateMs, leftText, Progress } from './estimate.ts';
import { operationsOf } from './needs.ts';
import { isAlone, phasesOf } from './phases.ts';
import { Places } from './places.ts';
import { planOf, planText } from './plan.ts';
import { costOf, recorded } from './recorded.ts';
import { tenantsOf } from './tenants.ts';

const profile = exampleProfile();

describe('the plan', () => {
  const planned = (extra: Partial<Rule>, change: Partial<Profile> = {}) =>
    planOf([ruleWith('PAGE-1', () => {}, extra)], { ...profile, ...change }).rules[0];

  test('says without a target which rules would be untested, and why', () => {
    expect(planned({})).toMatchObject({ expected: 'RUN' });
    expect(planned({ needs: { keys: ['load'] } }, { keys: { full: ['A'] } })).toMatchObject({
      expected: 'UNTESTED',
      code: 'missing_key',
      reason: 'the profile has no key load',
    });
    const shy = { tenant: { ...profile.tenant, consent_to_writes: false } };
    const lacking: [code: string, needs: Rule['needs'], change: Partial<Profile>][] = [
      ['missing_callbacks', { callbacks: true }, {}],
      ['missing_clock', { clock: true }, {}],
      ['missing_replica', { replica: true }, {}],
      ['missing_fixture', { fixtures: ['employee_id'] }, { fixtures: {} }],
      ['no_consent_to_writes', { admin: ['flag_on'] }, shy],
      ['missing_admin_command', { admin: ['flag_on'] }, { admin: {} }],
    ];
    for (const [code, needs, change] of lacking) expect(planned({ needs }, change)).toMatchObject({ code });
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
    const cursor = ruleWith('PAGE-1', () => {}, { place: 'getEmployee, listDocumentTypes: limit' });
    expect(operationsOf(cursor)).toEqual(['listDocumentTypes']);
    expect(planOf([cursor], { ...profile, capabilities: ['1.3'] }).rules[0]).toMatchObject({ expected: 'SKIP' });
  });

  test('warns if the limit on writes is too low', () => {
    const small = { ...profile, tenant: { ...profile.tenant, max_writes: 0 } };
    const plan = { ...planOf(rules.slice(0, 3), small), writes: 1 };
    expect(planText(plan, String)).toContain('tenant.max_writes is too small');
  });
});

describe('the time left', () => {
  const some = rules.slice(0, 40);

  test('decreases to zero, and follows the measured pace', () => {
    const slow = new Progress(some, profile, 0);
    const quick = new Progress(some, profile, 0);
    const whole = estimateMs(some, profile);
    const left = (progress: Progress, done: readonly Rule[], ms: number) =>
      done.map(({ id }) => progress.done(id, ms)).at(-1);
    const early = left(quick, some.slice(0, 20), 1000);
    expect(left(slow, some.slice(0, 20), whole * 3)).toBeGreaterThan(early ?? Number.POSITIVE_INFINITY);
    expect(left(slow, some.slice(20), whole * 4)).toBe(0);
  });

  test('is no shorter than the keys allow', () => {
    const one = { ...profile, keys: { full: ['A'] } };
    expect(estimateMs(rules, one)).toBeGreaterThan(estimateMs(rules, profile));
    const these = rules.filter((rule) => !isAlone(rule));
    const requests = these.reduce((sum, { id }) => sum + costOf(id).requests, 0);
    expect(estimateMs(these, one)).toBeGreaterThanOrEqual((requests / 8) * 1000 * 0.99);
  });

  test('is estimated from what most rules took', () => {
    const known = rules.map(({ id }) => id);
    expect(known.filter((id) => id in recorded).length).toBeGreaterThan(known.length * 0.9);
  });

  test('is shown in rounded steps', () => {
    expect([0, 4000, 41_000, 61_000].map(leftText)).toEqual(['', '~10 s left', '~50 s left', '~2 min left']);
  });
});

describe('the phases of a run', () => {
  const phases = phasesOf(rules);
  const [together, moving, alone] = phases;

  test('rules that run alone have a phase of their own, one at a time, and those that judge the run come last', () => {
    const kinds = [[undefined, 'quiet', 'changing'], ['moving'], ['alone'], ['late'], ['last']];
    expect(phases.map((phase) => new Set(phase.rules.map(({ runs }) => runs)))).toEqual(kinds.map((of) => new Set(of)));
    expect(together?.atOnce).toBeGreaterThan(1);
    expect([moving?.atOnce, alone?.atOnce]).toEqual([Infinity, 1]);
    const [only, ...others] = phasesOf(rules.filter(({ id }) => id === 'GEN-12'));
    expect([only?.rules.map(({ id }) => id), others]).toEqual([['GEN-12'], []]);
  });

  test('a seed gives the rules of each phase another order, always the same', () => {
    const idsOf = (seed?: string) => phasesOf(rules, seed).map(({ rules: of }) => of.map(({ id }) => id));
    expect(idsOf('a')).toEqual(idsOf('a'));
    expect(idsOf('a')).not.toEqual(idsOf('b'));
    expect(idsOf('a').map((ids) => ids.toSorted())).toEqual(idsOf().map((ids) => ids.toSorted()));
  });

  test('what takes longest begins first, and of the tenant first what only reads it', () => {
    const of = (runs: Rule['runs']) => together?.rules.filter((rule) => rule.runs === runs) ?? [];
    for (const runs of ['quiet', 'changing', undefined] as const) {
      const ms = of(runs).flatMap(({ id, holds = [] }) => (holds.length === 0 ? costOf(id).ms : []));
      expect(ms).toEqual(ms.toSorted((a, b) => b - a));
    }
    const at = (rule: Rule | undefined) => together?.rules.indexOf(rule as Rule) ?? -1;
    expect(at(of('quiet').at(-1))).toBeLessThan(at(of('changing')[0]));
  });

  test.each<[may: boolean, Partial<Rule>, Partial<Rule>]>([
    [false, { runs: 'changing' }, { runs: 'changing' }],
    [false, { runs: 'changing' }, { runs: 'quiet' }],
    [true, { runs: 'quiet' }, { runs: 'quiet' }],
    [true, { runs: 'changing' }, {}],
    [false, { holds: ['load'] }, { holds: ['x', 'load'] }],
    [true, { holds: ['load'] }, { holds: ['x'] }],
  ])('what must not happen at the same time does not: %s for %j and %j', (may, one, other) => {
    const [first, second] = [ruleWith('X-1', () => {}, one), ruleWith('X-2', () => {}, other)];
    for (const [begun, next] of [
      [first, second],
      [second, first],
    ] as const) {
      const places = new Places([profile], [], () => undefined);
      expect(places.take(begun)).toBeDefined();
      expect(places.take(next) !== undefined).toBe(may);
      for (const rule of [begun, next]) places.leave(rule);
      expect(places.take(next)).toBeDefined();
    }
  });

  test('rules that change a tenant have one of the pool each, by their files and worlds; those for which it lacks something the main one', () => {
    const tenants = tenantsOf({
      ...profile,
      pool: ['one', 'two'].map((tag) => ({ tag, keys: { full: [tag] }, fixtures: { employee_id: tag } })),
    });
    const changing = (id: string, needs?: Rule['needs']) => ruleWith(id, () => {}, { runs: 'changing', needs });
    const all = [
      changing('A-1', {}),
      changing('A-2', {}),
      changing('B-1', {}),
      changing('C-1', { big: true }),
      changing('D-1'),
      { ...changing('E-1', {}), world: 'A' },
    ];
    const places = new Places(tenants, all, (id) => id[0]);
    const [a, again, b, c, d] = all.slice(0, 5).map((rule) => places.take(rule)?.profile.tenant.tag);
    expect([new Set([a, b]), again, c, d]).toEqual([new Set(['one', 'two']), undefined, profile.tenant.tag, undefined]);
    places.leave(all[0] as Rule);
    expect(places.take(all[5] as Rule)?.profile.tenant.tag).toBe(a);
    expect(places.inOrder(all).map(({ id }) => id)).toEqual(['A-1', 'A-2', 'B-1', 'E-1', 'C-1', 'D-1']);
    expect(places.take(ruleWith('F-1', () => {}, { runs: 'quiet' }))).toBeUndefined();
  });

  test('of several keys whose limit is measured, each rule has one', () => {
    const places = new Places([{ ...profile, keys: { full: ['A'], load: ['L', 'M'] } }], [], () => undefined);
    const [one, two, three] = ['X-1', 'X-2', 'X-3'].map((id) => ruleWith(id, () => {}, { holds: ['load'] }));
    const loadOf = (rule = one) => places.take(rule as Rule)?.profile.keys.load;
    expect([loadOf(one), loadOf(two), loadOf(three)]).toEqual(['L', 'M', undefined]);
    places.leave(one as Rule);
    expect(loadOf(three)).toBe('L');
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
      rules: Object.entries(statuses).map(([rule, status]) => ({ rule, status, reason: `why ${rule}` })),
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

  test('compares a rule that covers several of an earlier release with the worst of them', () => {
    const presentId = (id: string) => (id === 'B' || id === 'C' ? 'A' : id);
    const now = run({ A: 'PASS' });
    const changed = (before: Results) => difference(before, now, presentId).rules;
    expect(changed(run({ A: 'PASS', B: 'UNTESTED', C: 'PASS' }))).toEqual([]);
    expect(changed(run({ A: 'PASS', B: 'FAIL', C: 'UNTESTED' }))).toMatchObject([{ rule: 'A', change: 'improvement' }]);
    expect(difference(now, run({ B: 'FAIL' }), presentId).rules).toMatchObject([{ rule: 'A', change: 'regression' }]);
  });

  test('does not compare what a partial run left out, but reports what a whole run lost', () => {
    expect(changes(run({ A: 'PASS', B: 'PASS' }), run({ A: 'PASS' }, false))).toEqual({});
    expect(changes(run({ A: 'PASS', B: 'PASS' }), run({ A: 'PASS' }))).toEqual({ B: 'lost' });
    expect(changes(run({ A: 'PASS' }), run({ A: 'PASS', B: 'FAIL' }))).toEqual({ B: 'regression' });
    expect(difference(run({ A: 'PASS' }), run({ A: 'PASS' })).rules).toEqual([]);
  });
});
