/** The report as text for a terminal, and as JUnit for build servers. Pure. */
import { escaped } from '../conformance/report/markup.ts';
import type { Report } from './report.ts';

const MOST_PROBLEMS = 10;

/** The sentence with which a run ends. */
export function verdictOf(report: Report): string {
  const { scenario, passed, thresholds, dropped, held_up_to: heldUpTo, planned } = report;
  const broken = thresholds.filter(({ ok }) => !ok).length;
  if (dropped > 0) {
    return `NOT JUDGED: ${dropped} journeys never began, so the load was less than was asked for. Either the target answers too slowly, or this machine cannot make this load.`;
  }
  if (heldUpTo !== undefined && !passed) {
    return `BROKEN: the target held up to ${heldUpTo} requests a second, of ${planned.requests_per_second} asked for.`;
  }
  return passed
    ? `PASSED: ${scenario}; ${report.proves}.`
    : `FAILED: ${scenario}; ${broken} of ${thresholds.length} thresholds were crossed.`;
}

/** For a terminal. */
export function textOf(report: Report): string {
  const failed = report.checks.filter(({ fails }) => fails > 0);
  const checked = report.checks.reduce((sum, { passes, fails }) => sum + passes + fails, 0);
  const shown = report.problems.slice(0, MOST_PROBLEMS);
  return [
    `${report.scenario} against ${report.target.profile} at ${report.target.base_url}: ${report.requests} requests in ${report.duration_s} s (${report.requests_per_second}/s), ${report.planned.keys} keys`,
    '',
    ...report.thresholds.map(
      ({ ok, metric, threshold, came }) => `  ${ok ? 'held   ' : 'CROSSED'} ${metric} ${threshold}: ${came}`,
    ),
    '',
    ...(report.operations.length === 0
      ? []
      : [
          `  ${'times in ms'.padEnd(24)}${'count'.padStart(8)}${'median'.padStart(10)}${'p95'.padStart(10)}${'p99'.padStart(10)}${'max'.padStart(10)}`,
        ]),
    ...report.operations.map(
      ({ operation, count, med, p95, p99, max }) =>
        `  ${operation.padEnd(24)}${[count].map((n) => String(n).padStart(8))}${[med, p95, p99, max].map((n) => n.toFixed(1).padStart(10)).join('')}`,
    ),
    `  ${checked} checks, ${failed.reduce((sum, { fails }) => sum + fails, 0)} failed`,
    ...failed.map(({ name, passes, fails }) => `  FAILED  ${name}: ${fails} of ${passes + fails}`),
    ...shown.map((problem) => `  problem: ${problem}`),
    ...(report.problems.length > shown.length ? [`  and ${report.problems.length - shown.length} problems more`] : []),
    ...report.left_out.map((what) => `  left out: ${what}`),
    '',
    verdictOf(report),
    '',
  ].join('\n');
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
