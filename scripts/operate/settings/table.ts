/** Text for a terminal: tables as wide as their content, cut to the width of the terminal if there is one, and facts. */
import type { Facts, Table } from './command.ts';

const GAP = '  ';
const NARROWEST = 8;

/** The widths of the columns: each as wide as its widest cell. The widest columns are then narrowed until a line fits. */
function widthsOf(lines: readonly (readonly string[])[], most: number): number[] {
  const widths = (lines[0] ?? []).map((_, i) => Math.max(...lines.map((line) => (line[i] ?? '').length)));
  let over = widths.reduce((a, b) => a + b + GAP.length, -GAP.length) - most;
  for (; over > 0; over--) {
    const widest = Math.max(...widths);
    if (widest <= NARROWEST) break;
    widths[widths.indexOf(widest)] = widest - 1;
  }
  return widths;
}

/** @param width the terminal's width in columns, or undefined if nothing may be cut (the output is not a terminal) */
export function tableText({ heads, rows }: Table, width = Number.POSITIVE_INFINITY): string {
  if (rows.length === 0) return 'None.';
  const lines = [heads, ...rows].map((row) => row.map((cell) => cell.replace(/\s+/g, ' ')));
  const widths = widthsOf(lines, width);
  const cut = (text: string, to: number) => (text.length > to ? `${text.slice(0, to - 1)}…` : text).padEnd(to);
  const texts = lines.map((line) => line.map((cell, i) => cut(cell, widths[i] ?? 0)).join(GAP));
  return texts.map((text) => text.trimEnd()).join('\n');
}

/** One line for each fact, with the values below each other. */
export function factsText({ title, nameWidth = 0, facts }: Facts): string {
  const width = Math.max(nameWidth, ...facts.map(([name]) => name.length + GAP.length));
  const lines = facts.map(([name, value]) => `${name.padEnd(width)}${value}`.trimEnd());
  return (title === undefined ? lines : [title, ...lines]).join('\n');
}
