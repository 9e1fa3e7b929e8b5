import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { addFonts, fontsIn } from './faces.ts';
import { printable, unprintableIn } from './glyphs.ts';

const added = () => fontsIn(join(import.meta.dirname, 'testing/fonts'));
afterEach(() => addFonts([]));

/** Of each text: what is printed of it, and, if not all of it is, the first character that is not. */
const TEXTS: [what: string, text: string, printed: string, blamed?: string][] = [
  ['Kazakh', 'Әсел Қыдырова', 'Әсел Қыдырова'],
  ['Vietnamese', 'Nguyễn Thị Đặng', 'Nguyễn Thị Đặng'],
  ['Georgian', 'გიორგი', 'გიორგი'],
  ['Armenian', 'Աննա', 'Աննա'],
  ['Chinese', 'a王明', 'a U+738B U+660E', 'U+738B 2 GLYPH'],
  ['Chinese beside letters', '王a1明 王.', 'U+738B a1 U+660E U+738B.', 'U+738B 1 GLYPH'],
  ['Korean', '김', 'U+AE40', 'U+AE40 1 GLYPH'],
  ['Japanese', 'さ', 'U+3055', 'U+3055 1 GLYPH'],
  ['Arabic', 'علي', 'U+0639 U+0644 U+064A', 'U+0639 1 SCRIPT'],
  ['Arabic digits', '1٣', '1 U+0663', 'U+0663 2 SCRIPT'],
  ['Hebrew', 'א', 'U+05D0', 'U+05D0 1 SCRIPT'],
  ['Thai', 'สม', 'U+0E2A U+0E21', 'U+0E2A 1 SCRIPT'],
  ['Hindi', 'नरे', 'U+0928 U+0930 U+0947', 'U+0928 1 SCRIPT'],
  ['a face that is not the first', '😀☎✓', '😀☎✓'],
  ['another emoji', '👩', 'U+1F469', 'U+1F469 1 GLYPH'],
  ['emoji that are joined', '😀\u200d😀', '😀😀'],
  ['a flag', '🇰🇿', 'U+1F1F0 U+1F1FF', 'U+1F1F0 1 GLYPH'],
  ['a variant', '❤\ufe0f', '❤'],
  ['a keycap', '1\ufe0f\u20e3', 'U+0031 U+20E3', 'U+20E3 3 GLYPH'],
  ['a letter and its mark, composed', 'и\u0306', 'й'],
  ['a letter and its mark, not composed', 'я\u0301', 'я\u0301'],
  ['an invisible character between them', 'и\u200d\u0306', 'й'],
  ['a mark that no face has', 'x\u1dff', 'U+0078 U+1DFF', 'U+1DFF 2 GLYPH'],
  ['another writing of a letter', '\u212b', '\u00c5'],
  ['a syllable in parts', 'a\u1112\u1161', 'a U+1112 U+1161', 'U+1112 2 GLYPH'],
  ['an old syllable', '\u1100\u1100', 'U+1100 U+1100', 'U+1100 1 SCRIPT'],
  ['hints for line breaks', 'а\u00adб\u200bв\u2060', 'абв'],
  ['turns of direction', '\u202eab\u2066c\u200f', 'abc'],
  ['blanks', 'a\tb\u3000c\u2003\u0085d', 'a b c\u2003 d'],
  ['line ends', 'a\r\nb\rc\u2028d', 'a\nb\nc\nd'],
  ['a control character', 'a\u0007', 'a U+0007', 'U+0007 2 GLYPH'],
  ['private use', '\ue000\u{f0000}', 'U+E000 U+F0000', 'U+E000 1 GLYPH'],
  ['no character', '\u0378\uffff', 'U+0378 U+FFFF', 'U+0378 1 GLYPH'],
  ['half a character', 'a\ud800', 'a U+D800', 'U+D800 2 GLYPH'],
  ['outside the first plane', '😀𝔸\u{20000}', '😀𝔸 U+20000', 'U+20000 3 GLYPH'],
];

test.each(TEXTS)('%s is printed, or named with its place', (_, text, printed, blamed = '') => {
  expect(printable(text)).toBe(printed);
  const { character, position, reason } = unprintableIn(text) ?? {};
  expect([character, position, reason].join(' ').trim()).toBe(blamed);
});

test.each(TEXTS)('%s as it is printed is printed as it is', (_, __, printed) => {
  expect([printable(printed), unprintableIn(printed)]).toEqual([printed, undefined]);
});

test.each([
  ['李明', undefined],
  ['한', undefined],
  ['\u1112\u1161\u11ab', undefined],
  ['👩', undefined],
  ['א', 'SCRIPT'],
  ['\ue000', 'GLYPH'],
  ['王', 'GLYPH'],
])('with the fonts of an operator %j is refused for %s', (text, reason) => {
  addFonts(added());
  expect(unprintableIn(text)?.reason).toBe(reason);
});

describe('the time', () => {
  const LENGTH = 24_000;
  test.each([
    ['letters', 'ы'],
    ['composed marks', 'и\u0306'],
    ['marks', 'я\u0301'],
    ['marks of one letter', '\u0301\u0316'],
    ['invisible characters', '\u200d'],
    ['variants', 'a\ufe0f'],
    ['parts of syllables', '\u1100\u1161'],
    ['what is not printed', '漢'],
    ['blanks', ' \u0301'],
  ])('for %s grows with the length of the text', (_, part) => {
    const time = (length: number) => {
      const text = `a${part.repeat(length / part.length)}`;
      const times = Array.from({ length: 5 }, () => {
        const before = process.threadCpuUsage();
        unprintableIn(text);
        printable(text);
        const { user, system } = process.threadCpuUsage(before);
        return user + system;
      });
      return Math.min(...times);
    };
    time(LENGTH / 4);
    expect(time(LENGTH)).toBeLessThan(Math.max(50_000, 2 * 4 * time(LENGTH / 4)));
  });
});
