/** The faces in which documents are printed. */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';

/** The parts of a fontkit font that are used; widths are in units of the font. */
interface Font {
  readonly unitsPerEm: number;
  readonly 'OS/2'?: { readonly usWeightClass: number };
  readonly characterSet: readonly number[];
  hasGlyphForCodePoint(codePoint: number): boolean;
  glyphForCodePoint(codePoint: number): Glyph;
  createSubset(): { includeGlyph(glyph: Glyph): number; encode(): Uint8Array };
}

interface Glyph {
  readonly advanceWidth: number;
  readonly path: { readonly commands: readonly unknown[] };
}

const require = createRequire(import.meta.url);
// It has no types.
const fontkit = require('fontkit') as { create(bytes: Uint8Array): Font };

/** A file of a font; a printed PDF contains only the letters that it uses. */
interface FontFile {
  /** The name by which pdfmake knows the face. */
  readonly name: string;
  readonly file: string;
  readonly isBold: boolean;
}

const own = (name: string, isBold = false): FontFile => ({
  name,
  file: require.resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`),
  isBold,
});
const SERIF = { normal: own('DejaVuSerifCondensed'), bold: own('DejaVuSerifCondensed-Bold', true) };
const MONO = own('DejaVuSansMono');
/** They have symbols that the others lack. */
const SANS = [own('DejaVuSansCondensed'), own('DejaVuSansCondensed-Bold', true)];

/** The families that styles name; every other face is a family of its own. */
const FAMILIES = {
  Serif: { normal: SERIF.normal.file, bold: SERIF.bold.file },
  Mono: { normal: MONO.file },
} as const;
export type Family = keyof typeof FAMILIES;

/** The key under which Node hands the added fonts to every thread that this one starts. */
const ADDED = 'added fonts';
let added = (getEnvironmentData(ADDED) ?? []) as readonly FontFile[];

/** The fonts that the operator has added. */
export const addedFonts = (): readonly FontFile[] => added;

/** Adds fonts for characters that ours lack (D-17). Call it before anything is printed. */
export function addFonts(files: readonly FontFile[]): void {
  added = files;
  setEnvironmentData(ADDED, added as FontFile[]);
  faces.clear();
  chains.clear();
}

const allFiles = (): readonly FontFile[] => [SERIF.normal, SERIF.bold, MONO, ...SANS, ...added];

/** The files of the faces, by family, as pdfmake takes them. */
export const familyFiles = (): Readonly<Record<string, { readonly normal: string; readonly bold?: string }>> => ({
  ...Object.fromEntries(allFiles().map(({ name, file }) => [name, { normal: file, bold: file }])),
  ...FAMILIES,
});

const NONSPACING = /^[\p{Mn}\p{Me}]$/u;
const PAGE_SIZE = 256;

/** What is needed of one face to lay text out. */
class Face {
  readonly name: string;
  readonly #font: Font;
  /** By code point, in pages: its width plus 2, 1 if it has no glyph, or 0 while that is unknown. */
  readonly #pages: Uint32Array[] = [];

  constructor(file: FontFile) {
    this.name = file.name;
    this.#font = fontkit.create(readFileSync(file.file));
  }

  #entry(codePoint: number): number {
    const nth = Math.floor(codePoint / PAGE_SIZE);
    this.#pages[nth] ??= new Uint32Array(PAGE_SIZE);
    const page = this.#pages[nth];
    const known = page[codePoint % PAGE_SIZE] ?? 0;
    if (known > 0) return known;
    const has = this.#font.hasGlyphForCodePoint(codePoint);
    const isMark = NONSPACING.test(String.fromCodePoint(codePoint));
    const entry = has ? 2 + (isMark ? 0 : this.#font.glyphForCodePoint(codePoint).advanceWidth) : 1;
    page[codePoint % PAGE_SIZE] = entry;
    return entry;
  }

  has(codePoint: number): boolean {
    return this.#entry(codePoint) > 1;
  }

  /** Whether it has glyphs for all characters of a text. */
  hasAll(text: string): boolean {
    for (let at = 0; at < text.length; ) {
      const codePoint = text.codePointAt(at) ?? 0;
      if (!this.has(codePoint)) return false;
      at += codePoint > 0xffff ? 2 : 1;
    }
    return true;
  }

  /** The width of a character that it has, in ems; 0 for a mark above or below another character. */
  advance(codePoint: number): number {
    return Math.max(0, this.#entry(codePoint) - 2) / this.#font.unitsPerEm;
  }
}

const faces = new Map<string, Face>();

/** A face, opened once. */
function faceOf(file: FontFile): Face {
  const face = faces.get(file.name) ?? new Face(file);
  faces.set(file.name, face);
  return face;
}

/** A letter with its marks: all of it is printed in one face. */
const CLUSTER = /\P{M}\p{M}*|\p{M}+/gu;

/** A part of a text that is printed in one face. */
interface FaceRun {
  readonly text: string;
  readonly face: Face;
}

/** The faces of a style of text, first those that a character is rather printed in. All styles have all faces. */
export class Chain {
  /** The face that the style names. */
  readonly main: Face;
  readonly #files: readonly FontFile[];

  constructor(family: Family, bold: boolean) {
    const first = family === 'Mono' ? MONO : SERIF[bold ? 'bold' : 'normal'];
    const rest = allFiles().filter((file) => file !== first);
    this.main = faceOf(first);
    this.#files = [
      first,
      ...rest.filter(({ isBold }) => isBold === bold),
      ...rest.filter((file) => file.isBold !== bold),
    ];
  }

  /** The face in which a letter with its marks is printed; undefined if no face has all of it. */
  faceFor(cluster: string): Face | undefined {
    // The others are opened only if they are needed.
    for (const file of this.#files) {
      const face = faceOf(file);
      if (face.hasAll(cluster)) return face;
    }
    return undefined;
  }

  /** Divides a text where its face changes. What no face has stays in the face before it. */
  runs(text: string): FaceRun[] {
    if (this.main.hasAll(text)) return [{ text, face: this.main }];
    const runs: { text: string; face: Face }[] = [];
    for (const [cluster] of text.matchAll(CLUSTER)) {
      const last = runs.at(-1);
      const face = this.faceFor(cluster) ?? last?.face ?? this.main;
      if (last !== undefined && last.face === face) last.text += cluster;
      else runs.push({ text: cluster, face });
    }
    return runs;
  }

  /** The width of a single character, in ems. */
  advance(character: string): number {
    return this.faceFor(character)?.advance(character.codePointAt(0) ?? 0) ?? 0;
  }

  /** The width of a text, in ems: the sum of its characters. Kerning and marks can only bring them closer. */
  width(text: string): number {
    let sum = 0;
    for (const character of text) sum += this.advance(character);
    return sum;
  }
}

const chains = new Map<string, Chain>();

/** The faces of a style; made once. */
export function chainOf(family: Family, bold: boolean): Chain {
  const key = `${family} ${bold}`;
  const chain = chains.get(key) ?? new Chain(family, bold);
  chains.set(key, chain);
  return chain;
}

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
