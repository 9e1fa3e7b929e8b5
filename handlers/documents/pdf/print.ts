/**
 * Prints pages as PDF. It occupies the processor for the whole document, so it runs only in the printing thread
 * (`printing-thread.ts`). Equal definitions give equal bytes: dates and the file's id come from the definition.
 */
import { readFileSync } from 'node:fs';
import pdfmake from 'pdfmake';
import type { TDocumentDefinitions } from 'pdfmake/interfaces.js';
import { familyFiles } from './faces.ts';

/** The files that pdfmake has in memory, of which its types say nothing. */
const { virtualfs } = pdfmake as unknown as { virtualfs: { writeFileSync(name: string, bytes: Buffer): void } };

/**
 * A font without the names of its glyphs: its table `post` becomes one of version 3 (OpenType). No PDF needs them, and
 * pdfkit would decode them for each document, which takes a fifth of the time of a print.
 */
function withoutNames(font: Buffer): Buffer {
  const tables = font.readUInt16BE(4);
  for (let at = 12; at < 12 + 16 * tables; at += 16) {
    if (font.toString('latin1', at, at + 4) === 'post') font.writeUInt32BE(0x0003_0000, font.readUInt32BE(at + 8));
  }
  return font;
}

/** Makes the fonts available, and denies all access to files and to URLs. */
function prepare(): void {
  const fonts = familyFiles();
  const files = new Set(Object.values(fonts).flatMap(({ normal, bold = normal }) => [normal, bold]));
  for (const file of files) virtualfs.writeFileSync(file, withoutNames(readFileSync(file)));
  pdfmake.setFonts(fonts);
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
