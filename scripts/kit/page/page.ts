/** The parts of which the pages of all reports consist. A page loads nothing: it works offline and can be sent to others. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ESCAPES: Readonly<Record<string, string>> = {
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  '"': '&quot;',
  "'": '&#39;',
};
/** What XML forbids. */
const FORBIDDEN = /[^\P{Cc}\n\t]|[\ufffe\uffff]/gu;

/** Text for HTML and XML, for the content of elements and quoted attributes; characters that XML forbids are replaced. */
export function escaped(text: string): string {
  const allowed = text.toWellFormed().replace(FORBIDDEN, '\ufffd');
  return allowed.replace(/[<>&"']/g, (char) => ESCAPES[char] ?? char);
}

/** What the style sheets have a colour for. */
export type Tone = 'PASS' | 'FAIL' | 'WARN' | 'DEVIATION' | 'SKIP' | 'UNTESTED' | 'ERROR';

const asset = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8');
const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

interface Page {
  readonly title: string;
  readonly header: string;
  readonly sections: readonly string[];
  readonly footer?: string;
  /** The only script that may run. */
  readonly script?: string;
  /** Rules for what only this page has. */
  readonly style?: string;
}

/** A whole page. Header, sections and footer are HTML. */
export function page({ title, header, sections, footer = '', script = '', style = '' }: Page): string {
  const styles = [...['colours.css', 'page.css', 'print.css'].map(asset), style].join('\n');
  const scripts = script === '' ? "'none'" : hashOf(script);
  const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src ${scripts}; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)}</title>
<style>${styles}</style>
</head>
<body>
<header>${header}</header>
<main>
${sections.filter((section) => section !== '').join('\n')}
</main>
${footer === '' ? '' : `<footer class="quiet"><p>${footer}</p></footer>`}
${script === '' ? '' : `<script>${script}</script>`}
</body>
</html>
`;
}

/** A section with a heading; its id is the heading in lower case, unless it is given. */
export function section(heading: string, content: string, id = heading.toLowerCase().replaceAll(/\W+/g, '-')): string {
  return `<section aria-labelledby="${escaped(id)}"><h2 id="${escaped(id)}">${escaped(heading)}</h2>${content}</section>`;
}

/** The verdict of a run, in its colour. @param rest HTML that follows it in the same card */
export function verdictCard(tone: Tone, verdict: string, rest: string): string {
  return `<div class="card verdict" data-tone="${tone}"><strong>${escaped(verdict)}</strong>${rest}</div>`;
}

/** A word in the colour of a status; the status itself, unless another word is given. */
export function statusBadge(tone: Tone, word: string = tone): string {
  return `<span class="status" data-tone="${tone}">${escaped(word)}</span>`;
}

/** Names with values; those without a value are left out. */
export function facts(pairs: readonly (readonly [name: string, value: string | number | undefined])[]): string {
  const known = pairs.filter(([, value]) => value !== undefined);
  const items = known.map(([name, value]) => `<div><dt>${escaped(name)}</dt><dd>${escaped(String(value))}</dd></div>`);
  return `<dl class="facts">${items.join('')}</dl>`;
}

/** A column of a table; a bare title is that of texts. */
type Column = string | { readonly title: string; readonly isNumber?: boolean; readonly isQuiet?: boolean };
/** A text, a number, or HTML with the attributes of its element. */
type Cell = string | number | { readonly html: string; readonly attributes?: string };
type Row = readonly Cell[] | { readonly attributes: string; readonly cells: readonly Cell[] };

interface Table {
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  readonly caption?: string;
  readonly id?: string;
  /** Whether the first cell of each row is its heading. */
  readonly hasRowHeadings?: boolean;
}

/** The column of numbers with this title. */
export const numbers = (title: string) => ({ title, isNumber: true });

export const codeCell = (text: string) => ({ html: `<code>${escaped(text)}</code>` });
export const quietCell = (text: string) => ({ html: escaped(text), attributes: 'class="quiet"' });
export const badgeCell = (isGood: boolean, word: string) => ({ html: statusBadge(isGood ? 'PASS' : 'FAIL', word) });
/** A part of a whole as a bar. @param text what is read where no bar is shown */
export const meterCell = (part: number, whole: number, text: string) => ({
  html: `<progress class="meter" max="${whole}" value="${part}">${text}</progress>`,
});

/** A table in a card. */
export function table({ columns, rows, caption = '', id = '', hasRowHeadings = false }: Table): string {
  const all = columns.map((column) => (typeof column === 'string' ? { title: column } : column));
  const heads = all.map(({ title, isNumber, isQuiet }) => {
    const text = isQuiet ? `<span class="quiet">${escaped(title)}</span>` : escaped(title);
    return `<th scope="col"${isNumber ? ' class="number"' : ''}>${text}</th>`;
  });
  const cell = (given: Cell, at: number): string => {
    const { html, attributes = '' } = typeof given === 'object' ? given : { html: escaped(String(given)) };
    if (hasRowHeadings && at === 0) return `<th scope="row">${html}</th>`;
    const kind = attributes === '' && all[at]?.isNumber ? 'class="number"' : attributes;
    return `<td${kind === '' ? '' : ` ${kind}`}>${html}</td>`;
  };
  const lines = rows.map((row) => {
    const { attributes, cells } = 'cells' in row ? row : { attributes: '', cells: row };
    return `<tr${attributes === '' ? '' : ` ${attributes}`}>${cells.map(cell).join('')}</tr>`;
  });
  const titled = caption === '' ? '' : `<caption>${escaped(caption)}</caption>`;
  return `<div class="card scroll"><table${id === '' ? '' : ` id="${id}"`}>${titled}
<thead><tr>${heads.join('')}</tr></thead>
<tbody>${lines.join('\n')}</tbody></table></div>`;
}
