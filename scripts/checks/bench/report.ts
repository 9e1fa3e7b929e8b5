/** What a run of the bench found, as its file holds it, and how it is shown. */
import { escaped, facts, page, section, table } from '../../../conformance/report/markup.ts';
import type { Bound, Figure, Row } from './scenario.ts';

/** What one scenario found. */
export interface Result {
  readonly name: string;
  readonly about: string;
  readonly rows: readonly Row[];
  /** Why it ended before it had found everything. */
  readonly broke_off?: string;
}

/** The content of `bench.json`. */
export interface Report {
  readonly format_version: 2;
  readonly made_at: string;
  readonly engine: string;
  readonly node: string;
  readonly processors: number;
  /** How many processes wanted a processor, over the last minute before the run. */
  readonly load_before: number;
  readonly quick: boolean;
  readonly scenarios: readonly Result[];
}

/** Whether a scenario found everything, and kept every promise. */
export const isMet = ({ rows, broke_off }: Result): boolean =>
  broke_off === undefined && rows.every(({ figures }) => figures.every(({ met }) => met !== false));

/** Rounds a value to what is worth reading: three digits or whole numbers. */
function shown({ value, unit }: Figure): string {
  const digits = Number.isInteger(value) || Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return `${value.toFixed(digits)} ${unit}`.trimEnd();
}

function bounds({ most, least }: Bound): string {
  if (most !== undefined && least !== undefined) return `${least} to ${most}`;
  if (most !== undefined) return `≤ ${most}`;
  return least === undefined ? '' : `≥ ${least}`;
}

const verdict = ({ met }: Figure): string => (met === null ? '' : met ? 'met' : 'NOT MET');

/** The table of a scenario, with a line for each row. */
export function tableText({ name, about, rows, broke_off }: Result): string {
  const width = Math.max(12, ...rows.map(({ label }) => label.length));
  const lines = rows.map(({ label, figures }) => {
    const cells = figures.map((each) => {
      const value = `${each.name} ${shown(each)}`.trim();
      return figures.length > 1 ? value : `${value.padStart(12)}  ${bounds(each.aim).padEnd(12)}${verdict(each)}`;
    });
    return `  ${label.padEnd(figures.length > 1 ? width : 66)} ${cells.join('  ')}`.trimEnd();
  });
  return [`${name}: ${about}`, ...lines, ...(broke_off === undefined ? [] : [`  broke off: ${broke_off}`])].join('\n');
}

function tableHtml({ rows, about, broke_off }: Result): string {
  const names = [...new Set(rows.flatMap(({ figures }) => figures.map(({ name }) => name)))];
  const cells = rows.map(({ label, figures }) => [
    label,
    ...names.map((name) =>
      figures
        .filter((each) => each.name === name)
        .map(shown)
        .join(),
    ),
    ...[figures.map(({ aim }) => bounds(aim)), figures.map(verdict)].map((each) => each.join(' ').trim()),
  ]);
  const columns = ['', ...names.map((title) => ({ title, isNumber: true })), 'aim', ''];
  const end = broke_off === undefined ? '' : `<p>Broke off: ${escaped(broke_off)}</p>`;
  return `<p>${escaped(about)}</p>${table({ columns, rows: cells, hasRowHeadings: true })}${end}`;
}

/** The report as a page: a table for each scenario. */
export function benchPage(report: Report): string {
  const given = facts([
    ['Database', report.engine],
    ['Processors', String(report.processors)],
    ['Load before', report.load_before.toFixed(1)],
    ['Node', report.node],
    ['Made', report.made_at],
  ]);
  return page({
    title: 'What the service costs',
    header: `<h1>What the service costs</h1>${given}`,
    sections: report.scenarios.map((result) => section(result.name, tableHtml(result))),
    footer: 'Of ideal: how much is done with the same processor time, compared with ideal; more is better.',
  });
}
