/** A table for a terminal: as wide as its content, and cut to the width of the terminal if there is one. */

const GAP = '  ';
const NARROWEST = 8;

/** @param width the terminal's width in columns, or undefined if nothing may be cut (the output is not a terminal) */
export function table(heads: readonly string[], rows: readonly (readonly string[])[], width?: number): string {
  const lines = [heads, ...rows].map((row) => row.map((cell) => cell.replace(/\s+/g, ' ')));
  const widths = heads.map((_, i) => Math.max(...lines.map((line) => (line[i] ?? '').length)));
  for (
    let over = widths.reduce((a, b) => a + b + GAP.length, -GAP.length) - (width ?? Number.POSITIVE_INFINITY);
    over > 0;
  ) {
    const widest = widths.indexOf(Math.max(...widths));
    const most = widths[widest] ?? 0;
    if (most <= NARROWEST) break;
    widths[widest] = most - 1;
    over--;
  }
  const cut = (text: string, to: number) => (text.length > to ? `${text.slice(0, to - 1)}…` : text);
  return lines
    .map((line) =>
      line
        .map((cell, i) => cut(cell, widths[i] ?? 0).padEnd(widths[i] ?? 0))
        .join(GAP)
        .trimEnd(),
    )
    .join('\n');
}
