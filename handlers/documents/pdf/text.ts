/** Text as it may be printed: broken into lines that fit, and made nodes of the layout. */
import { createRequire } from 'node:module';
import type { ContentText, Content as Node } from 'pdfmake/interfaces.js';
import { type Chain, chainOf, type Family } from './faces.ts';
import { printable, shown } from './glyphs.ts';

interface Breaker {
  nextBreak(): { readonly position: number } | null;
}
// The library by which pdfmake breaks lines (UAX #14); it has no types.
const LineBreaker = createRequire(import.meta.url)('linebreak') as new (text: string) => Breaker;

/**
 * Pieces of text without a line break, and how the line ends: at an allowed place, within a word, or at a line feed.
 */
interface Line {
  readonly pieces: readonly string[];
  readonly end: 'BREAK' | 'SPLIT' | 'FEED';
}

/** The measures of letters that are needed, in ems. */
export type Letters = Pick<Chain, 'advance' | 'width'>;

interface Room {
  /** In points, as are all widths here. */
  readonly width: number;
  readonly fontSize: number;
  /** By how much the first line is shorter. */
  readonly indent: number;
}

/** A longer piece fits no line, and is measured only in parts. */
const LONGEST_PIECE = 1_000;

const characterAt = (text: string, at: number) => String.fromCodePoint(text.codePointAt(at) ?? 0);

/** Gathers lines. White space at either end of a line takes no room. */
class Lines {
  readonly done: Line[] = [];
  readonly #measure: Letters;
  readonly #room: Room;
  #pieces: string[] = [];
  #used = 0;

  constructor(measure: Letters, room: Room) {
    this.#measure = measure;
    this.#room = room;
  }

  get #width(): number {
    return this.#room.width - (this.done.length === 0 ? this.#room.indent : 0);
  }

  #widthOf(text: string): number {
    return text === '' ? 0 : this.#measure.width(text) * this.#room.fontSize;
  }

  end(end: Line['end']): void {
    this.done.push({ pieces: this.#pieces.length === 0 ? [''] : this.#pieces, end });
    this.#pieces = [];
    this.#used = 0;
  }

  /** Ends the last line. */
  finish(): void {
    if (this.#pieces.length > 0 || this.done.length === 0) this.end('FEED');
  }

  /**
   * Adds a piece to this line if it fits, or else to the next one; a piece that fits no line is spread over several.
   */
  add(piece: string): void {
    const isLong = piece.length > LONGEST_PIECE;
    const seen = piece.trimEnd();
    if (this.#pieces.length > 0 && (isLong || this.#used + this.#widthOf(seen) > this.#width)) this.end('BREAK');
    if (this.#pieces.length > 0) this.#put(piece);
    else if (!isLong && this.#widthOf(seen.trimStart()) <= this.#width) this.#put(piece.trimStart());
    else this.#split(piece);
  }

  /** Spreads a piece that fits no line over several. */
  #split(piece: string): void {
    const seen = piece.trimEnd().length;
    for (let start = 0; start < piece.length; ) {
      const fitting = this.#reach(piece, start);
      const end = fitting >= seen ? piece.length : fitting;
      this.#put(piece.slice(start, end));
      if (end < piece.length) this.end('SPLIT');
      start = end;
    }
  }

  #put(piece: string): void {
    this.#pieces.push(piece);
    this.#used += this.#widthOf(piece);
  }

  /** How much of a piece fits an empty line: at least one character, and only whole characters. */
  #reach(piece: string, start: number): number {
    let end = start;
    let used = 0;
    for (; end < piece.length; ) {
      const character = characterAt(piece, end);
      used += this.#measure.advance(character) * this.#room.fontSize;
      if (end > start && used > this.#width) break;
      end += character.length;
    }
    return end;
  }
}

/**
 * Breaks a text into lines that fit a room, in time linear in its length; there is at least one line. The layout handles
 * every piece separately, and a line is only one piece, while words, or single ideographs, would be many.
 * @param text as returned by `printable`: a line feed ends a line
 */
export function breakLines(text: string, measure: Letters, room: Room): readonly Line[] {
  const lines = new Lines(measure, room);
  const breaker = new LineBreaker(text);
  let start = 0;
  for (let found = breaker.nextBreak(); found !== null; found = breaker.nextBreak()) {
    const piece = text.slice(start, found.position);
    start = found.position;
    const isEnd = piece.endsWith('\n');
    lines.add(isEnd ? piece.slice(0, -1) : piece);
    if (isEnd) lines.end('FEED');
  }
  lines.finish();
  return lines.done;
}

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
