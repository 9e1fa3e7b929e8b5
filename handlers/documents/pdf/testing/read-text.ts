/** Reads the text of PDFs of our own, for tests: what is printed, on which page and where. */
import { inflateSync } from 'node:zlib';
import { type OwnPdf, objectOf, readOwnPdf, referencesOf } from '../signed-pdf.ts';

/** A run of text; `x` and `y` in points from the page's lower left corner. */
export interface TextRun {
  readonly page: number;
  readonly x: number;
  readonly y: number;
  readonly text: string;
}

function streamOf(own: OwnPdf, number: number): string {
  const object = objectOf(own, number);
  const data = object.slice(object.indexOf('\nstream\n') + 8, object.lastIndexOf('\nendstream'));
  return inflateSync(Buffer.from(data, 'latin1')).toString('latin1');
}

/** From the codes of a font to text. */
function charactersOf(own: OwnPdf, font: number): string[] {
  const cmap = streamOf(own, Number(/\/ToUnicode (\d+) 0 R/.exec(objectOf(own, font))?.[1]));
  const characters: string[] = [];
  for (const [, start = '', , list = ''] of cmap.matchAll(/<([0-9a-f]+)> <([0-9a-f]+)> \[([^\]]*)\]/g)) {
    const decode = (hex: string) => Buffer.from(hex, 'hex').swap16().toString('utf16le');
    for (const [nth, [, hex = '']] of [...list.matchAll(/<([0-9a-f ]*)>/g)].entries()) {
      characters[Number.parseInt(start, 16) + nth] = decode(hex.replaceAll(' ', ''));
    }
  }
  return characters;
}

/** All text of a PDF that was printed by us and not added to since. */
export function readText(bytes: Uint8Array): TextRun[] {
  const own = readOwnPdf(Buffer.from(bytes));
  const fonts = new Map<string, string[]>();
  const pages = referencesOf(
    /\/Kids \[[^\]]*\]/.exec(objectOf(own, referencesOf(objectOf(own, own.root))[0] ?? 0))?.[0] ?? '',
  );
  return pages.flatMap((number, page) => {
    const object = objectOf(own, number);
    const resources = objectOf(own, Number(/\/Resources (\d+) 0 R/.exec(object)?.[1]));
    for (const [, name = '', font] of resources.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
      if (!fonts.has(name)) fonts.set(name, charactersOf(own, Number(font)));
    }
    const runs: TextRun[] = [];
    let [x, y, font] = [0, 0, [] as string[]];
    const content = streamOf(own, Number(/\/Contents (\d+) 0 R/.exec(object)?.[1]));
    for (const line of content.split('\n')) {
      const place = /^1 0 0 1 ([\d.-]+) ([\d.-]+) Tm$/.exec(line);
      if (place) [x, y] = [Number(place[1]), Number(place[2])];
      const named = /^\/(F\d+) /.exec(line)?.[1];
      if (named) font = fonts.get(named) ?? [];
      if (!line.endsWith(' TJ')) continue;
      const codes = [...line.matchAll(/<([0-9a-f]+)>/g)].flatMap(([, hex = '']) => hex.match(/.{4}/g) ?? []);
      runs.push({ page, x, y, text: codes.map((code) => font[Number.parseInt(code, 16)] ?? '').join('') });
    }
    return runs;
  });
}
