/** Tables for a terminal: no line is wider than it. */
import type { Table } from './command.ts';
import { LEAST_OF_ID } from './id-beginning.ts';

const GAP = '  ';

/** How narrow columns may become. Of an id so much stays that commands understand it. */
const FLOOR = 3;
/** Also the prefix of a key fits in, as a whole. */
const ID_FLOOR = LEAST_OF_ID + 4;

const NARROW = /^[\x20-\u02ff\u0370-\u0482\u048a-\u058f]*$/;
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** A text of one line, without what a terminal would take for a command to itself. */
export function plain(text: string): string {
  return text.replace(/[\p{Cc}\s]+/gu, ' ').replace(/\p{Cf}/gu, '');
}

/** How many columns of a terminal a text takes. */
export function widthOf(text: string): number {
  if (NARROW.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += WIDE.test(segment) ? 2 : 1;
  return width;
}

/** The text, or as much of it as fits, with an ellipsis. */
export function cut(text: string, to = Number.POSITIVE_INFINITY): string {
  if (widthOf(text) <= to) return text;
  let kept = '';
  let width = 1;
  for (const { segment } of graphemes.segment(text)) {
    width += widthOf(segment);
    if (width > to) break;
    kept += segment;
  }
  return `${kept}…`;
}

const lineWidth = (widths: readonly number[]) => widths.reduce((sum, width) => sum + width + GAP.length, -GAP.length);

/** Narrows the widest columns until a line fits, or nothing can be narrowed any more. */
function narrowed(natural: readonly number[], areIds: readonly boolean[], most: number): number[] {
  const widths = [...natural];
  for (let over = lineWidth(widths) - most; over > 0; over--) {
    const candidates = widths.map((width, i) => (width > (areIds[i] ? ID_FLOOR : FLOOR) ? width : 0));
    const widest = Math.max(...candidates);
    if (widest === 0) break;
    widths[candidates.indexOf(widest)] = widest - 1;
  }
  return widths;
}

/** @param width the terminal's width in columns, or undefined if nothing may be cut (the output is not a terminal) */
export function tableText({ heads, rows, areIds = [] }: Table, width = Number.POSITIVE_INFINITY): string {
  if (rows.length === 0) return 'None.';
  const cells = rows.map((row) => row.map(plain));
  const widthAt = (i: number) => Math.max(widthOf(heads[i] ?? ''), ...cells.map((row) => widthOf(row[i] ?? '')));
  const all = heads.map((_, i) => i);
  // Columns without content go first, where there is no room for all.
  const isTight = lineWidth(all.map(widthAt)) > width;
  const shown = isTight ? all.filter((i) => cells.some((row) => row[i] !== '')) : all;
  const widths = narrowed(
    shown.map(widthAt),
    shown.map((i) => areIds[i] ?? false),
    width,
  );
  const lines = [heads, ...cells].map((row) => {
    const texts = shown.map((i, at) => {
      const text = cut(row[i] ?? '', widths[at] ?? 0);
      return text + ' '.repeat(Math.max(0, (widths[at] ?? 0) - widthOf(text)));
    });
    return cut(texts.join(GAP).trimEnd(), width);
  });
  return lines.join('\n');
}
