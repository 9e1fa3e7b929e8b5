/** The folder of fonts that an operator may add for letters that ours lack (D-17). */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Font, type FontFile, fontkit } from './faces.ts';

export { addFonts } from './faces.ts';

const BOLD = 600;

/** Why a font cannot be printed with; undefined if it can. A font of colours has no outlines. */
function problemOf(font: Font): string | undefined {
  const drawn = font.characterSet
    .filter((codePoint) => codePoint > 0x20)
    .map((codePoint) => font.glyphForCodePoint(codePoint))
    .find(({ path }) => path.commands.length > 0);
  if (drawn === undefined) return 'has no outlines of letters, which a PDF needs';
  const subset = font.createSubset();
  subset.includeGlyph(drawn);
  return subset.encode().length > 0 ? undefined : 'cannot be embedded in a PDF';
}

function fontIn(dir: string, name: string, nth: number): FontFile {
  const file = join(dir, name);
  const refuse = (why: string): never => {
    throw new Error(`PDF_FONTS_DIR: ${name} ${why}`);
  };
  try {
    const font = fontkit.create(readFileSync(file));
    const problem = problemOf(font);
    if (problem !== undefined) refuse(problem);
    // A PDF must not depend on the name of the folder.
    return { name: `added-${nth}`, file, isBold: (font['OS/2']?.usWeightClass ?? 0) >= BOLD };
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('PDF_FONTS_DIR')) throw error;
    return refuse('is no font that can be read and embedded');
  }
}

/**
 * The fonts of a folder: its `.ttf` and `.otf` files, by name, each of which was opened.
 * @param dir undefined for none
 * @throws Error with a sentence that begins with `PDF_FONTS_DIR`
 */
export function fontsIn(dir: string | undefined): readonly FontFile[] {
  if (dir === undefined) return [];
  let names: string[];
  try {
    names = readdirSync(dir)
      .filter((name) => /\.(ttf|otf)$/i.test(name))
      .sort();
  } catch {
    throw new Error('PDF_FONTS_DIR: is no folder that this user can read');
  }
  if (names.length === 0) throw new Error('PDF_FONTS_DIR: the folder holds no .ttf or .otf file');
  return names.map((name, nth) => fontIn(dir, name, nth));
}
