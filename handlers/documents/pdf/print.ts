/**
 * Prints pages as PDF. It occupies the processor for the whole document, so it runs only in the printing thread
 * (`printing-thread.ts`). Equal definitions give equal bytes: dates and the file's id come from the definition.
 */
import pdfmake from 'pdfmake';
import type { TDocumentDefinitions } from 'pdfmake/interfaces.js';
import { FACES, namedFaces } from './faces.ts';

/** Makes fonts available by name, and denies all access to files and URLs. */
function prepare(): void {
  const files = (pdfmake as unknown as { virtualfs: { writeFileSync(name: string, bytes: Buffer): void } }).virtualfs;
  for (const [name, bytes] of namedFaces()) files.writeFileSync(name, bytes);
  pdfmake.setFonts(FACES);
  pdfmake.setUrlAccessPolicy(() => false);
  pdfmake.setLocalAccessPolicy(() => false);
}

let prepared = false;

/** The part of a document that is corrected before it is written. */
interface Laid {
  readonly fontCache: Readonly<Record<string, Readonly<Record<string, { widths: number[]; scale: number }>>>>;
}

/**
 * Corrects the width of the box that stands for a missing character. pdfkit writes it in the font's units, while a PDF
 * needs thousandths of an em, so several boxes would be drawn twice as wide as laid out.
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
