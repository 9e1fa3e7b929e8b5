/** The parts of the HTML report about single rules: what is wrong, what was not tested, and the list of all rules. */

import { escaped, numbers, section, statusBadge, table } from '../../scripts/kit/page/page.ts';
import type { Status } from '../judge/outcome.ts';
import { advice } from './baseline.ts';
import { byGap, type Finding, findingsOf, idsOf } from './cause.ts';
import { decisionAnchor } from './promise.ts';
import type { Results, RuleResult } from './results.ts';
import { BY_WEIGHT, commandFor, duration, MEANINGS } from './text.ts';

/** How many findings are shown unfolded. */
const OPEN = 8;
/** How much of a reason the list of all rules shows. */
const LONGEST_REASON = 300;

/** The attributes that the filters of the page look at. */
function marks({ rule, section, status, operations }: RuleResult): string {
  return `data-rule="${escaped(rule)}" data-section="${escaped(section)}" data-status="${status}" data-operation="${escaped(Object.keys(operations).join(' '))}"`;
}

/** Text as a link to the docs, or as it is where they are not known. @param anchor '' if they do not have it */
export function linked(text: string, anchor: string, docs: string | undefined): string {
  if (docs === undefined || anchor === '') return escaped(text);
  return `<a href="${escaped(docs + anchor)}" rel="noreferrer">${escaped(text)}</a>`;
}

const block = (title: string, text: string) =>
  text && `<p class="quiet">${title}</p><pre data-copy="${title.toLowerCase()}">${escaped(text)}</pre>`;

