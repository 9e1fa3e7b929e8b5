import { describe, expect, test } from '@jest/globals';
import { lightProbe, scheduleOf } from '../conformance/judge/oracle.ts';
import { type Model, tokenBucket } from '../conformance/judge/oracle-models.ts';
import { planFor } from './plan.ts';
import { junitOf, type RunnerFacts, reportOf, type Summary } from './report.ts';
import { htmlOf } from './report-html.ts';
import { textOf } from './report-text.ts';
import type { ScenarioName } from './scenarios.ts';
import { facts } from './testing/facts.ts';
import { verdictOf } from './verdict.ts';

/** A threshold; it was crossed unless it is ok. */
const thresholdOf = (threshold?: string, ok = false) =>
  threshold === undefined ? {} : { thresholds: { [threshold]: { ok } } };
const count = (value: number, ...threshold: Parameters<typeof thresholdOf>) => ({
  type: 'counter',
  values: { count: value, rate: value / 10 },
  ...thresholdOf(...threshold),
});
const share = (rate: number, ...threshold: Parameters<typeof thresholdOf>) => ({
  type: 'rate',
  values: { rate },
  ...thresholdOf(...threshold),
});
const times = (p95: number, limit: number) => ({
  type: 'trend',
  values: { med: 10, 'p(95)': p95, 'p(99)': p95 + 1, max: p95 + 2, count: 40 },
  ...thresholdOf(`p(95)<${limit}`, p95 < limit),
});

const summary = (more: Summary['metrics'] = {}): Summary => ({
  root_group: { checks: [{ name: 'getEmployee fails with <EMPLOYEE_NOT_FOUND>', passes: 9, fails: 1 }] },
  state: { testRunDurationMs: 10_000 },
  metrics: {
    http_reqs: count(80),
    journeys_done: count(20, 'count>0', true),
    'http_req_duration{name:getEmployee}': times(123.456, 1000),
    checks: share(0.9, 'rate==1'),
    ...more,
  },
});

const runner: RunnerFacts = {
  profile: 'here & <there>',
  startedAt: '2026-01-02T03:04:05.000Z',
  k6: 'k6 v2',
  problems: [],
  leftOut: [],
};
const report = (name: ScenarioName, held: boolean, metrics: Summary['metrics'] = {}, more: Partial<RunnerFacts> = {}) =>
  reportOf(planFor(name, facts, {}, 'run'), summary(metrics), held, { ...runner, ...more });

describe('a report', () => {
  test('lists the crossed thresholds first, with the measured values', () => {
    const { thresholds, passed, requests_per_second, operations } = report('smoke', false);
    expect(thresholds).toEqual([
      { metric: 'checks', threshold: 'rate==1', ok: false, came: '90 %' },
      { metric: 'http_req_duration{name:getEmployee}', threshold: 'p(95)<1000', ok: true, came: '123.46 ms' },
      { metric: 'journeys_done', threshold: 'count>0', ok: true, came: '20' },
    ]);
    expect(passed).toBe(false);
    expect(requests_per_second).toBe(8);
    expect(operations).toEqual([
      { operation: 'getEmployee', count: 40, med: 10, p95: 123.46, p99: 124.46, max: 125.46 },
    ]);
  });

  test('fails if k6 reports a failure, no matter what else it contains', () => {
    const green = { checks: share(1, 'rate==1', true) };
    expect(report('smoke', true, green).passed).toBe(true);
    expect(report('smoke', false, green).passed).toBe(false);
  });

  test('fails if deliveries are wrong or missing', () => {
    const green = { checks: share(1), documents_completed: count(3) };
    const deliveries = { received: 12, completed: 3, problems: [] };
    expect(report('smoke', true, green, { deliveries }).passed).toBe(true);
    expect(report('smoke', true, green, { deliveries: { ...deliveries, completed: 2 } }).passed).toBe(false);
    const wrong = report('smoke', true, green, { deliveries: { ...deliveries, problems: ['delivery: bad'] } });
    expect([wrong.passed, wrong.problems]).toEqual([false, ['delivery: bad']]);
  });

  test('of a breakpoint search says up to which rate the target held', () => {
    const step = (rate: string, p95: number) => ({
      [`http_req_duration{scenario:at_${rate}}`]: times(p95, 1000),
      [`http_reqs{scenario:at_${rate}}`]: count(p95 > 0 ? 100 : 0, 'count>=0', true),
    });
    const rates = { checks: share(1), ...step('0008', 20), ...step('0016', 30) };
    const slow = report('breakpoint', false, { ...rates, ...step('0024', 1500), ...step('0032', 0) });
    expect([slow.held_up_to, verdictOf(slow)]).toEqual([
      16,
      expect.stringContaining('up to 16 requests a second, of 64'),
    ]);
    expect(report('breakpoint', true, rates).held_up_to).toBe(16);
    const failing = {
      ...rates,
      http_req_failed: share(1, 'rate==0'),
    };
    expect(report('breakpoint', false, failing).held_up_to).toBe(8);
  });

  test('counts no rate as held that was never timed', () => {
    const never = { ...times(0, 1000), values: { 'p(95)': 0, count: 0 } };
    const { thresholds, left_out } = report('smoke', true, { 'http_req_duration{name:confirmFile}': never });
    expect(thresholds.map(({ metric }) => metric)).not.toContain('http_req_duration{name:confirmFile}');
    expect(left_out).toEqual(['confirmFile: never called; the run was too short']);
  });

  test('says when the load was not generated', () => {
    const dropped = { dropped_iterations: count(7, 'count==0') };
    expect(verdictOf(report('walk', false, dropped))).toMatch(/^NOT JUDGED: 7 journeys never began/);
  });
});

