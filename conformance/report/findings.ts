/** The parts of the HTML report about single rules: what is wrong, what was not tested, and the list of all rules. */

import type { Status } from '../judge/outcome.ts';
import { advice } from './baseline.ts';
import type { Results, RuleResult } from './results.ts';
import { BY_WEIGHT, commandFor, duration, html, MEANINGS } from './text.ts';

/** How many findings are shown unfolded. */
const OPEN = 8;

const badgeOf = (status: Status) => `<span class="status" data-tone="${status}">${status}</span>`;

/** The attributes that the filters of the page look at. */
function marks({ rule, section, status, operations }: RuleResult): string {
  return `data-rule="${html(rule)}" data-section="${html(section)}" data-status="${status}" data-operations="${html(Object.keys(operations).join(' '))}"`;
}

const block = (title: string, text: string) =>
  text === '' ? '' : `<p class="quiet">${title}</p><pre data-copy="${title.toLowerCase()}">${html(text)}</pre>`;

function excuseOf({ deviation }: RuleResult): string {
  if (!deviation) return '';
  const link = /^https?:\/\//.test(deviation.link)
    ? `<a href="${html(deviation.link)}" rel="noreferrer">${html(deviation.link)}</a>`
    : html(deviation.link);
  return `<p>Excused until ${html(deviation.expires)}: ${link}${deviation.note === '' ? '' : ` — ${html(deviation.note)}`}</p>`;
}

function finding(result: RuleResult, profile: string, open: boolean): string {
  const { rule, level, status, text, reason, place, decisions, exchange, trail = [], curl } = result;
  const rests = decisions.length > 0 ? ` · rests on ${html(decisions.join(', '))}` : '';
  const before = trail.map((one) => one.exchange).join('\n\n');
  return `<details class="card finding" data-tone="${status}" ${marks(result)}${open ? ' open' : ''}>
<summary>${badgeOf(status)} <h3>${html(rule)} · ${html(text || 'not a rule of the table')}</h3></summary>
<p class="reason">${html(reason)}</p>${excuseOf(result)}
<p class="quiet">${level} · ${html(place)}${rests}</p>
${block('The exchange that decided', exchange)}
${before === '' ? '' : `<details><summary>${trail.length} exchanges before it</summary><pre>${html(before)}</pre></details>`}
${block('The request again', curl)}
${block('This rule alone', commandFor(rule, profile))}
</details>`;
}

/** Violations and faults of the suite, the most serious first. */
export function findings({ rules, profile, baseline }: Results): string {
  const statuses: readonly Status[] = ['FAIL', 'ERROR', 'WARN', 'DEVIATION'];
  const wrong = statuses.flatMap((status) => rules.filter((rule) => rule.status === status));
  const old = baseline.map((problem) => `<li>${html(advice(problem))}</li>`);
  return `<section aria-labelledby="wrong"><h2 id="wrong">What is wrong</h2>
${old.length > 0 ? `<div class="card"><p><strong>The baseline is out of date</strong></p><ul>${old.join('')}</ul></div>` : ''}
${wrong.length === 0 ? '<p>No rule is violated.</p>' : wrong.map((result, at) => finding(result, profile, at < OPEN)).join('\n')}
<p id="none" class="quiet" hidden>None of these fits the filters.</p></section>`;
}

/** Rules that were not judged, grouped by what is missing. */
export function gaps({ rules }: Results): string {
  const left = rules.filter(({ status }) => status === 'UNTESTED' || status === 'SKIP');
  if (left.length === 0) return '';
  const kinds = new Map<string, RuleResult[]>();
  for (const result of left) {
    const kind = `${result.status}\n${result.code}\n${result.reason}`;
    kinds.set(kind, [...(kinds.get(kind) ?? []), result]);
  }
  const rows = [...kinds].map(([kind, of]) => {
    const [, code = '', reason = ''] = kind.split('\n');
    const status = of[0]?.status ?? 'UNTESTED';
    return `<tr><td>${badgeOf(status)}</td><td>${html(code)}</td><td>${html(reason)}</td><td>${html(of.map(({ rule }) => rule).join(', '))}</td></tr>`;
  });
  return `<section aria-labelledby="gaps"><h2 id="gaps">What was not tested</h2><div class="card scroll"><table>
<caption>${left.length} rules say nothing about the target, for these reasons.</caption>
<thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">What is missing</th><th scope="col">Rules</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table></div></section>`;
}

const option = (value: string, text = value) => `<option value="${html(value)}">${html(text)}</option>`;

/** The filters; hidden until the script is ready to handle them. */
export function filters({ rules, counts, coverage }: Results): string {
  const sections = [...new Set(rules.map(({ section }) => section))].filter((section) => section !== '');
  const statuses = BY_WEIGHT.filter((status) => counts[status] > 0);
  const select = (name: string, title: string, options: readonly string[]) =>
    `<label>${title}<select name="${name}">${option('', 'all')}${options.join('')}</select></label>`;
  return `<form class="card filters" aria-label="Filter rules" hidden>
${select(
  'section',
  'Section',
  sections.map((one) => option(one)),
)}
${select(
  'status',
  'Status',
  statuses.map((one) => option(one, `${one} (${counts[one]})`)),
)}
${select(
  'operation',
  'Operation',
  coverage.map(({ operation }) => option(operation)),
)}
<label>Text<input name="text" type="search" placeholder="id, text, reason"></label>
<button class="copy" type="reset">Clear</button>
<span id="shown" class="quiet" role="status"></span></form>`;
}

/** All rules of the run. */
export function list({ rules, excluded }: Results): string {
  const rows = rules.map(
    (
      result,
    ) => `<tr ${marks(result)}><th scope="row">${html(result.rule)}</th><td>${badgeOf(result.status)}</td><td>${result.level}</td>
<td>${html(result.text)}${result.reason === '' || result.status === 'PASS' ? '' : `<br><span class="quiet">${html(result.reason.slice(0, 300))}</span>`}${result.note === undefined ? '' : `<br><span class="quiet">${html(result.note)}</span>`}</td>
<td>${html(Object.keys(result.operations).join(', '))}</td><td class="number">${result.exchanges}</td><td class="number">${duration(result.durationMs)}</td></tr>`,
  );
  const never = excluded.map(
    ({ id, text, reason }) => `<tr><th scope="row">${html(id)}</th><td>${html(text)}</td><td>${html(reason)}</td></tr>`,
  );
  return `<section aria-labelledby="all"><h2 id="all">All rules of this run</h2><div class="card scroll"><table id="rules">
<caption>${html(BY_WEIGHT.map((status) => `${status}: ${MEANINGS[status]}`).join('; '))}.</caption>
<thead><tr><th scope="col">Rule</th><th scope="col">Status</th><th scope="col">Level</th><th scope="col">What it guarantees</th><th scope="col">Operations</th><th scope="col" class="number">Requests</th><th scope="col" class="number">Took</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table></div>
<details class="card"><summary>${excluded.length} rules that no suite can test from outside</summary><div class="scroll"><table>
<thead><tr><th scope="col">Rule</th><th scope="col">What it says</th><th scope="col">Why</th></tr></thead><tbody>${never.join('\n')}</tbody></table></div></details></section>`;
}
