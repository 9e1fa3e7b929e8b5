/** The report as one HTML file. */
import {
  badgeCell,
  codeCell,
  escaped,
  facts,
  meterCell,
  numbers,
  page,
  section,
  table,
  verdictCard,
} from '../scripts/kit/page/page.ts';
import { limitPicture, PICTURE_STYLE } from './limit-picture.ts';
import type { Report } from './report.ts';
import { verdictOf } from './verdict.ts';

function operationTable({ operations }: Report): string {
  if (operations.length === 0) return '';
  const longest = Math.max(...operations.map(({ p95 }) => p95), 1);
  const times = table({
    columns: ['Operation', ...['Requests', 'Median', 'p95', 'p99', 'Longest'].map(numbers), 'p95'],
    rows: operations.map(({ operation, count, med, p95, p99, max }) => [
      codeCell(operation),
      count,
      med,
      p95,
      p99,
      max,
      // Relative to the longest of all.
      meterCell(p95, longest, `${p95} ms`),
    ]),
  });
  return section('Times in milliseconds', times);
}

function figuresOf({ scenario, deliveries, held_up_to: heldUpTo, ...report }: Report): string {
  const isPaced = scenario !== 'burst';
  return facts([
    ['Requests', report.requests],
    ['Requests a second', report.requests_per_second],
    ['Duration', `${report.duration_s} s`],
    ['Journeys', isPaced ? report.journeys : undefined],
    ['Never begun', isPaced ? report.dropped : undefined],
    ['Keys', report.planned.keys],
    ['Held up to', heldUpTo === undefined ? undefined : `${heldUpTo}/s`],
    ['Deliveries', deliveries?.received],
  ]);
}

function listed(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return '';
  return section(title, `<ul>${lines.map((line) => `<li>${codeCell(line).html}</li>`).join('')}</ul>`);
}

/** The whole page. */
export function htmlOf(report: Report): string {
  const { scenario, target, observations = [] } = report;
  const thresholds = table({
    columns: ['', 'Metric', 'Has to be', numbers('Came')],
    rows: report.thresholds.map(({ ok, metric, threshold, came }) => [
      badgeCell(ok, ok ? '✓ held' : '✗ crossed'),
      codeCell(metric),
      codeCell(threshold),
      came,
    ]),
  });
  const checks = table({
    columns: ['', 'What', numbers('Right'), numbers('Wrong')],
    rows: report.checks.map(({ name, passes, fails }) => [
      badgeCell(fails === 0, fails === 0 ? '✓' : '✗'),
      name,
      passes,
      fails,
    ]),
  });
  const where = `${escaped(target.profile)} at <code>${escaped(target.base_url)}</code>`;
  const verdict = verdictCard(report.passed ? 'PASS' : 'FAIL', verdictOf(report), figuresOf(report));
  return page({
    title: `Load: ${scenario}, ${report.passed ? 'passed' : 'failed'}`,
    header: `<h1>Load: ${escaped(scenario)}</h1>
<p class="quiet">${where}, ${escaped(report.started_at)}, ${escaped(report.k6)}</p>${verdict}`,
    sections: [
      observations.length > 0 ? section('The limit', limitPicture(observations)) : '',
      section('Thresholds', thresholds),
      operationTable(report),
      section('Checks', report.checks.length === 0 ? '<p>None.</p>' : checks),
      listed('Problems', report.problems),
      listed('Left out', report.left_out),
    ],
    style: PICTURE_STYLE,
  });
}
