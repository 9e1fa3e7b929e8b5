/** Makes one report from the summary of k6; it is written as JSON and as JUnit. Pure. */

import { judgeLimiter } from '../conformance/judge/oracle.ts';
import { rateLimit } from '../generated/contract.ts';
import { escaped } from '../scripts/kit/page/page.ts';
import type { Plan } from './plan.ts';
import { type ScenarioName, scenarios } from './scenarios.ts';

interface Metric {
  readonly type: string;
  readonly values: Readonly<Record<string, number>>;
  readonly thresholds?: Readonly<Record<string, { readonly ok: boolean }>>;
}

interface Check {
  readonly name: string;
  readonly passes: number;
  readonly fails: number;
}

/** The part of k6's handleSummary data that reports need. */
export interface Summary {
  readonly root_group: { readonly checks: readonly Check[] };
  readonly state: { readonly testRunDurationMs: number };
  readonly metrics: Readonly<Record<string, Metric>>;
}

/** Requests of the probe: sent and answered, in milliseconds from the first sending, and whether admitted. */
export type ObservedRequests = readonly (readonly [sent: number, answered: number, admitted: 0 | 1])[];

/** What the runner itself observed. */
export interface RunnerFacts {
  readonly profile: string;
  readonly startedAt: string;
  readonly k6: string;
  readonly problems: readonly string[];
  readonly observations?: ObservedRequests | undefined;
  readonly deliveries?: Deliveries | undefined;
  readonly leftOut: readonly string[];
}

export interface Deliveries {
  readonly received: number;
  /** Distinct documents whose completion was delivered. */
  readonly completed: number;
  /** What was wrong with deliveries, one line each. */
  readonly problems: readonly string[];
}

interface LimiterFaults {
  /** By how many the admitted requests exceed what the bucket can have given within some time. */
  readonly admitted_too_many: number;
  /** How many were refused although the bucket must have held a token. */
  readonly refused_wrongly: number;
}

export interface ThresholdResult {
  readonly metric: string;
  readonly threshold: string;
  readonly ok: boolean;
  /** The measured value, for people. */
  readonly came: string;
}

