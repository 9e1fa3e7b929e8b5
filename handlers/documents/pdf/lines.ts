/**
 * Breaks text into lines, in time linear in its length. The layout handles every piece separately, and a line is only
 * one piece, while words, or single ideographs, would be many.
 */
import { createRequire } from 'node:module';
import type { Chain } from './faces.ts';

interface Breaker {
  nextBreak(): { readonly position: number; readonly required?: boolean } | null;
}
// The library by which pdfmake breaks lines (UAX #14); it has no types.
const LineBreaker = createRequire(import.meta.url)('linebreak') as new (text: string) => Breaker;

/**
 * Pieces of text without a line break, and how the line ends: at an allowed place, within a word, or at a line feed.
 */
export interface Line {
  readonly pieces: readonly string[];
  readonly end: 'BREAK' | 'SPLIT' | 'FEED';
}

/** The measures of letters that are needed, in ems. */
export type Letters = Pick<Chain, 'advance' | 'width'>;

export interface Room {
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
 * Breaks a text into lines that fit a room; there is at least one line.
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
