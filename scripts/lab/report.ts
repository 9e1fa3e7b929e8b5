/** How the figures of a scenario are shown. */
import type { Bound, Figure, Row } from './scenario.ts';

/** Whether every promise is kept. */
export const areMet = (rows: readonly Row[]): boolean =>
  rows.every(({ figures }) => figures.every(({ met }) => met !== false));

/** Rounds a value to what is worth reading: three digits or whole numbers. */
function shown({ value, unit }: Figure): string {
  const digits = Number.isInteger(value) || Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return `${value.toFixed(digits)} ${unit}`.trimEnd();
}

function bounds({ most, least }: Bound): string {
  if (most !== undefined) return `≤ ${most}`;
  return least === undefined ? '' : `≥ ${least}`;
}

const verdict = ({ met }: Figure): string => (met === null ? '' : met ? 'met' : 'NOT MET');

/** A line for each row. */
export function tableLines(rows: readonly Row[]): string[] {
  const width = Math.max(12, ...rows.map(({ label }) => label.length));
  return rows.map(({ label, figures }) => {
    const cells = figures.map((each) => {
      const value = `${each.name} ${shown(each)}`.trim();
      return figures.length > 1 ? value : `${value.padStart(12)}  ${bounds(each.aim).padEnd(12)}${verdict(each)}`;
    });
    return `  ${label.padEnd(figures.length > 1 ? width : 66)} ${cells.join('  ')}`.trimEnd();
  });
}
