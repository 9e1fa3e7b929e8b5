/** The report of the mutation tests as one page that needs no other file, light and dark. */
import type { Judged } from './judge.ts';
import { bySection, isAllCaught, type MutationReport } from './report.ts';

const MARKUP: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;' };
const xml = (given: string) => given.toWellFormed().replace(/[<>&"]/g, (char) => MARKUP[char] ?? char);

const STYLE = `:root{color-scheme:light dark;--ink:#1b1f24;--paper:#fff;--line:#d6dbe1;--good:#0a6b2d;--bad:#a4121f;--quiet:#57606a}
@media(prefers-color-scheme:dark){:root{--ink:#e6e9ed;--paper:#14171a;--line:#363c44;--good:#5fd38a;--bad:#ff8088;--quiet:#9aa4af}}
body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:76rem;padding:0 1rem;color:var(--ink);background:var(--paper)}
h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}a{color:inherit}code{font-size:.88em}
table{border-collapse:collapse;width:100%;table-layout:fixed}
th,td{text-align:left;vertical-align:top;padding:.3rem .6rem .3rem 0;border-bottom:1px solid var(--line);overflow-wrap:anywhere}
th{font-weight:600;color:var(--quiet)}.good{color:var(--good)}.bad{color:var(--bad);font-weight:600}.quiet{color:var(--quiet);font-size:.88em}
.faults col:nth-child(1){width:7.5%}.faults col:nth-child(2){width:21%}.faults col:nth-child(3){width:28%}.faults col:nth-child(4){width:8.5%}
.sections{max-width:30rem}.wide col:nth-child(1){width:25%}.wide col:nth-child(2){width:20%}.wide col:nth-child(4){width:8%}.reasons col:nth-child(1){width:10%}`;

const cell = (content: string, style = '') => `<td${style === '' ? '' : ` class="${style}"`}>${content}</td>`;
const table = (style: string, heads: readonly string[], rows: readonly (readonly string[])[]) =>
  `<table class="${style}"><colgroup>${heads.map(() => '<col>').join('')}</colgroup><tr>${heads.map((head) => `<th>${head}</th>`).join('')}</tr>${rows.map((cells) => `<tr>${cells.join('')}</tr>`).join('\n')}</table>`;

function faultTable(faults: readonly Judged[]): string {
  const rows = faults.map(({ rule, id, breaks, verdict, reason }) => [
    cell(`<code>${xml(rule)}</code>`),
    cell(`<code>${xml(id)}</code>`),
    cell(xml(breaks)),
    cell(verdict.replace('_', ' '), verdict === 'caught' ? 'good' : 'bad'),
    cell(xml(reason), 'quiet'),
  ]);
  return table('faults', ['Rule', 'Fault', 'What is wrong', 'Verdict', 'What the rule said'], rows);
}

const caughtOf = (faults: readonly Judged[]) => faults.filter(({ verdict }) => verdict === 'caught').length;

/** First what is wrong, then the controls, then every fault by section. */
export function html(report: MutationReport): string {
  const { faults, controls, counts } = report;
  const sections = bySection(faults);
  const left = faults.filter(({ verdict }) => verdict !== 'caught');
  const right = controls.filter((one) => one.right).length;
  const overview = sections.map(([section, own]) => [
    cell(`<a href="#${xml(section)}">${xml(section)}</a>`),
    cell(String(new Set(own.map(({ rule }) => rule)).size)),
    cell(String(own.length)),
    cell(String(caughtOf(own)), caughtOf(own) === own.length ? 'good' : 'bad'),
  ]);
  const controlled = controls.map((one) => [
    cell(xml(one.name)),
    cell(xml(one.expected)),
    cell(xml(one.found)),
    cell(one.right ? 'right' : 'wrong', one.right ? 'good' : 'bad'),
  ]);
  const unreached = report.out_of_reach.map(({ rule, reason }) => [
    cell(`<code>${xml(rule)}</code>`),
    cell(xml(reason)),
  ]);
  const part = report.whole ? '' : ' Only some faults were planted; this page says nothing of the rest.';
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Mutation tests of the conformance suite</title><style>${STYLE}</style>
<h1>Mutation tests of the conformance suite</h1>
<p><strong class="${isAllCaught(report) ? 'good' : 'bad'}">${counts.caught} of ${faults.length} planted faults were found by the very rule that must find them; ${right} of ${controls.length} controls are right.</strong>${part}</p>
<p class="quiet">Each fault is wrong in one way and is planted between suite and service. ${xml(report.started_at)}, ${Math.round(report.duration_ms / 60_000)} min.</p>
${left.length === 0 ? '' : `<h2>Not caught</h2>${faultTable(left)}`}
<h2>Sections</h2>${table('sections', ['Section', 'Rules', 'Faults', 'Killed'], overview)}
${controls.length === 0 ? '' : `<h2>Controls</h2>${table('wide', ['Control', 'Expected', 'Found', ''], controlled)}`}
${unreached.length === 0 ? '' : `<h2>Rules that no fault is planted for</h2>${table('reasons', ['Rule', 'Why'], unreached)}`}
${sections.map(([section, own]) => `<h2 id="${xml(section)}">${xml(section)}: ${caughtOf(own)} of ${own.length}</h2>${faultTable(own)}`).join('\n')}
</html>
`;
}
