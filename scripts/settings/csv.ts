/** CSV for spreadsheets (RFC 4180), in UTF-8. */
import { writeFileSync } from 'node:fs';
import { refuse } from './failure.ts';

/** The characters that a spreadsheet would take for the beginning of a formula. */
const FORMULA = /^[=+\-@\t\r\n\uFF0B\uFF0D\uFF1D\uFF20]/;

/**
 * One line with its line end. Cells come from external systems. A cell that a spreadsheet would run as a formula gets
 * an apostrophe in front, so that the spreadsheet shows it as text.
 */
export function csvLine(cells: readonly string[]): string {
  const safe = cells.map((cell) => (FORMULA.test(cell) ? `'${cell}` : cell));
  return `${safe.map((cell) => `"${cell.replaceAll('"', '""')}"`).join()}\r\n`;
}

/** @throws Failure (refused) if the file already exists, or cannot be written */
export function writeNewFile(path: string, text: string, force: boolean): void {
  try {
    writeFileSync(path, text, { flag: force ? 'w' : 'wx', mode: 0o600 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') refuse(`${path} exists. Add --force to replace it.`);
    refuse(`${path} cannot be written (${code}).`);
  }
}
