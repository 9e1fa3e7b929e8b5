/** Text as it may be printed. */
import type { ContentText, Content as Node } from 'pdfmake/interfaces.js';
import { type Chain, chainOf, type Family } from './faces.ts';
import { printable, shown } from './glyphs.ts';
import { breakLines, type Line } from './lines.ts';

/** The default size of text, in points. */
export const FONT_SIZE = 10.5;

type Style = Omit<ContentText, 'text' | 'font'> & { readonly font?: Family; readonly fillColor?: string };

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

const nodeOf = (parts: readonly ContentText[]): ContentText =>
  parts.length === 1 ? (parts[0] ?? { text: '' }) : { text: [...parts] };

/** A line, divided where its face changes; the style of the node names the first face. */
function lineNode({ pieces }: Line, chain: Chain): ContentText {
  return nodeOf(
    chain.runs(pieces.join('')).map(({ text, face }) => (face === chain.main ? { text } : { text, font: face.name })),
  );
}

/**
 * Paragraphs in which all lines except the last are stretched. The layout stretches only lines that it breaks itself,
 * and between all their parts: a line whose face changes within a word stays as it is.
 */
function justified(lines: readonly Line[], chain: Chain): ContentText[] {
  const nodes: ContentText[] = [];
  let parts: string[] = [];
  let count = 0;
  const close = () => {
    if (parts.length > 0) nodes.push(nodeOf(parts.map((text) => ({ text }))));
    parts = [];
    count = 0;
  };
  for (const line of lines) {
    if (!chain.main.hasAll(line.pieces.join(''))) {
      close();
      nodes.push({ ...lineNode(line, chain), alignment: 'left' });
      continue;
    }
    parts.push(...words(line));
    count++;
    // The parts of a split word must not be joined again.
    if (line.end !== 'BREAK' || count >= MOST_LINES) close();
  }
  close();
  return nodes;
}

/**
 * A node that shows any text, made `printable`, in a style.
 * @param width of its column, in points
 * @param style size and face; by default {@link FONT_SIZE} and the serif face
 */
export function textNode(text: string, width: number, style: Style = {}): Node {
  const { leadingIndent = 0, ...rest } = style;
  const { font = 'Serif', bold = false, fontSize = FONT_SIZE } = style;
  const chain = chainOf(font, bold);
  const lines = breakLines(printable(text), chain, { width, fontSize, indent: leadingIndent });
  const [first, ...others] =
    style.alignment === 'justify' ? justified(lines, chain) : lines.map((line) => lineNode(line, chain));
  const head = { ...first, leadingIndent };
  const shared = { ...rest, noWrap: true };
  return (others.length === 0 ? { ...shared, ...head } : { ...shared, stack: [head, ...others] }) as Node;
}

/** The text on one line, cut to at most `most` characters, whether or not they are printed. */
export function cut(text: string, most: number): string {
  const characters = Array.from(shown(text).replace(/\s+/g, ' '));
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : characters.join('');
}
