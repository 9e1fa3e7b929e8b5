/**
 * Prints pages as PDF. It holds the processor for as long as a document takes, so it runs in the printing thread alone
 * (`printing-thread.ts`). Equal definitions give equal bytes: dates and the file's id come from the definition.
 */
import pdfmake from 'pdfmake';
import type { TDocumentDefinitions } from 'pdfmake/interfaces.js';
import { FACES, namedFaces } from './faces.ts';

/** Fonts come by name, and every way to a file or an address is shut. */
function prepare(): void {
  const files = (pdfmake as unknown as { virtualfs: { writeFileSync(name: string, bytes: Buffer): void } }).virtualfs;
  for (const [name, bytes] of namedFaces()) files.writeFileSync(name, bytes);
  pdfmake.setFonts(FACES);
  pdfmake.setUrlAccessPolicy(() => false);
  pdfmake.setLocalAccessPolicy(() => false);
}

let prepared = false;

/** What is put right in a document before it is written. */
interface Laid {
  readonly fontCache: Readonly<Record<string, Readonly<Record<string, { widths: number[]; scale: number }>>>>;
}

/**
 * pdfkit notes the width of the box that stands for a missing character in the font's units, where a PDF has thousandths
 * of an em, so a run of them would be drawn twice as wide as it is laid out.
 */
function rightBoxes({ fontCache }: Laid): void {
  for (const { widths, scale } of Object.values(fontCache).flatMap((faces) => Object.values(faces))) {
    widths[0] = (widths[0] ?? 0) * scale;
  }
}

/** @returns the whole file */
export async function print(definition: TDocumentDefinitions): Promise<Uint8Array> {
  if (!prepared) prepare();
  prepared = true;
  const document = pdfmake.createPdf(definition);
  rightBoxes((await document.getStream()) as unknown as Laid);
  return await document.getBuffer();
}
