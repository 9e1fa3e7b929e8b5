/**
 * Prints pages as PDF. It occupies the processor for the whole document, so it runs only in the printing thread
 * (`printing-thread.ts`). Equal definitions give equal bytes: dates and the file's id come from the definition.
 */
import pdfmake from 'pdfmake';
import type { TDocumentDefinitions } from 'pdfmake/interfaces.js';
import { familyFiles } from './faces.ts';

/** Makes the fonts available, and denies all access to other files and to URLs. */
function prepare(): void {
  const fonts = familyFiles();
  const files = new Set(Object.values(fonts).flatMap(({ normal, bold = normal }) => [normal, bold]));
  pdfmake.setFonts(fonts);
  pdfmake.setUrlAccessPolicy(() => false);
  pdfmake.setLocalAccessPolicy((path) => files.has(path));
}

let prepared = false;

/** @returns the whole file */
export async function print(definition: TDocumentDefinitions): Promise<Uint8Array> {
  if (!prepared) prepare();
  prepared = true;
  return await pdfmake.createPdf(definition).getBuffer();
}
