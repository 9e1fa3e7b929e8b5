/**
 * Prints pages as PDF. It holds the processor for as long as a document takes, so it runs in the printing thread alone
 * (`printing-thread.ts`). Equal definitions give equal bytes: dates and the file's id come from the definition.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import pdfmake from 'pdfmake';
import type { TDocumentDefinitions } from 'pdfmake/interfaces.js';

/** Faces with the letters of Russian and Kazakh; of each only the letters that are used get into a file. */
const FACES = {
  Serif: { normal: 'DejaVuSerifCondensed', bold: 'DejaVuSerifCondensed-Bold' },
  Mono: { normal: 'DejaVuSansMono' },
} as const;

/** Fonts come from memory, and every other way to a file or an address is shut. */
function prepare(): void {
  const require = createRequire(import.meta.url);
  const files = (pdfmake as unknown as { virtualfs: { writeFileSync(name: string, bytes: Buffer): void } }).virtualfs;
  for (const face of Object.values(FACES).flatMap((faces) => Object.values(faces))) {
    files.writeFileSync(face, readFileSync(require.resolve(`dejavu-fonts-ttf/ttf/${face}.ttf`)));
  }
  pdfmake.setFonts(FACES);
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