interface OperationTimes {
  readonly operation: string;
  readonly count: number;
  readonly med: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

export interface Report {
  readonly scenario: ScenarioName;
  readonly proves: string;
  readonly passed: boolean;
  readonly target: { readonly profile: string; readonly base_url: string };
  readonly started_at: string;
  readonly duration_s: number;
  readonly k6: string;
  readonly planned: { readonly requests_per_second: number; readonly requests: number; readonly keys: number };
  readonly requests: number;
  readonly requests_per_second: number;
  readonly journeys: number;
  readonly dropped: number;
  readonly thresholds: readonly ThresholdResult[];
  readonly checks: readonly Check[];
  readonly operations: readonly OperationTimes[];
  /** The highest rate, in requests a second, at which all thresholds held; only for the scenario breakpoint. */
  readonly held_up_to?: number;
  readonly observations?: ObservedRequests;
  /** What is wrong with the limit, by these observations. */
  readonly limiter?: LimiterFaults;
  readonly deliveries?: Deliveries;
  readonly problems: readonly string[];
  /** What was not done because the profile lacks something, or the run was too short. */
  readonly left_out: readonly string[];
}

const round = (value: number): number => Math.round(value * 100) / 100;

/** Thresholds whose only purpose is to make k6 report a metric. */
const ALWAYS = 'count>=0';

function came({ type, values }: Metric, threshold: string): string {
  const [, stat = ''] = /^([a-z]+(?:\(\d+\))?)/.exec(threshold) ?? [];
  const value = values[stat] ?? (type === 'counter' ? 0 : undefined);
  if (value === undefined) return 'nothing';
  if (type === 'rate') return `${round(value * 100)} %`;
  return type === 'trend' ? `${round(value)} ms` : String(round(value));
}

/** k6 treats a threshold on times as held if nothing was timed. */
const neverTimed = ({ type, values }: Metric): boolean => type === 'trend' && !values.count;

function thresholdResults(summary: Summary): ThresholdResult[] {
  return Object.entries(summary.metrics)
    .filter(([, measured]) => !neverTimed(measured))
    .flatMap(([metric, measured]) =>
      Object.entries(measured.thresholds ?? {})
        .filter(([threshold]) => threshold !== ALWAYS)
        .map(([threshold, { ok }]) => ({ metric, threshold, ok, came: came(measured, threshold) })),
    )
    .toSorted((a, b) => Number(a.ok) - Number(b.ok) || a.metric.localeCompare(b.metric));
}

function timesOf(summary: Summary): OperationTimes[] {
  return Object.entries(summary.metrics)
    .flatMap(([name, { values }]) => {
      const [, operation] = /^http_req_duration\{name:(\w+)\}$/.exec(name) ?? [];
      if (operation === undefined || !values.count) return [];
      const at = (stat: string) => round(values[stat] ?? 0);
      return [{ operation, count: values.count, med: at('med'), p95: at('p(95)'), p99: at('p(99)'), max: at('max') }];
    })
    .toSorted((a, b) => b.p95 - a.p95);
}

/** Operations that the run was too short to call. */
function neverCalled(summary: Summary): string[] {
  return Object.entries(summary.metrics).flatMap(([name, measured]) => {
    const [, operation] = /^http_req_duration\{name:(\w+)\}$/.exec(name) ?? [];
    return operation !== undefined && neverTimed(measured) ? [`${operation}: never called; the run was too short`] : [];
  });
}

const counted = (summary: Summary, metric: string): number => summary.metrics[metric]?.values.count ?? 0;

/** The rate of the last step of a breakpoint search that ran and held. */
function heldUpTo(summary: Summary): number {
  const steps = Object.entries(summary.metrics).flatMap(([name, { thresholds }]) => {
    const [, rate] = /^http_req_duration\{scenario:at_(\d+)\}$/.exec(name) ?? [];
    if (rate === undefined || counted(summary, `http_reqs{scenario:at_${rate}}`) === 0) return [];
    return [{ rate: Number(rate), ok: Object.values(thresholds ?? {}).every(({ ok }) => ok) }];
  });
  steps.sort((a, b) => a.rate - b.rate);
  const broken = Object.values(summary.metrics).some(({ thresholds }) =>
    Object.values(thresholds ?? {}).some(({ ok }) => !ok),
  );
  const firstBad = steps.findIndex(({ ok }) => !ok);
  // k6 stops when a threshold of the whole run breaks, so it broke in the last step that ran.
  const end = firstBad >= 0 ? firstBad : broken ? steps.length - 1 : steps.length;
  return steps[end - 1]?.rate ?? 0;
}

/** The result of the deliveries, as one more threshold. */
function deliveryResults(summary: Summary, deliveries: Deliveries | undefined): ThresholdResult[] {
  if (deliveries === undefined) return [];
  const due = counted(summary, 'documents_completed');
  const { completed, problems, received } = deliveries;
  return [
    {
      metric: 'deliveries',
      threshold: 'signed and in form',
      ok: problems.length === 0,
      came: `${problems.length} of ${received} are not`,
    },
    {
      metric: 'deliveries',
      threshold: 'an event for every completed document',
      ok: completed >= due,
      came: `${completed} of ${due}`,
    },
  ];
}

/** The probe's observations, and which of them no bucket of the contract can have decided. */
export function judged(observed: ObservedRequests) {
  const observations = observed.map(([s, q, admitted]) => ({ s, q, admitted: admitted === 1 }));
  const { lax, strict, excess } = judgeLimiter(observations, rateLimit);
  return { observations, wrong: new Set([...lax, ...strict]), excess, strict };
}

function limiterFaults(observed: ObservedRequests): LimiterFaults {
  const { excess, strict } = judged(observed);
  return { admitted_too_many: excess, refused_wrongly: strict.length };
}

/** Makes the report of a run. @param thresholdsHeld whether they held, by k6's exit code */
export function reportOf(plan: Plan, summary: Summary, thresholdsHeld: boolean, runner: RunnerFacts): Report {
  const seconds = summary.state.testRunDurationMs / 1000;
  const requests = counted(summary, 'http_reqs');
  const thresholds = [...deliveryResults(summary, runner.deliveries), ...thresholdResults(summary)];
  return {
    scenario: plan.scenario,
    proves: scenarios[plan.scenario].proves,
    passed: thresholdsHeld && thresholds.every(({ ok }) => ok),
    target: { profile: runner.profile, base_url: plan.baseUrl },
    started_at: runner.startedAt,
    duration_s: round(seconds),
    k6: runner.k6,
    planned: { requests_per_second: plan.rate, requests: plan.requests, keys: plan.keys },
    requests,
    requests_per_second: round(requests / Math.max(seconds, 0.001)),
    journeys: counted(summary, 'journeys_done'),
    dropped: counted(summary, 'dropped_iterations'),
    thresholds,
    checks: summary.root_group.checks.map(({ name, passes, fails }) => ({ name, passes, fails })),
    operations: timesOf(summary),
    ...(plan.scenario === 'breakpoint' && { held_up_to: heldUpTo(summary) }),
    ...(runner.observations && { observations: runner.observations, limiter: limiterFaults(runner.observations) }),
    ...(runner.deliveries && { deliveries: runner.deliveries }),
    problems: [...runner.problems, ...(runner.deliveries?.problems ?? [])],
    left_out: [...runner.leftOut, ...neverCalled(summary)],
  };
}

/** A test case for each threshold and each check. */
export function junitOf(report: Report): string {
  const one = (kind: string, name: string, failure: string) =>
    `    <testcase classname="load.${report.scenario}.${kind}" name="${escaped(name)}"${failure === '' ? '/>' : `><failure message="${escaped(failure)}"/></testcase>`}`;
  const cases = [
    ...report.thresholds.map(({ metric, threshold, ok, came }) =>
      one('thresholds', `${metric} ${threshold}`, ok ? '' : came),
    ),
    ...report.checks.map(({ name, passes, fails }) =>
      one('checks', name, fails === 0 ? '' : `${fails} of ${passes + fails} failed`),
    ),
  ];
  const failures = cases.filter((text) => text.includes('<failure')).length;
  const counts = `tests="${cases.length}" failures="${failures}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts} time="${report.duration_s}">`,
    `  <testsuite name="load.${report.scenario}" ${counts} time="${report.duration_s}" timestamp="${escaped(report.started_at)}">`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}
