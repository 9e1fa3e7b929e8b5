/** The report as one HTML file. */
import { escaped, facts, page, section, statusBadge, table, verdictCard } from '../conformance/report/markup.ts';
import { rateLimit } from '../generated/rate-limit.ts';
import { type ObservedRequests, type Report, verdictOf } from './report.ts';

const STYLE = `
.chart { display: block; width: 100%; height: auto; }
.chart text { fill: var(--quiet); font: 12px system-ui, sans-serif; }
.chart .axis { stroke: var(--line); }
.chart .limit { fill: none; stroke: var(--quiet); stroke-dasharray: 5 4; }
.chart .yes { fill: var(--pass); }
.chart .no { fill: none; stroke: var(--fail); }
`;

const code = (text: string) => ({ html: `<code>${escaped(text)}</code>` });
const number = (title: string) => ({ title, isNumber: true });

const WIDTH = 860;
const HEIGHT = 300;
const LEFT = 45;
const BOTTOM = 30;

/**
 * The number of admitted requests over time, against what a bucket allows; refusals are on the zero line.
 */
function chart(observed: ObservedRequests): string {
  const lastMs = Math.max(...observed.map(([, answered]) => answered), 1000);
  const inOrder = observed.toSorted((a, b) => a[1] - b[1]);
  const most = rateLimit.burst + (rateLimit.perSecond * lastMs) / 1000;
  const x = (ms: number) => (LEFT + (ms / lastMs) * (WIDTH - LEFT - 10)).toFixed(1);
  const y = (n: number) => (HEIGHT - BOTTOM - (n / most) * (HEIGHT - BOTTOM - 15)).toFixed(1);
  let admitted = 0;
  const dots = inOrder.map(([, answered, yes]) =>
    yes
      ? `<circle class="yes" cx="${x(answered)}" cy="${y(++admitted)}" r="3"/>`
      : `<circle class="no" cx="${x(answered)}" cy="${y(0)}" r="3"/>`,
  );
  const seconds = Array.from({ length: Math.floor(lastMs / 1000) + 1 }, (_, s) => s);
  const labels = seconds.map((s) => `<text x="${x(s * 1000)}" y="${HEIGHT - 8}" text-anchor="middle">${s} s</text>`);
  const heights = [0, 20, 40, 60]
    .filter((n) => n <= most)
    .map((n) => `<text x="${LEFT - 8}" y="${y(n)}" text-anchor="end">${n}</text>`);
  const svg = `<p class="quiet">Filled: requests admitted, by the time of their answer; hollow: refused. Dashed: the most that a bucket of ${rateLimit.burst}, refilled at ${rateLimit.perSecond} a second, may have admitted. While the key is drained, the dots follow the line and never pass it; after a pause they lie below it by what nobody asked for.</p>
<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${admitted} of ${observed.length} requests were admitted">
<line class="axis" x1="${LEFT}" y1="${y(0)}" x2="${WIDTH - 10}" y2="${y(0)}"/>
<path class="limit" d="M${x(0)} ${y(rateLimit.burst)}L${x(lastMs)} ${y(most)}"/>
${dots.join('')}${labels.join('')}${heights.join('')}</svg>`;
  return section('The limit', `<div class="card">${svg}</div>`);
}

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
      observations.length > 0 ? chart(observations) : '',
      section('Thresholds', thresholds),
      operationTable(report),
      section('Checks', report.checks.length === 0 ? '<p>None.</p>' : checks),
      listed('Problems', report.problems),
      listed('Left out', report.left_out),
    ],
    style: STYLE,
  });
}
