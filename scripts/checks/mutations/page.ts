/** The report as one page that needs no other file, light and dark. */
import { COLUMNS, leftOf, type Report, told } from './report.ts';
import { endingOf, isOpen, type TriedMutation } from './verdict.ts';

const MARKUP: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;' };
const html = (given: string) => given.toWellFormed().replace(/[<>&"]/g, (char) => MARKUP[char] ?? char);

const STYLE = `:root{color-scheme:light dark;--ink:#1b1f24;--paper:#fff;--line:#d6dbe1;--good:#0a6b2d;--bad:#a4121f;--quiet:#57606a}
@media(prefers-color-scheme:dark){:root{--ink:#e6e9ed;--paper:#14171a;--line:#363c44;--good:#5fd38a;--bad:#ff8088;--quiet:#9aa4af}}
body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:76rem;padding:0 1rem;color:var(--ink);background:var(--paper)}
h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}code{font-size:.88em}table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;padding:.3rem .6rem .3rem 0;border-bottom:1px solid var(--line);overflow-wrap:anywhere}
th{font-weight:600;color:var(--quiet)}.good{color:var(--good)}.bad{color:var(--bad);font-weight:600}.quiet{color:var(--quiet);font-size:.88em}`;

const cell = (content: string, style = '') => `<td${style === '' ? '' : ` class="${style}"`}>${content}</td>`;
const table = (heads: readonly string[], rows: readonly (readonly string[])[]) =>
  `<table><tr>${heads.map((head) => `<th scope="col">${head}</th>`).join('')}</tr>${rows.map((cells) => `<tr>${cells.join('')}</tr>`).join('\n')}</table>`;

const WORDS = {
  suite: 'caught by the suite',
  unit: 'caught by unit tests',
  does_not_start: 'does not start',
  unclear: 'unclear',
  survived: 'survived',
} as const;

function mutationTable(tried: readonly TriedMutation[]): string {
  const rows = tried.map((one) => {
    const { mutation, verdict } = one;
    const ending = endingOf(verdict);
    const style = ending === 'suite' || ending === 'unit' ? 'good' : isOpen(one) ? 'bad' : 'quiet';
    return [
      cell(`<code>${html(mutation.id)}</code><br><span class="quiet">${html(mutation.file)}</span>`),
      cell(html(mutation.customer)),
      cell(WORDS[ending], style),
      cell(html(told(verdict.suite)), 'quiet'),
      cell(html(told(verdict.unit)), 'quiet'),
      cell(html(mutation.reason ?? ''), 'quiet'),
    ];
  });
  return table(['Mutation', 'What a customer would see', 'Verdict', 'Suite', 'Unit tests', 'Reason'], rows);
}

/** First the table of areas, then the mutations that nothing found, then every mutation by area. */
export function page(report: Report): string {
  const { areas, tried, untried } = report;
  const open = tried.filter(isOpen).length;
  const left = leftOf(report);
  const counts = areas.map((area) => [cell(html(area.name)), ...COLUMNS.map(([key]) => cell(String(area[key])))]);
  const sections = areas
    .filter(({ name }) => name !== 'all')
    .map(({ name }) => {
      const own = tried.filter(({ mutation }) => mutation.area === name);
      return `<h2>${html(name)}</h2>${mutationTable(own)}`;
    });
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Mutations of the source</title><style>${STYLE}</style>
<h1>Mutations of the source</h1>
<p><strong class="${open === 0 ? 'good' : 'bad'}">${tried.length} mutations tried; ${open} of them survived or are unclear without a reason.</strong> ${untried.length} not tried.</p>
<p class="quiet">Each is one fault in the source of the service. A rule that only warns has found nothing; nor has what failed once, or fails without the mutation too. ${html(report.made_at)}</p>
${table(['Area', ...COLUMNS.map(([, title]) => title)], counts)}
${left.length === 0 ? '' : `<h2>What nothing found</h2>${mutationTable(left)}`}
${sections.join('\n')}
</html>
`;
}