function excuseOf({ deviation }: RuleResult): string {
  if (!deviation) return '';
  const { link, expires, note } = deviation;
  const ticket = linked(link, /^https?:\/\//.test(link) ? link : '', '');
  return `<p>Excused until ${escaped(expires)}: ${ticket}${note && ` — ${escaped(note)}`}</p>`;
}

/** The run that a finding belongs to. */
type Run = Pick<Results, 'profile' | 'target'>;

function finding(result: RuleResult, { profile, target: { docs } }: Run, open: boolean): string {
  const { rule, level, status, text, reason, place, promise = '', decisions, exchange, trail = [], curl } = result;
  const { replaces = [], note = '' } = result;
  const links = decisions.map((id) => linked(id, decisionAnchor(id), docs));
  const rests = links.length > 0 ? ` · rests on ${links.join(', ')}` : '';
  const earlier = replaces.map((id) => `<span id="${escaped(id)}">${escaped(id)}</span>`);
  const covers = earlier.length > 0 ? ` · in earlier releases ${earlier.join(', ')}` : '';
  const before = trail.map((one) => one.exchange).join('\n\n');
  return `<details class="card finding" id="${escaped(rule)}" data-tone="${status}" ${marks(result)}${open ? ' open' : ''}>
<summary>${statusBadge(status)} <h3>${escaped(rule)} · ${escaped(text || 'not a rule of the table')}</h3></summary>
<p class="reason">${escaped(reason)}</p>${note && `<p class="quiet">${escaped(note)}</p>`}${excuseOf(result)}
<p class="quiet">${level} · ${linked(place, promise, docs)}${rests}${covers}</p>
${block('The exchange that decided', exchange)}
${before && `<details><summary>Exchanges before it: ${trail.length}</summary><pre>${escaped(before)}</pre></details>`}
${block('The request again', curl)}
${block('This rule alone', commandFor(rule, profile))}
</details>`;
}

/** A cause that several rules have met has a heading, and shows only the first unfolded. */
function ofOneCause({ heading, rules }: Finding, run: Run, open: boolean): string {
  const shown = rules.map((result, at) => finding(result, run, open && at === 0)).join('\n');
  if (rules.length === 1) return shown;
  return `<section class="cause"><p><strong>${rules.length} rules:</strong> ${escaped(heading)}</p>\n${shown}</section>`;
}

/** How many rules of a cause the index shows unfolded. */
const LINKED = 5;

/** From so many causes on, an index stands before the findings. */
const INDEXED = 4;

/** What is wrong at a glance: the rules of each cause, as links to their findings. */
function index(wrong: readonly Finding[]): string {
  if (wrong.length < INDEXED) return '';
  const lines = wrong.map(({ heading, rules }) => {
    const links = rules.map(({ rule }) => `<a href="#${escaped(rule)}">${escaped(rule)}</a>`);
    const some = links.slice(0, LINKED).join(', ');
    const more = links.length - LINKED;
    const all =
      more > 0
        ? `<details><summary>${some} and ${more} more</summary>${links.slice(LINKED).join(', ')}</details>`
        : some;
    return `<li>${statusBadge(rules[0].status)} ${escaped(heading.slice(0, LONGEST_REASON))}: ${all}</li>`;
  });
  return `<nav class="card" aria-label="What is wrong, by cause"><ul>${lines.join('\n')}</ul></nav>`;
}

/** Violations and faults of the suite, the most serious first, those of one cause together. */
export function findings(results: Results): string {
  const { rules, baseline } = results;
  const statuses: readonly Status[] = ['FAIL', 'ERROR', 'WARN', 'DEVIATION'];
  const wrong = statuses.flatMap((status) => findingsOf(rules.filter((rule) => rule.status === status)));
  const old = baseline.map((problem) => `<li>${escaped(advice(problem))}</li>`);
  const content = `${old.length > 0 ? `<div class="card"><p><strong>The baseline is out of date</strong></p><ul>${old.join('')}</ul></div>` : ''}
${index(wrong)}
${wrong.length === 0 ? '<p>No rule is violated.</p>' : wrong.map((same, at) => ofOneCause(same, results, at < OPEN)).join('\n')}
<p id="none" class="quiet" hidden>None of these fits the filters.</p>`;
  return section('What is wrong', content, 'wrong');
}

/** Rules that were not judged, grouped by what is missing. */
export function gaps({ rules }: Results): string {
  const kinds = byGap(rules);
  if (kinds.length === 0) return '';
  const rows = kinds.flatMap((same) =>
    same.slice(0, 1).map(({ status, code, reason }) => [{ html: statusBadge(status) }, code, reason, idsOf(same)]),
  );
  const caption = `${kinds.flat().length} rules say nothing about the target, for these reasons.`;
  return section(
    'What was not tested',
    table({ caption, columns: ['Status', 'Code', 'What is missing', 'Rules'], rows }),
    'gaps',
  );
}

/** Which rules nothing else was checked beside, and why: a run cannot be shorter than these take. */
export function alone({ rules }: Results): string {
  const all = rules.filter((result) => result.alone !== undefined);
  if (all.length === 0) return '';
  const rows = all.map(({ rule, alone: why = '', durationMs }) => [rule, why, duration(durationMs)]);
  const caption = `Nothing else was checked beside these, one after the other: ${all.length} in all.`;
  return section('What ran alone', table({ caption, columns: ['Rule', 'Why', numbers('Took')], rows }), 'alone');
}

type Option = readonly [value: string, text?: string];

/** What hides the rows of a list, or of several, that do not fit it. */
interface Filters {
  /** What it filters, for those who hear it. */
  readonly label: string;
  /** The selector of the rows, which have the names of the choices as attributes. */
  readonly rows: string;
  /** By their names: the titles of the choices, and the values. */
  readonly choices: Readonly<Record<string, readonly [title: string, options: readonly Option[]]>>;
  /** The name of the text that rows must hold, and an example of it. */
  readonly text: readonly [name: string, example: string];
}

/** The form that `filter.js` obeys. */
export function filterForm({ label, rows, choices, text: [text, example] }: Filters): string {
  const selects = Object.entries(choices).map(([name, [title, options]]) => {
    const all = [['', 'all'] as const, ...options].map(
      ([value, shown = value]) => `<option value="${escaped(value)}">${escaped(shown)}</option>`,
    );
    return `<label>${escaped(title)}<select name="${name}">${all.join('')}</select></label>`;
  });
  return `<form class="card filters" aria-label="${label}" data-rows="${rows}">
${selects.join('\n')}
<label>Text<input name="${text}" type="search" placeholder="${example}"></label>
<button class="copy" type="reset">Clear</button>
<span class="quiet" role="status"></span></form>`;
}

/** The filters of the rules. */
export function filters({ rules, counts, coverage }: Results): string {
  const sections = [...new Set(rules.map(({ section }) => section))].filter((section) => section !== '');
  const statuses = BY_WEIGHT.filter((status) => counts[status] > 0);
  return filterForm({
    label: 'Filter rules',
    rows: '[data-rule]',
    choices: {
      section: ['Section', sections.map((one) => [one])],
      status: ['Status', statuses.map((one) => [one, `${one} (${counts[one]})`])],
      operation: ['Operation', coverage.map(({ operation }) => [operation])],
    },
    text: ['text', 'id, text, reason'],
  });
}

/** What a rule guarantees, and below it what was noticed. */
function guarantee({ text, reason, status, note = '' }: RuleResult): string {
  const noticed = [status === 'PASS' ? '' : reason.slice(0, LONGEST_REASON), note].filter((line) => line !== '');
  return [escaped(text), ...noticed.map((line) => `<span class="quiet">${escaped(line)}</span>`)].join('<br>');
}

/** All rules of the run. */
export function list({ rules, target: { docs } }: Results): string {
  const all = table({
    id: 'rules',
    caption: `${BY_WEIGHT.map((status) => `${status}: ${MEANINGS[status]}`).join('; ')}.`,
    columns: ['Rule', 'Status', 'Level', 'What it guarantees', 'Operations', numbers('Requests'), numbers('Took')],
    hasRowHeadings: true,
    rows: rules.map((result) => ({
      attributes: `id="rule-${escaped(result.rule)}" ${marks(result)}`,
      cells: [
        { html: linked(result.rule, result.promise ?? '', docs) },
        { html: statusBadge(result.status) },
        result.level,
        { html: guarantee(result) },
        Object.keys(result.operations).join(', '),
        result.exchanges,
        duration(result.durationMs),
      ],
    })),
  });
  return section('All rules of this run', all, 'all');
}
