/** Which characters are printed (D-17): those for which a face has a glyph, of scripts that need no shaping. */
import { addedFonts, chainOf } from './faces.ts';

/**
 * Scripts whose letters stand side by side from left to right, each drawn alone. The letters of all others must be
 * shaped (joined, reordered, stacked) or go from right to left. A character is printed if it is used with one of these
 * scripts, or with any.
 */
const SCRIPTS = [
  'Latn',
  'Cyrl',
  'Grek',
  'Armn',
  'Geor',
  'Hani',
  'Hira',
  'Kana',
  'Bopo',
  'Hang',
  'Yiii',
  'Ethi',
  'Cher',
];
const RARE_SCRIPTS = ['Cans', 'Copt', 'Glag', 'Tfng', 'Brai', 'Lisu', 'Runr', 'Ogam', 'Goth'];
const scripts = ['Zyyy', 'Zinh', ...SCRIPTS, ...RARE_SCRIPTS].map((script) => `\\p{scx=${script}}`).join('');
const SHAPED = new RegExp(`[^${scripts}]`, 'u');

/** The blocks of Unicode whose characters go from right to left; some of these belong to no script. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Parts of syllables of Hangul. Those that Unicode does not join into one character must be stacked. */
const JAMO = /[\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7fb]/u;

/** Control characters, and those without an agreed meaning, for which a font may have any picture. */
const MEANINGLESS = /[\p{Cc}\p{Co}\p{Cn}\p{Cs}]/u;

const IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu;
const LINE_END = /\r\n?|[\u2028\u2029]/g;
const CONTROL_BLANK = /[\t\v\f\r\u0085]/g;
/** What may become one character with that before it: marks, parts of syllables, and what is invisible between them. */
const TAIL = '\\p{M}\\p{Default_Ignorable_Code_Point}\\u1160-\\u11ff\\ud7b0-\\ud7fb';
const CLUSTER = new RegExp(`[^${TAIL}][${TAIL}]*|[${TAIL}]+`, 'gu');
/** More marks than a text has (UAX #15, Stream-Safe Text Format); normalising them takes time by their square. */
const STREAM_OF_MARKS = /(\p{M}{30})\p{M}+/gu;
const FEW_MARKS = 4;
const HEAP_OF_MARKS = /(\p{M}{4})\p{M}+/gu;

/** A character that is not printed. */
interface Unprintable {
  /** Such as `U+674E`. */
  readonly character: string;
  /** Which character of the text it is, in code points, from 1. */
  readonly position: number;
  /** Whether no face has it, or its script must be shaped or goes from right to left. */
  readonly reason: 'GLYPH' | 'SCRIPT';
}

const REASONS = {
  GLYPH: 'for which the fonts of this deployment have no glyph',
  SCRIPT: 'of a script that must be shaped or runs from right to left',
} as const satisfies Record<Unprintable['reason'], string>;

/** Says of a character that it is not printed: its place and its code point, not the text around it (D-6, D-17). */
export const notPrinted = ({ character, position, reason }: Unprintable): string =>
  `must be printable, but its character ${position} (in code points, from 1) is ${character}, ${REASONS[reason]}`;

const nameOf = (character: string) =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** A text without invisible characters, with a space for a control character: for what is stored beside the pages. */
export const shown = (text: string): string =>
  text
    .toWellFormed()
    .replace(LINE_END, '\n')
    .replace(/[^\P{Cc}\n]/gu, ' ')
    .replace(IGNORABLE, '');

const UNPRINTED = new RegExp([MEANINGLESS, SHAPED, RIGHT_TO_LEFT, JAMO].map(({ source }) => source).join('|'), 'u');

/** Whether one face has all of it. Each style has all faces, so this is so in every style. */
const hasFace = (text: string) => chainOf('Serif', false).faceFor(text) !== undefined;

/** What is visible of a cluster, in as few characters as possible (NFC). */
function composed(cluster: string): string {
  const visible = cluster.replace(IGNORABLE, '').replace(CONTROL_BLANK, ' ');
  if (visible.length <= FEW_MARKS) return visible.normalize('NFC');
  return visible.replace(STREAM_OF_MARKS, '$1').normalize('NFC').replace(HEAP_OF_MARKS, '$1');
}

