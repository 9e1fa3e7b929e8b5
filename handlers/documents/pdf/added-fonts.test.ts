import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { addFonts, chainOf, fontsIn } from './faces.ts';
import { documentLayout, type FilledDocument } from './layout.ts';
import { print } from './print.ts';
import { Printer } from './printer.ts';
import { readText } from './testing/read-text.ts';

/** Fonts of squares: of 明, 李, א and a private-use character; and, with PostScript outlines, of 한 and 👩. */
const FONTS = join(import.meta.dirname, 'testing/fonts');
let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'fonts-'));
});
afterAll(async () => {
  await rm(dir, { recursive: true });
  addFonts([]);
});

test('the fonts of a folder are used in the order of their names', () => {
  expect(fontsIn(FONTS).map(({ file }) => file)).toEqual([join(FONTS, 'squares-cff.otf'), join(FONTS, 'squares.ttf')]);
  expect(fontsIn(undefined)).toEqual([]);
});

test('text is printed with them where ours lack a letter, in all styles, and so in a printing thread', async () => {
  addFonts(fontsIn(FONTS));
  const rest = { align: 'justify', indent: false } as const;
  const input: FilledDocument = {
    id: '7d1f7e3c-53f5-4c1c-9d27-6f8a3c2b1e00',
    title: '李',
    number: '1',
    date: '2026-03-02',
    organization: 'א',
    locale: 'ru',
    blocks: [
      { type: 'paragraph', text: 'Ә李明 한😀 王', bold: false, ...rest },
      { type: 'paragraph', text: `${'слово 李明 '.repeat(60)}конец`, bold: true, ...rest },
    ],
  };
  const bytes = await print(documentLayout(input));
  const runs = readText(bytes);
  const text = runs.map((run) => run.text).join('');
  expect(text).toContain('Ә李明 한😀 U+738B');
  expect(text).toContain('U+05D0');
  expect(text.split('李明')).toHaveLength(62);
  for (const { x } of runs) expect(x).toBeLessThan(595 - 43);
  const printer = new Printer(new URL('./printing-thread.ts', import.meta.url));
  expect(Buffer.from(await printer.print({ kind: 'document', input }, 'tenant')).equals(bytes)).toBe(true);
});

test('a text is as wide as its letters in their faces', () => {
  addFonts(fontsIn(FONTS));
  const chain = chainOf('Serif', true);
  expect(chain.width('李a')).toBeCloseTo(1 + chain.width('a'));
});

describe('a folder is refused', () => {
  test.each([
    ['that is not there', async () => join(dir, 'nowhere'), /is no folder that this user can read/],
    ['without a font', async () => dir, /holds no \.ttf or \.otf file/],
    [
      'with a file that is no font',
      async () => {
        await writeFile(join(dir, 'broken.ttf'), 'not a font');
        return dir;
      },
      /^PDF_FONTS_DIR: broken\.ttf is no font that can be read/,
    ],
  ])('%s', async (_, make, words) => {
    const made = await make();
    expect(() => fontsIn(made)).toThrow(words);
  });

  test('for a font without outlines, which a PDF needs', async () => {
    const only = await mkdtemp(join(dir, 'only-'));
    await copyFile(join(FONTS, 'squares.ttf'), join(only, 'a.TTF'));
    expect(fontsIn(only)).toHaveLength(1);
    await copyFile(join(FONTS, '../blank.ttf'), join(only, 'b.ttf'));
    expect(() => fontsIn(only)).toThrow('b.ttf has no outlines of letters');
  });
});
