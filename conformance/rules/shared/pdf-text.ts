/**
 * Reads the text of a PDF, whoever made it, as far as its objects are plain, its streams are plain or deflated, and its
 * fonts say for which text their codes stand. What cannot be read is left out.
 */
import { inflateSync } from 'node:zlib';

/** The texts of a font's codes; a code is lower-case hex digits. */
interface Font {
  /** How many hex digits a code has. */
  digits: number;
  texts: Map<string, string>;
}

const hexOf = (text = '') => text.replace(/\s/g, '').toLowerCase();
/** The text of hex digits in UTF-16, the higher byte first. */
const decoded = (hex: string) => Buffer.from(hex, 'hex').swap16().toString('utf16le');
const STRING = /<([0-9a-fA-F\s]*)>/g;
const stringsIn = (text: string): string[] => [...text.matchAll(STRING)].map(([, hex]) => hexOf(hex));

/** The content of an object's stream; undefined if it has none that can be read. */
function streamOf(object: string): string | undefined {
  const begin = /\bstream\r?\n/.exec(object);
  if (begin === null) return undefined;
  const head = object.slice(0, begin.index);
  const data = object.slice(begin.index + begin[0].length, object.lastIndexOf('endstream'));
  if (!head.includes('/Filter')) return data;
  try {
    return inflateSync(Buffer.from(data, 'latin1')).toString('latin1');
  } catch {
    return undefined;
  }
}

/** The parts of a character map between two operators. */
const sectionsOf = (map: string, name: string): string[] =>
  [...map.matchAll(new RegExp(`begin${name}(.*?)end${name}`, 'gs'))].map(([, section = '']) => section);

function fontOf(map: string): Font {
  const [first = ''] = sectionsOf(map, 'codespacerange').flatMap(stringsIn);
  const texts = new Map<string, string>();
  const digits = first.length || 4;
  const next = (hex: string, by: number, length: number) =>
    (Number.parseInt(hex, 16) + by).toString(16).padStart(length, '0');
  for (const section of sectionsOf(map, 'bfchar')) {
    const strings = stringsIn(section);
    for (let i = 0; i + 1 < strings.length; i += 2) texts.set(strings[i] ?? '', decoded(strings[i + 1] ?? ''));
  }
  const range = /<([0-9a-fA-F]+)>\s*<([0-9a-fA-F]+)>\s*(?:\[([^\]]*)\]|<([0-9a-fA-F\s]+)>)/g;
  for (const section of sectionsOf(map, 'bfrange')) {
    for (const [, from = '', to = '', list, single] of section.matchAll(range)) {
      const count = Number.parseInt(to, 16) - Number.parseInt(from, 16) + 1;
      const listed = list === undefined ? undefined : stringsIn(list);
      const start = hexOf(single);
      // Of a range that begins with one text, the last character counts on.
      const counted = (n: number) => start.slice(0, -4) + next(start.slice(-4), n, 4);
      for (let n = 0; n < count; n++)
        texts.set(next(from, n, digits), decoded(listed ? (listed[n] ?? '') : counted(n)));
    }
  }
  return { digits, texts };
}

/** What a stream of a page shows, in its order. */
function shownBy(content: string, fonts: ReadonlyMap<string, Font>): string {
  let font: Font | undefined;
  let text = '';
  const show = (hex: string) => {
    if (font === undefined) return;
    for (let i = 0; i < hex.length; i += font.digits) text += font.texts.get(hex.slice(i, i + font.digits)) ?? '';
  };
  const token = /\/([^\s/<>[\]()]+)\s+[-\d.]+\s+Tf\b|<([0-9a-fA-F\s]*)>|\(((?:\\.|[^\\()])*)\)/gs;
  for (const [, name, hex, literal] of content.matchAll(token)) {
    if (name !== undefined) font = fonts.get(name);
    else if (hex !== undefined) show(hexOf(hex));
    else show(Buffer.from((literal ?? '').replace(/\\([()\\])/g, '$1'), 'latin1').toString('hex'));
  }
  return text;
}

/** All text of a PDF, without what separates words, lines and pages. */
export function textOfPdf(bytes: Buffer): string {
  const objects = new Map(
    [...bytes.toString('latin1').matchAll(/\b(\d+) \d+ obj\b(.*?)\bendobj\b/gs)].map(
      ([, number = '', object = '']) => [number, object] as const,
    ),
  );
  const fontsByNumber = new Map<string, Font>();
  for (const [number, object] of objects) {
    const map = streamOf(objects.get(/\/ToUnicode (\d+) \d+ R/.exec(object)?.[1] ?? '') ?? '');
    if (map !== undefined) fontsByNumber.set(number, fontOf(map));
  }
  const fonts = new Map<string, Font>();
  for (const object of objects.values()) {
    for (const [, name = '', number = ''] of object.matchAll(/\/([^\s/<>[\]()]+) (\d+) \d+ R/g)) {
      const font = fontsByNumber.get(number);
      if (font !== undefined) fonts.set(name, font);
    }
  }
  return [...objects.values()].map((object) => shownBy(streamOf(object) ?? '', fonts)).join('');
}
