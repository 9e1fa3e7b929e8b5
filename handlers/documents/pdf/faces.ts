/**
 * The faces in which documents are printed. Reading a font takes longer than printing a small document, so each is read
 * once in a thread's life, however many documents it prints.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Faces with the letters of Russian and Kazakh; a file contains only the letters that it uses. */
export const FACES = {
  Serif: { normal: 'DejaVuSerifCondensed', bold: 'DejaVuSerifCondensed-Bold' },
  Mono: { normal: 'DejaVuSansMono' },
} as const;

export type Family = keyof typeof FACES;

/** The parts of a fontkit font that are used; widths are in units of the font. */
interface Font {
  readonly unitsPerEm: number;
  hasGlyphForCodePoint(codePoint: number): boolean;
  glyphForCodePoint(codePoint: number): { readonly advanceWidth: number };
  layout(text: string): { readonly advanceWidth: number };
}

type Format = { new (stream: { readonly buffer: Uint8Array }): Font; probe(bytes: Uint8Array): boolean };

interface Fontkit {
  create(bytes: Uint8Array): Font;
  registerFormat(format: Format): void;
}

const require = createRequire(import.meta.url);
// The instance that pdfkit uses; `import` would find another one.
const fontkit = require('fontkit') as Fontkit;

const names = Object.values(FACES).flatMap((faces) => Object.values(faces) as string[]);
const fonts = new Map<string, Font>();

/**
 * A font, read once. Its glyphs remember the character for which they were first used, so only copies are printed with.
 */
function readOnce(name: string): Font {
  const known = fonts.get(name);
  if (known !== undefined) return known;
  const font = fontkit.create(readFileSync(require.resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`)));
  fonts.set(name, font);
  return font;
}

/** The same font with glyphs of its own, so that no document shows what was printed before it. */
const copyOf = (name: string): Font => Object.create(readOnce(name), { _glyphs: { value: {} } }) as Font;

const nameIn = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');

/** Makes pdfkit, which takes fonts as bytes, accept a name in their place. */
class NamedFace {
  static probe(bytes: Uint8Array): boolean {
    return names.includes(nameIn(bytes));
  }

  constructor({ buffer }: { readonly buffer: Uint8Array }) {
    // biome-ignore lint/correctness/noConstructorReturn: fontkit calls a format with `new`, and takes what it gets
    return copyOf(nameIn(buffer));
  }
}
fontkit.registerFormat(NamedFace as unknown as Format);

/** The names of the faces, used instead of their bytes. */
export const namedFaces = (): readonly (readonly [name: string, bytes: Buffer])[] =>
  names.map((name) => [name, Buffer.from(name, 'latin1')]);

const NONSPACING = /^[\p{Mn}\p{Me}]$/u;
/** Scripts whose letters stand side by side, each as wide as alone; kerning can only bring them closer. */
const PLAIN = /^[\p{sc=Zyyy}\p{sc=Zinh}\p{sc=Latn}\p{sc=Cyrl}\p{sc=Grek}\p{sc=Hani}\p{sc=Hira}\p{sc=Kana}]*$/u;
const MOST_KEPT = 5_000;
const CODE_POINTS = 0x110000;

/** How wide text is in one face. */
export class Measure {
  readonly #font: Font;
  readonly #unitsPerEm: number;
  /** By code point: its width plus one, or 0 while it is unknown. */
  readonly #advances = new Uint16Array(CODE_POINTS);
  readonly #shaped = new Map<string, number>();

  constructor(name: string) {
    this.#font = copyOf(name);
    this.#unitsPerEm = this.#font.unitsPerEm;
  }

  /** The width of a single character, in ems; 0 for a mark above or below another character. */
  advance(character: string): number {
    const codePoint = character.codePointAt(0) ?? 0;
    const known = this.#advances[codePoint] ?? 0;
    if (known > 0) return (known - 1) / this.#unitsPerEm;
    const isMark = NONSPACING.test(character) && this.#font.hasGlyphForCodePoint(codePoint);
    const width = isMark ? 0 : this.#font.glyphForCodePoint(codePoint).advanceWidth;
    this.#advances[codePoint] = width + 1;
    return width / this.#unitsPerEm;
  }

  /** Whether a text is never wider than its characters together. */
  isPlain(text: string): boolean {
    return PLAIN.test(text);
  }

  /** The width of a text, in ems: the sum of its characters, or, if these change each other, of the shaped text. */
  width(text: string): number {
    if (!this.isPlain(text)) return this.#shapedWidth(text);
    let sum = 0;
    for (const character of text) sum += this.advance(character);
    return sum;
  }

  #shapedWidth(text: string): number {
    const known = this.#shaped.get(text);
    if (known !== undefined) return known;
    const width = this.#font.layout(text).advanceWidth / this.#unitsPerEm;
    if (this.#shaped.size >= MOST_KEPT) this.#shaped.clear();
    this.#shaped.set(text, width);
    return width;
  }
}

const measures = new Map<string, Measure>();

/** The measure of a face; made once. */
export function measureOf(family: Family, bold: boolean): Measure {
  const name = bold && family === 'Serif' ? FACES.Serif.bold : FACES[family].normal;
  const measure = measures.get(name) ?? new Measure(name);
  measures.set(name, measure);
  return measure;
}
