/** The report as one HTML file. */
import { escaped, facts, page, section, statusBadge, table, verdictCard } from '../conformance/report/markup.ts';
import { limitPicture, PICTURE_STYLE } from './limit-picture.ts';
import type { Report } from './report.ts';
import { verdictOf } from './verdict.ts';

const code = (text: string) => ({ html: `<code>${escaped(text)}</code>` });
const number = (title: string) => ({ title, isNumber: true });

/** The time of an operation as a bar, relative to the longest of all. */
const bar = (ms: number, longestMs: number) => ({
  html: `<progress class="meter" max="${longestMs}" value="${ms}">${ms} ms</progress>`,
});

function operationTable({ operations }: Report): string {
  if (operations.length === 0) return '';
  const longest = Math.max(...operations.map(({ p95 }) => p95), 1);
  const times = table({
    columns: ['Operation', ...['Requests', 'Median', 'p95', 'p99', 'Longest'].map(number), 'p95'],
    rows: operations.map(({ operation, count, med, p95, p99, max }) => [
      code(operation),
      count,
      med,
      p95,
      p99,
      max,
      bar(p95, longest),
    ]),
  });
  return section('Times in milliseconds', times);
}

function figuresOf(report: Report): [string, string][] {
  const isPaced = report.scenario !== 'burst';
  return [
    ['Requests', String(report.requests)],
    ['Requests a second', String(report.requests_per_second)],
    ['Duration', `${report.duration_s} s`],
    ...(isPaced ? ([['Journeys', String(report.journeys)]] satisfies [string, string][]) : []),
    ...(isPaced ? ([['Never begun', String(report.dropped)]] satisfies [string, string][]) : []),
    ['Keys', String(report.planned.keys)],
    ...(report.held_up_to === undefined ? [] : [['Held up to', `${report.held_up_to}/s`] satisfies [string, string]]),
    ...(report.deliveries ? [['Deliveries', String(report.deliveries.received)] satisfies [string, string]] : []),
  ];
}

function listed(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return '';
  return section(title, `<ul>${lines.map((line) => `<li>${code(line).html}</li>`).join('')}</ul>`);
}

/** The whole page. */
export function htmlOf(report: Report): string {
  const { scenario, target, observations = [] } = report;
  const badge = (ok: boolean, word: string) => ({ html: statusBadge(ok ? 'PASS' : 'FAIL', word) });
  const thresholds = table({
    columns: ['', 'Metric', 'Has to be', number('Came')],
    rows: report.thresholds.map(({ ok, metric, threshold, came }) => [
      badge(ok, ok ? '✓ held' : '✗ crossed'),
      code(metric),
      code(threshold),
      came,
    ]),
  });
  const checks = table({
    columns: ['', 'What', number('Right'), number('Wrong')],
    rows: report.checks.map(({ name, passes, fails }) => [
      badge(fails === 0, fails === 0 ? '✓' : '✗'),
      name,
      passes,
      fails,
    ]),
  });
  const where = `${escaped(target.profile)} at <code>${escaped(target.base_url)}</code>`;
  const verdict = verdictCard(report.passed ? 'PASS' : 'FAIL', verdictOf(report), facts(figuresOf(report)));
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
