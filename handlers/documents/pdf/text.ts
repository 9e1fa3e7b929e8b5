/** Text as it may be printed. */
import type { ContentText, Content as Node } from 'pdfmake/interfaces.js';
import { type Family, measureOf } from './faces.ts';
import { breakLines, type Line } from './lines.ts';

/** Points; what a text has that says nothing else. */
export const FONT_SIZE = 10.5;

/** `Cf` holds what turns the direction of text and what hides in it; a page shows neither. */
const INVISIBLE = /\p{Cf}/gu;
const CONTROL = /[^\P{Cc}\n]/gu;
const UNKNOWN = /[\p{Co}\p{Cn}]/gu;
const HEAP_OF_MARKS = /(\p{M}{4})\p{M}+/gu;

/** Any text without what a page cannot show: control characters, turns of direction, heaps of combining marks. */
export function printable(text: string): string {
  return text
    .toWellFormed()
    .normalize('NFC')
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(CONTROL, ' ')
    .replace(INVISIBLE, '')
    .replace(UNKNOWN, '\ufffd')
    .replace(HEAP_OF_MARKS, '$1');
}

type Style = Omit<ContentText, 'text' | 'font'> & { readonly font?: Family; readonly fillColor?: string };

/** The blocks of Unicode whose letters go from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** More turns of direction than this are in no line of a language. */
const MOST_TURNS = 8;

/** A line, parted where words of another direction touch: the font turns round whatever it gets at once. */
function parted({ pieces }: Line): string[] {
  const whole = pieces.join('');
  if (!RIGHT_TO_LEFT.test(whole)) return [whole];
  const parts: string[] = [];
  let before: boolean | undefined;
  for (const piece of pieces) {
    const turned = RIGHT_TO_LEFT.test(piece);
    const last = parts.at(-1);
    if (last === undefined || (turned !== before && !last.endsWith(' '))) parts.push(piece);
    else parts[parts.length - 1] = last + piece;
    before = turned;
  }
  return parts.length > MOST_TURNS ? [whole] : parts;
}

/** As many words as a line of a language has; a justified line with more is stretched between a few groups of them. */
const MOST_WORDS = 24;
const GROUPS = 12;
/** Lines of one node: the layout's time grows with the square of what is in one. */
const MOST_LINES = 200;

/** The words of a line, each with the space behind it. */
function words({ pieces }: Line): string[] {
  const whole: string[] = [];
  for (const piece of pieces) {
    const last = whole.at(-1);
    if (last === undefined || last.endsWith(' ')) whole.push(piece);
    else whole[whole.length - 1] = last + piece;
  }
  if (whole.length <= MOST_WORDS) return whole;
  const size = Math.ceil(whole.length / GROUPS);
  const groups = Array.from({ length: Math.ceil(whole.length / size) }, (_, nth) => nth * size);
  return groups.map((from) => whole.slice(from, from + size).join(''));
}

const nodeOf = (parts: readonly string[]): ContentText =>
  parts.length === 1 ? { text: parts[0] ?? '' } : { text: parts.map((text) => ({ text })) };

/** Paragraphs whose lines but the last are stretched; the layout breaks them again, as it stretches only what it breaks. */
function justified(lines: readonly Line[]): ContentText[] {
  const nodes: ContentText[] = [];
  let parts: string[] = [];
  let count = 0;
  for (const line of lines) {
    parts.push(...words(line));
    count++;
    // The parts of a word that is split must not come together again.
    if (line.end === 'BREAK' && count < MOST_LINES) continue;
    nodes.push(nodeOf(parts));
    parts = [];
    count = 0;
  }
  return parts.length === 0 ? nodes : [...nodes, nodeOf(parts)];
}

/**
 * A node that shows any text, {@link printable}, in a style.
 * @param width of its column, in points
 * @param style says the size and the face itself, unless they are {@link FONT_SIZE} and the serif
 */
export function textNode(text: string, width: number, style: Style = {}): Node {
  const { leadingIndent = 0, ...rest } = style;
  const { font = 'Serif', bold = false, fontSize = FONT_SIZE } = style;
  const lines = breakLines(printable(text), measureOf(font, bold), { width, fontSize, indent: leadingIndent });
  const [first, ...others] =
    style.alignment === 'justify' ? justified(lines) : lines.map((line) => nodeOf(parted(line)));
  const head = { ...first, leadingIndent };
  const shared = { ...rest, noWrap: true };
  return (others.length === 0 ? { ...shared, ...head } : { ...shared, stack: [head, ...others] }) as Node;
}

/** At most so many characters, on one line. */
export function cut(text: string, most: number): string {
  const characters = Array.from(printable(text).replace(/\s+/g, ' '));
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : characters.join('');
}
