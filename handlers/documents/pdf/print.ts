/**
 * Prints pages as PDF. It occupies the processor for the whole document, so it runs only in the printing thread
 * (`printing-thread.ts`). Equal definitions give equal bytes: dates and the file's id come from the definition.
 */
import pdfmake from 'pdfmake';
import type { TDocumentDefinitions } from 'pdfmake/interfaces.js';
import { FAMILIES, faceNames } from './faces.ts';

/** Makes fonts available by name, and denies all access to files and URLs. */
function prepare(): void {
  const files = (pdfmake as unknown as { virtualfs: { writeFileSync(name: string, bytes: Buffer): void } }).virtualfs;
  for (const name of faceNames()) files.writeFileSync(name, Buffer.from(name, 'latin1'));
  const each = Object.fromEntries(faceNames().map((name) => [name, { normal: name, bold: name }]));
  pdfmake.setFonts({ ...each, ...FAMILIES });
  pdfmake.setUrlAccessPolicy(() => false);
  pdfmake.setLocalAccessPolicy(() => false);
}

let prepared = false;

/** @returns the whole file */
export async function print(definition: TDocumentDefinitions): Promise<Uint8Array> {
  if (!prepared) prepare();
  prepared = true;
  return await pdfmake.createPdf(definition).getBuffer();
}
