/** The report as text. */
import type { Report } from './report.ts';
import { verdictOf } from './verdict.ts';

const MOST_PROBLEMS = 10;

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
