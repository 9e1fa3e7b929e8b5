import { describe, expect, test } from '@jest/globals';
import { type Facts, planFor } from './plan.ts';
import { junitOf, type RunnerFacts, reportOf, type Summary, textOf, verdictOf } from './report.ts';
import { htmlOf } from './report-html.ts';
import type { ScenarioName } from './scenarios.ts';

const facts: Facts = {
  baseUrl: 'http://127.0.0.1:8080',
  tag: 'demo',
  fullKeys: 8,
  hasLoadKey: true,
  hasNoScopeKey: true,
  consentToWrites: true,
  maxWrites: 5000,
  fixtures: { employee_id: 'e' },
  employeesAtLeast: 0,
  capabilities: [],
  errors: { pointer: '/details/0/reason', invalidArgumentStatus: 400, own: {} },
  spelling: { approval: 'APPROVE', signing: 'SIGN', completed: 'DONE' },
};

const count = (value: number, thresholds?: Record<string, { ok: boolean }>) => ({
  type: 'counter',
  values: { count: value, rate: value / 10 },
  ...(thresholds && { thresholds }),
});
const times = (p95: number, limit: number) => ({
  type: 'trend',
  values: { med: 10, 'p(95)': p95, 'p(99)': p95 + 1, max: p95 + 2, count: 40 },
  thresholds: { [`p(95)<${limit}`]: { ok: p95 < limit } },
});

const summary = (more: Summary['metrics'] = {}): Summary => ({
  root_group: { checks: [{ name: 'getEmployee fails with <EMPLOYEE_NOT_FOUND>', passes: 9, fails: 1 }] },
  state: { testRunDurationMs: 10_000 },
  metrics: {
    http_reqs: count(80),
    journeys_done: count(20, { 'count>0': { ok: true } }),
    'http_req_duration{name:getEmployee}': times(123.456, 1000),
    checks: { type: 'rate', values: { rate: 0.9 }, thresholds: { 'rate==1': { ok: false } } },
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
    const green = { checks: { type: 'rate', values: { rate: 1 }, thresholds: { 'rate==1': { ok: true } } } };
    expect(report('smoke', true, green).passed).toBe(true);
    expect(report('smoke', false, green).passed).toBe(false);
  });

  test('fails if deliveries are wrong or missing', () => {
    const green = { checks: { type: 'rate', values: { rate: 1 } }, documents_completed: count(3) };
    const deliveries = { received: 12, completed: 3, problems: [] };
    expect(report('smoke', true, green, { deliveries }).passed).toBe(true);
    expect(report('smoke', true, green, { deliveries: { ...deliveries, completed: 2 } }).passed).toBe(false);
    const wrong = report('smoke', true, green, { deliveries: { ...deliveries, problems: ['delivery: bad'] } });
    expect([wrong.passed, wrong.problems]).toEqual([false, ['delivery: bad']]);
  });

  test('of a breakpoint search says up to which rate the target held', () => {
    const step = (rate: string, p95: number) => ({
      [`http_req_duration{scenario:at_${rate}}`]: times(p95, 1000),
      [`http_reqs{scenario:at_${rate}}`]: count(p95 > 0 ? 100 : 0, { 'count>=0': { ok: true } }),
    });
    const rates = { checks: { type: 'rate', values: { rate: 1 } }, ...step('0008', 20), ...step('0016', 30) };
    const slow = report('breakpoint', false, { ...rates, ...step('0024', 1500), ...step('0032', 0) });
    expect([slow.held_up_to, verdictOf(slow)]).toEqual([
      16,
      expect.stringContaining('up to 16 requests a second, of 64'),
    ]);
    expect(report('breakpoint', true, rates).held_up_to).toBe(16);
    const failing = {
      ...rates,
      http_req_failed: { type: 'rate', values: { rate: 1 }, thresholds: { 'rate==0': { ok: false } } },
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
    const dropped = { dropped_iterations: count(7, { 'count==0': { ok: false } }) };
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
    expect(text.trimEnd().split('\n').at(-1)).toBe('FAILED: burst; 1 of 3 thresholds were crossed.');
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
    expect(html.match(/<circle class="no"/g)).toHaveLength(1);
  });
});
