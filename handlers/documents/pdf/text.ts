/** Text as it may be printed. */
import type { ContentText, Content as Node } from 'pdfmake/interfaces.js';
import { type Family, measureOf } from './faces.ts';
import { breakLines, type Line } from './lines.ts';

/** The default size of text, in points. */
export const FONT_SIZE = 10.5;

/** `Cf` contains characters that change the text direction, and invisible ones; a page shows neither. */
const INVISIBLE = /\p{Cf}/gu;
const CONTROL = /[^\P{Cc}\n]/gu;
const UNKNOWN = /[\p{Co}\p{Cn}]/gu;
const HEAP_OF_MARKS = /(\p{M}{4})\p{M}+/gu;

/** Removes what a page cannot show: control characters, changes of direction, long rows of combining marks. */
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

/** No line of real text changes direction more often than this. */
const MOST_TURNS = 8;

/** A line, divided where the direction of words changes: the font reverses everything that it gets in one piece. */
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

/** No line of real text has more words; a justified line with more is stretched only between a few groups of words. */
const MOST_WORDS = 24;
const GROUPS = 12;
/** The most lines of one node: the layout's time grows with the square of a node's content. */
const MOST_LINES = 200;

/** The words of a line, each with the space after it. */
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

/**
 * Paragraphs in which all lines except the last are stretched. The layout stretches only lines that it breaks itself.
 */
function justified(lines: readonly Line[]): ContentText[] {
  const nodes: ContentText[] = [];
  let parts: string[] = [];
  let count = 0;
  for (const line of lines) {
    parts.push(...words(line));
    count++;
    // The parts of a split word must not be joined again.
    if (line.end === 'BREAK' && count < MOST_LINES) continue;
    nodes.push(nodeOf(parts));
    parts = [];
    count = 0;
  }
  return parts.length === 0 ? nodes : [...nodes, nodeOf(parts)];
}

/**
 * A node that shows any text, made {@link printable}, in a style.
 * @param width of its column, in points
 * @param style size and face; by default {@link FONT_SIZE} and the serif face
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

/** The text on one line, cut to at most `most` characters. */
export function cut(text: string, most: number): string {
  const characters = Array.from(printable(text).replace(/\s+/g, ' '));
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : characters.join('');
}
