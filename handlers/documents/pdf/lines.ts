/**
 * Breaks text into lines, in time that grows with its length: the layout handles each piece that it gets, and a line is
 * one piece, where words, or each ideograph, would be many.
 */
import { createRequire } from 'node:module';
import type { Measure } from './faces.ts';

interface Breaker {
  nextBreak(): { readonly position: number; readonly required?: boolean } | null;
}
// What pdfmake breaks lines by (UAX #14); it has no types.
const LineBreaker = createRequire(import.meta.url)('linebreak') as new (text: string) => Breaker;

/** Pieces of text that no line break parts, and how the line ends: where it may, within a word, or as the text says. */
export interface Line {
  readonly pieces: readonly string[];
  readonly end: 'BREAK' | 'SPLIT' | 'FEED';
}

/** What must be known of the letters, in ems. */
export type Letters = Pick<Measure, 'advance' | 'width' | 'isPlain'>;

export interface Room {
  /** In points, as are all widths here. */
  readonly width: number;
  readonly fontSize: number;
  /** By how much the first line is shorter. */
  readonly indent: number;
}

/** Keeps the search for what fits short, as it need not find the last character that does. */
const SHRINK = 0.95;

/** What is longer fits no line, and is measured in parts only. */
const LONGEST_PIECE = 1_000;

const isLowSurrogate = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff;

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

  /** Adds a piece where it fits: to this line, to the next one, or, if to none, to several. */
  add(piece: string): void {
    const isLong = piece.length > LONGEST_PIECE;
    const seen = piece.trimEnd();
    if (this.#pieces.length > 0 && (isLong || this.#used + this.#widthOf(seen) > this.#width)) this.end('BREAK');
    if (this.#pieces.length > 0) this.#put(piece);
    else if (!isLong && this.#widthOf(seen.trimStart()) <= this.#width) this.#put(piece.trimStart());
    else this.#split(piece);
  }

  /** Fills lines with a piece that fits none. */
  #split(piece: string): void {
    const seen = piece.trimEnd().length;
    const isPlain = this.#measure.isPlain(piece);
    for (let start = 0; start < piece.length; ) {
      const reached = this.#reach(piece, start);
      const fitting = isPlain ? reached : this.#narrowed(piece, start, reached);
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

  /** How far into a piece an empty line reaches: one character at least, and never into one. */
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

  /** Where an empty line ends, as characters together may be wider than apart. */
  #narrowed(piece: string, start: number, reached: number): number {
    for (let end = reached; ; ) {
      const width = this.#widthOf(piece.slice(start, end).trimEnd());
      if (width <= this.#width) return end;
      const fewer = start + Math.floor(((end - start) * this.#width * SHRINK) / width);
      const whole = isLowSurrogate(piece.charCodeAt(fewer)) ? fewer - 1 : fewer;
      if (whole <= start) return start + characterAt(piece, start).length;
      end = whole;
    }
  }
}

/**
 * Breaks a text into the lines that fit a room; there is one at least.
 * @param text as `printable` leaves it: a line feed ends a line
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
