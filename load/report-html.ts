/** The report as one HTML file: no script, no network, readable in light and dark. Pure. */
import { limit } from '../conformance/engine/pacer.ts';
import type { Observed, Report } from './report.ts';
import { verdictOf } from './report-text.ts';

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const STYLE = `
:root { color-scheme: light dark; --text: #1b1f24; --soft: #5b6470; --line: #d8dee4; --back: #fff; --panel: #f6f8fa;
  --good: #1a7f37; --bad: #b42318; --mark: #0969da; }
@media (prefers-color-scheme: dark) { :root { --text: #e6edf3; --soft: #9aa4af; --line: #30363d; --back: #0d1117;
  --panel: #161b22; --good: #3fb950; --bad: #ff7b72; --mark: #58a6ff; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 1.5rem; font: 16px/1.5 system-ui, sans-serif; color: var(--text); background: var(--back); }
h1 { font-size: 1.5rem; margin: 0 0 .25rem; } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
p { margin: .25rem 0; } .soft { color: var(--soft); }
.verdict { margin: 1rem 0; padding: .75rem 1rem; border-left: 4px solid var(--bad); background: var(--panel); font-weight: 600; }
.verdict.good { border-color: var(--good); }
dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: .75rem; margin: 1rem 0; }
dl div { padding: .5rem .75rem; background: var(--panel); border-radius: 6px; } dt { color: var(--soft); font-size: .85rem; }
dd { margin: 0; font-size: 1.2rem; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.wide { overflow-x: auto; } table { border-collapse: collapse; width: 100%; min-width: 34rem; font-variant-numeric: tabular-nums; }
th, td { padding: .35rem .6rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { font-size: .85rem; color: var(--soft); font-weight: 600; } .number { text-align: right; white-space: nowrap; }
.good { color: var(--good); } .bad { color: var(--bad); font-weight: 600; } td.good, td.bad { white-space: nowrap; } .verdict.good, .verdict.bad { color: inherit; }
code { font: .9em ui-monospace, monospace; overflow-wrap: anywhere; }
.bar { display: block; height: .5rem; min-width: 2px; background: var(--mark); border-radius: 3px; } .bars { width: 30%; }
svg { display: block; width: 100%; height: auto; background: var(--panel); border-radius: 6px; }
svg text { fill: var(--soft); font: 12px system-ui, sans-serif; } svg .axis { stroke: var(--line); }
svg .limit { fill: none; stroke: var(--soft); stroke-dasharray: 5 4; } svg .yes { fill: var(--good); } svg .no { fill: none; stroke: var(--bad); }
`;

const cell = (text: string | number, kind = '') =>
  `<td${kind === '' ? '' : ` class="${kind}"`}>${typeof text === 'number' ? text : escaped(text)}</td>`;

function table(head: readonly string[], rows: readonly string[], numbersFrom = 99): string {
  const cells = head.map((name, n) => `<th${n >= numbersFrom ? ' class="number"' : ''}>${escaped(name)}</th>`).join('');
  return `<div class="wide"><table><thead><tr>${cells}</tr></thead><tbody>${rows.map((row) => `<tr>${row}</tr>`).join('')}</tbody></table></div>`;
}

const WIDTH = 860;
const HEIGHT = 300;
const LEFT = 45;
const BOTTOM = 30;

/**
 * The number of admitted requests over time, against what a bucket allows; refusals are on the zero line.
 */
function chart(observed: Observed): string {
  const lastMs = Math.max(...observed.map(([, answered]) => answered), 1000);
  const inOrder = observed.toSorted((a, b) => a[1] - b[1]);
  const most = limit.burst + (limit.perSecond * lastMs) / 1000;
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
  return `<h2>The limit</h2>
<p class="soft">Filled: requests admitted, by the time of their answer; hollow: refused. Dashed: the most that a bucket of 20, refilled at 10 a second, may have admitted. While the key is drained, the dots follow the line and never pass it; after a pause they lie below it by what nobody asked for.</p>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${admitted} of ${observed.length} requests were admitted">
<line class="axis" x1="${LEFT}" y1="${y(0)}" x2="${WIDTH - 10}" y2="${y(0)}"/>
<path class="limit" d="M${x(0)} ${y(limit.burst)}L${x(lastMs)} ${y(most)}"/>
${dots.join('')}${labels.join('')}${heights.join('')}</svg>`;
}