describe('what is written', () => {
  const observations = [
    [0, 5, 1],
    [0, 9, 0],
    [50, 60, 1],
  ] as const;
  const whole = report('burst', false, {}, { observations, problems: ['a <b> & "c"'], leftOut: ['upload: nothing'] });

  test('text names what failed and ends with the verdict', () => {
    const text = textOf(whole);
    expect(text).toContain('CROSSED checks rate==1: 90 %');
    expect(text).toContain('FAILED  getEmployee fails with <EMPLOYEE_NOT_FOUND>: 1 of 10');
    expect(text).toContain('left out: upload: nothing');
    expect(text.trimEnd().split('\n').at(-1)).toBe('FAILED: burst; 1 of 10 checks failed.');
  });

  test('JUnit counts what failed, and is well formed', () => {
    const xml = junitOf(whole);
    expect(xml).toContain('<testsuites tests="4" failures="2"');
    expect(xml.match(/<testcase /g)).toHaveLength(4);
    expect(xml.match(/<failure /g)).toHaveLength(2);
    expect(xml).toContain('fails with &lt;EMPLOYEE_NOT_FOUND&gt;');
    expect(
      xml.replace(/<\/?[a-z]+( [a-z]+="[^"<]*")*\/?>|<\?xml[^>]*\?>/g, '').replace(/&(lt|gt|amp|quot);/g, ''),
    ).toMatch(/^\s*$/);
  });

  test('HTML fetches nothing, runs nothing, and escapes texts', () => {
    const html = htmlOf(whole);
    expect(html).not.toMatch(/<script|\bsrc=|<link|@import|url\(/);
    expect(html).toContain("default-src 'none'");
    expect(html).toContain('a &lt;b&gt; &amp; &quot;c&quot;');
    expect(html).toContain('here &amp; &lt;there&gt;');
    expect(html).toContain('prefers-color-scheme: dark');
    expect(html.match(/<circle class="yes"/g)).toHaveLength(2);
    expect(html.match(/<circle class="no wrong"/g)).toHaveLength(1);
  });
});

describe('a burst', () => {
  /** What the probe sees of a limiter at the other end of a network that takes no time. */
  function probed(model: Model) {
    const observations = scheduleOf(lightProbe)
      .toSorted((a, b) => a - b)
      .map((at): [number, number, 0 | 1] => [at, at, model.take(at).admitted ? 1 : 0]);
    const { limiter = { admitted_too_many: 0, refused_wrongly: 0 } } = report('burst', true, {}, { observations });
    return report(
      'burst',
      false,
      {
        checks: share(1, 'rate==1', true),
        ...(limiter.admitted_too_many > 0 && { limiter_too_lax: count(30, 'count==0') }),
        ...(limiter.refused_wrongly > 0 && { limiter_too_strict: count(30, 'count==0') }),
      },
      { observations },
    );
  }

  test('says in words by how much a wrong limiter is wrong', () => {
    // Ten tokens more at the beginning; by the end of four seconds, two more for each of them.
    expect(verdictOf(probed(tokenBucket(10, 30)))).toBe('FAILED: burst; 10 requests too many were admitted.');
    expect(verdictOf(probed(tokenBucket(12, 20)))).toBe('FAILED: burst; 8 requests too many were admitted.');
    expect(verdictOf(probed(tokenBucket(10, 21)))).toBe('FAILED: burst; 1 request too many was admitted.');
    expect(probed(tokenBucket(10, 19)).limiter?.admitted_too_many).toBe(0);
    expect(verdictOf(probed(tokenBucket(10, 19)))).toMatch(
      /^FAILED: burst; \d+ requests? w\w+ refused while the limit had room\.$/,
    );
    expect(probed(tokenBucket(10, 20)).limiter).toEqual({ admitted_too_many: 0, refused_wrongly: 0 });
  });

  test.each([
    ['right', tokenBucket(10, 20)],
    ['too lax', tokenBucket(10, 30)],
    ['much too lax', tokenBucket(1000, 1000)],
    ['too strict', tokenBucket(1, 1)],
  ])('shows each request of a limiter that is %s as a dot of its own, within the picture', (what, model) => {
    const html = htmlOf(probed(model));
    const number = (text: string, name: string) => Number(new RegExp(` ${name}="([\\d.]+)"`).exec(text)?.[1]);
    const dots = [...html.matchAll(/<circle [^>]+>/g)].map(([dot]) => ({
      x: number(dot, 'cx'),
      y: number(dot, 'cy'),
      r: number(dot, 'r'),
      isWrong: dot.includes('wrong'),
    }));
    expect(dots).toHaveLength(105);
    const hidden = dots.filter((a, n) => dots.slice(n + 1).some((b) => Math.hypot(a.x - b.x, a.y - b.y) < a.r + b.r));
    const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(html)?.map(Number) ?? [];
    const outside = dots.filter(({ x, y, r }) => x < r || y < r || x > (width ?? 0) - r || y > (height ?? 0) - r);
    expect({ hidden, outside }).toEqual({ hidden: [], outside: [] });
    expect(dots.some(({ isWrong }) => isWrong)).toBe(what !== 'right');
  });

  test('names two faults, those of the limit first, and counts the others', () => {
    const metrics = {
      limiter_delays: count(1, 'count==0'),
      burst_observations: count(99, 'count==105'),
    };
    const verdict = verdictOf(report('burst', false, metrics));
    expect(verdict).toBe(
      'FAILED: burst; requests were held back instead of refused, only 99 requests of the probe were answered and 1 more.',
    );
    const slow = report('smoke', false, { checks: count(0), 'http_req_duration{name:getEmployee}': times(1500, 1000) });
    expect(verdictOf(slow)).toBe('FAILED: smoke; 95 % of getEmployee took up to 1500 ms, not less than 1000 ms.');
  });
});