/**
 * A letter with its marks as it is printed: composed, or, if no face has that, in parts (NFD).
 * @returns undefined if it is not printed; `''` if it is invisible
 */
function formOf(cluster: string): string | undefined {
  const form = composed(cluster);
  if (form === '' || form === '\n') return form;
  if (UNPRINTED.test(form)) return undefined;
  if (hasFace(form)) return form;
  // A blank that no face has is as good as another one.
  return [form.normalize('NFD'), form.replace(/\s/g, ' ')].find(hasFace);
}

/** Which of a cluster's characters is to blame; if each of them is printed alone, the first mark. */
function blamed(cluster: string): Omit<Unprintable, 'position'> & { readonly nth: number } {
  const characters = Array.from(cluster);
  const found = characters.findIndex((character) => formOf(character) === undefined);
  const nth = found < 0 ? Math.min(1, characters.length - 1) : found;
  const form = composed(cluster);
  const reason = UNPRINTED.test(form) && !MEANINGLESS.test(form) ? 'SCRIPT' : 'GLYPH';
  return { nth, character: nameOf(characters[nth] ?? ''), reason };
}

const IS_TAIL = new RegExp(`[${TAIL}]`, 'u');
/** What is known of a character: printed as it is, whatever is beside it; never printed; or to be looked at with others. */
const [AS_IT_IS, NEVER, CLOSER] = [1, 2, 3];
/** By code point; 0 while it is unknown. */
let known = new Uint8Array(0);
let knownFor: unknown;

function kindOf(character: string): number {
  if (IS_TAIL.test(character)) return CLOSER;
  const form = formOf(character);
  // Parts of a syllable may be printed together.
  if (form === undefined) return JAMO.test(character) ? CLOSER : NEVER;
  return form === character ? AS_IT_IS : CLOSER;
}

/** A cluster as it is printed; undefined if it is not. */
function printedForm(cluster: string): string | undefined {
  const codePoint = cluster.codePointAt(0) ?? 0;
  if (cluster.length > (codePoint > 0xffff ? 2 : 1)) return formOf(cluster);
  if (knownFor !== addedFonts()) {
    known = new Uint8Array(0x110000);
    knownFor = addedFonts();
  }
  if (known[codePoint] === 0) known[codePoint] = kindOf(cluster);
  if (known[codePoint] === AS_IT_IS) return cluster;
  return known[codePoint] === NEVER ? undefined : formOf(cluster);
}

/** The first character of a text that is not printed; undefined if all of it is. Linear in the length of the text. */
export function unprintableIn(text: string): Unprintable | undefined {
  let position = 1;
  for (const [cluster] of text.matchAll(CLUSTER)) {
    if (printedForm(cluster) === undefined) {
      const { nth, ...blame } = blamed(cluster);
      return { ...blame, position: position + nth };
    }
    position += cluster.length === 1 ? 1 : Array.from(cluster).length;
  }
  return undefined;
}

/** The names of a cluster's characters, apart from each other and from the letters beside them. */
function named(cluster: string, before: string): string {
  const names = Array.from(cluster.replace(IGNORABLE, '').replace(STREAM_OF_MARKS, '$1'), nameOf).join(' ');
  return /\S$/.test(before) ? ` ${names}` : names;
}

/**
 * A text as it is printed: line ends are line feeds, what is invisible is left out, and in the place of a character that
 * is not printed stands its code point, such as `U+674E`.
 */
export function printable(text: string): string {
  const parts: string[] = [];
  let isNamed = false;
  for (const [cluster] of text.replace(LINE_END, '\n').matchAll(CLUSTER)) {
    const form = printedForm(cluster);
    if (form === undefined) parts.push(named(cluster, parts.at(-1) ?? ''));
    else if (form !== '') parts.push(isNamed && /^[\p{L}\p{N}\p{M}]/u.test(form) ? ` ${form}` : form);
    if (form !== '') isNamed = form === undefined;
  }
  return parts.join('');
}