function operationTable({ operations }: Report): string {
  if (operations.length === 0) return '';
  const longest = Math.max(...operations.map(({ p99 }) => p99), 1);
  const rows = operations.map(
    ({ operation, count, med, p95, p99, max }) =>
      `<td><code>${escaped(operation)}</code></td>${[count, med, p95, p99, max].map((n) => cell(n, 'number')).join('')}<td class="bars"><span class="bar" style="width:${((p95 / longest) * 100).toFixed(1)}%"></span></td>`,
  );
  const head = ['Operation', 'Requests', 'Median', 'p95', 'p99', 'Longest', 'p95'];
  return `<h2>Times in milliseconds</h2>${table(head, rows, 1).replace('<th class="number">p95</th></tr>', '<th>p95</th></tr>')}`;
}

/** The whole page. */
export function htmlOf(report: Report): string {
  const { scenario, target, thresholds, checks, problems } = report;
  const state = report.passed ? 'good' : 'bad';
  const facts: [string, string | number][] = [
    ['Requests', report.requests],
    ['Requests a second', report.requests_per_second],
    ['Duration', `${report.duration_s} s`],
    ...(scenario === 'burst'
      ? []
      : ([
          ['Journeys', report.journeys],
          ['Never begun', report.dropped],
        ] as [string, number][])),
    ['Keys', report.planned.keys],
    ...(report.held_up_to === undefined ? [] : [['Held up to', `${report.held_up_to}/s`] as [string, string]]),
    ...(report.deliveries ? [['Deliveries', report.deliveries.received] as [string, number]] : []),
  ];
  const mark = (ok: boolean) => cell(ok ? '✓ held' : '✗ crossed', ok ? 'good' : 'bad');
  const thresholdRows = thresholds.map(
    ({ ok, metric, threshold, came }) =>
      `${mark(ok)}<td><code>${escaped(metric)}</code></td><td><code>${escaped(threshold)}</code></td>${cell(came, 'number')}`,
  );
  const checkRows = checks.map(
    ({ name, passes, fails }) =>
      `${cell(fails === 0 ? '✓' : '✗', fails === 0 ? 'good' : 'bad')}${cell(name)}${cell(passes, 'number')}${cell(fails, 'number')}`,
  );
  const listed = (title: string, lines: readonly string[]) =>
    lines.length === 0
      ? ''
      : `<h2>${title}</h2><ul>${lines.map((line) => `<li><code>${escaped(line)}</code></li>`).join('')}</ul>`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Load: ${escaped(scenario)}, ${report.passed ? 'passed' : 'failed'}</title><style>${STYLE}</style></head><body>
<h1>Load: ${escaped(scenario)}</h1>
<p class="soft">${escaped(target.profile)} at <code>${escaped(target.base_url)}</code>, ${escaped(report.started_at)}, ${escaped(report.k6)}</p>
<p class="verdict ${state}">${escaped(verdictOf(report))}</p>
<dl>${facts.map(([name, value]) => `<div><dt>${escaped(name)}</dt><dd>${escaped(String(value))}</dd></div>`).join('')}</dl>
${report.observations && report.observations.length > 0 ? chart(report.observations) : ''}
<h2>Thresholds</h2>${table(['', 'Metric', 'Has to be', 'Came'], thresholdRows, 3)}
${operationTable(report)}
<h2>Checks</h2>${checkRows.length === 0 ? '<p>None.</p>' : table(['', 'What', 'Right', 'Wrong'], checkRows, 2)}
${listed('Problems', problems)}${listed('Left out', report.left_out)}
</body></html>
`;
}
