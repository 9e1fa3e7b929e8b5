/** The proof as text, as data and as one page. */
import type { OutOfReach } from './fault.ts';
import type { Judged, Verdict } from './judge.ts';

export interface Control {
  readonly name: string;
  readonly expected: string;
  readonly found: string;
  readonly right: boolean;
}

export interface ProofReport {
  format_version: 1;
  started_at: string;
  duration_ms: number;
  /** False when only some of the faults or controls were asked for. */
  whole: boolean;
  counts: Record<Verdict, number>;
  faults: readonly Judged[];
  controls: readonly Control[];
  out_of_reach: readonly OutOfReach[];
}

export const isProven = ({ faults, controls }: Pick<ProofReport, 'faults' | 'controls'>): boolean =>
  faults.every(({ verdict }) => verdict === 'killed') && controls.every(({ right }) => right);

export function countsOf(faults: readonly Judged[]): Record<Verdict, number> {
  const count = (verdict: Verdict) => faults.filter((one) => one.verdict === verdict).length;
  return {
    killed: count('killed'),
    survived: count('survived'),
    not_reached: count('not_reached'),
    unsound: count('unsound'),
    error: count('error'),
  };
}

const bySection = (faults: readonly Judged[]): [section: string, faults: Judged[]][] => {
  const sections = [...new Set(faults.map(({ section }) => section))];
  return sections.map((section) => [section, faults.filter((one) => one.section === section)]);
};

export function text(report: ProofReport): string {
  const lines = ['', 'Section   faults  killed  rules'];
  for (const [section, faults] of bySection(report.faults)) {
    const rules = new Set(faults.map(({ rule }) => rule)).size;
    const killed = faults.filter(({ verdict }) => verdict === 'killed').length;
    lines.push(`${section.padEnd(9)} ${String(faults.length).padStart(6)}  ${String(killed).padStart(6)}  ${rules}`);
  }
  const left = report.faults.filter(({ verdict }) => verdict !== 'killed');
  if (left.length > 0) lines.push('', 'Not killed:');
  for (const { verdict, rule, id, breaks, status, reason } of left) {
    lines.push(`  ${verdict.padEnd(11)} ${rule.padEnd(9)} ${id}: ${breaks}`, `              ${status}: ${reason}`);
  }
  if (report.controls.length > 0) lines.push('', 'Controls:');
  for (const { name, expected, found, right } of report.controls) {
    lines.push(`  ${right ? 'right' : 'WRONG'}  ${name}: ${found}${right ? '' : ` (expected: ${expected})`}`);
  }
  const killed = report.counts.killed;
  const controls = report.controls.filter(({ right }) => right).length;
  lines.push(
    '',
    `${killed} of ${report.faults.length} faults killed by their own rule; ${controls} of ${report.controls.length} controls right; ${(report.duration_ms / 1000).toFixed(0)} s`,
  );
  return lines.join('\n');
}

const MARKUP: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;' };
const xml = (given: string) => given.toWellFormed().replace(/[<>&"]/g, (char) => MARKUP[char] ?? char);

const STYLE = `body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:72rem;padding:0 1rem;color:#1b1f24;background:#fff}
h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;padding:.35rem .6rem;border-bottom:1px solid #d6dbe1}code{font-size:.9em}
.killed,.right{color:#0a6b2d}.survived,.error,.unsound,.not_reached,.wrong{color:#a4121f;font-weight:600}small{color:#57606a}
@media(prefers-color-scheme:dark){body{color:#e6e9ed;background:#14171a}th,td{border-color:#363c44}.killed,.right{color:#5fd38a}
.survived,.error,.unsound,.not_reached,.wrong{color:#ff8088}small{color:#9aa4af}}`;

/** One page without any other file. */
export function html(report: ProofReport): string {
  const row = (one: Judged) =>
    `<tr><td><code>${xml(one.id)}</code></td><td><code>${xml(one.rule)}</code></td><td>${xml(one.breaks)}</td><td class="${one.verdict}">${one.verdict.replace('_', ' ')}</td><td><small>${xml(one.reason)}</small></td></tr>`;
  const sections = bySection(report.faults).map(([section, faults]) => {
    const killed = faults.filter(({ verdict }) => verdict === 'killed').length;
    return `<h2>${xml(section)}: ${killed} of ${faults.length}</h2><table><tr><th>Fault<th>Rule<th>What is wrong<th>Verdict<th>What the rule said</tr>${faults.map(row).join('')}</table>`;
  });
  const controls = report.controls.map(
    ({ name, expected, found, right }) =>
      `<tr><td>${xml(name)}</td><td>${xml(expected)}</td><td>${xml(found)}</td><td class="${right ? 'right' : 'wrong'}">${right ? 'right' : 'wrong'}</td></tr>`,
  );
  const unreached = report.out_of_reach.map(
    ({ rule, reason }) => `<tr><td><code>${xml(rule)}</code></td><td>${xml(reason)}</td></tr>`,
  );
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Proof that the conformance suite bites</title><style>${STYLE}</style>
<h1>Proof that the conformance suite bites</h1>
<p>${report.counts.killed} of ${report.faults.length} planted faults were found by the very rule that must find them. Each fault is wrong in one way; it is planted between suite and service.</p>
${sections.join('\n')}
<h2>Controls</h2><table><tr><th>Control<th>Expected<th>Found<th></tr>${controls.join('')}</table>
<h2>Rules that no fault is planted for</h2><table><tr><th>Rule<th>Why</tr>${unreached.join('')}</table>
<p><small>${xml(report.started_at)}, ${(report.duration_ms / 1000).toFixed(0)} s</small></p></html>
`;
}
