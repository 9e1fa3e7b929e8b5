import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, test } from '@jest/globals';
import { chainOf } from './faces.ts';
import { printable } from './glyphs.ts';
import { breakLines, type Letters } from './text.ts';

const require = createRequire(import.meta.url);
interface Font {
  readonly unitsPerEm: number;
  layout(text: string): { readonly advanceWidth: number };
}
const fontkit = require('fontkit') as { create(bytes: Uint8Array): Font };
const serif = fontkit.create(readFileSync(require.resolve('dejavu-fonts-ttf/ttf/DejaVuSerifCondensed.ttf')));

const room = { width: 150, fontSize: 10, indent: 0 };
const measure = chainOf('Serif', false);
const linesOf = (text: string, indent = 0) =>
  breakLines(text, measure, { ...room, indent }).map(({ pieces }) => pieces.join(''));

/** The width of a line as pdfkit draws it: word by word, each with the space after it. */
const drawnWidth = (line: string) =>
  line
    .trim()
    .split(/(?<= )/)
    .reduce((sum, word) => sum + serif.layout(word).advanceWidth, 0) *
  (room.fontSize / serif.unitsPerEm);

const TEXTS: readonly (readonly [string, string])[] = [
  ['words', 'Работник обязуется лично выполнять трудовые обязанности, AVATAR To ffi. '.repeat(10)],
  ['one word', 'Щы'.repeat(500)],
  ['a word behind others', `а б ${'Щы'.repeat(50)} в г`],
  ['ideographs', '漢字，「漢」。'.repeat(60)],
  ['marks on letters', 'и\u0301у\u0308'.repeat(200)],
  ['marks without letters', ' \u0301\u0302'.repeat(200)],
  ['from right to left', 'שלום עולם סלאם-2023 '.repeat(20)],
  ['joined letters', 'السلامعليكم'.repeat(40)],
  ['clusters that are broken', 'ि क'.repeat(100)],
  ['clusters that never end', 'क\u093f\u0947'.repeat(200)],
  ['emoji', '👨👩👧😀'.repeat(60)],
  ['jamo', '\u1100\u1161\u11a8'.repeat(100)],
  ['spaces that do not break', 'а\u00a0'.repeat(200)],
];

describe('lines', () => {
  test.each(TEXTS)('of %s hold the whole text and fit', (_, raw) => {
    const text = printable(raw);
    const lines = linesOf(text);
    expect(lines.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
    for (const line of lines) {
      const characters = Array.from(line.trim()).length;
      // Kerning may move letters apart by some hundredths of an em.
      expect({ line, fits: characters === 1 || drawnWidth(line) <= room.width + 1 }).toEqual({ line, fits: true });
      expect(line.isWellFormed()).toBe(true);
    }
  });

  test('are as full as possible', () => {
    const lines = linesOf('ааа '.repeat(100));
    const word = drawnWidth(' ааа');
    for (const line of lines.slice(0, -1)) expect(drawnWidth(line) + word).toBeGreaterThan(room.width);
  });

  test('end where the text has a line break, and an empty one is kept', () => {
    expect(linesOf('а\n\nб\n')).toEqual(['а', '', 'б']);
    expect(linesOf('')).toEqual(['']);
  });

  test('start later when the first is indented', () => {
    const [first = ''] = linesOf('а '.repeat(100), 60);
    expect(drawnWidth(first)).toBeLessThanOrEqual(room.width - 60);
    expect(linesOf('а '.repeat(100))[0]?.length).toBeGreaterThan(first.length);
  });

  test.each(TEXTS)('of %s take work in proportion to the length of the text', (_, part) => {
    const work = (text: string) => {
      let measured = 0;
      const counting: Letters = {
        advance: (character) => {
          measured++;
          return measure.advance(character);
        },
        width: (piece) => {
          measured += piece.length;
          return measure.width(piece);
        },
      };
      breakLines(text, counting, room);
      return measured / text.length;
    };
    const text = printable(part.repeat(Math.ceil(2_000 / part.length)));
    const once = work(text);
    expect(once).toBeLessThan(8);
    expect(work(text.repeat(8))).toBeLessThan(once * 1.2 + 0.1);
  });
});
