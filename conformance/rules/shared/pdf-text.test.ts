import { deflateSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { pdf } from './document-calls.ts';
import { textOfPdf } from './pdf-text.ts';

/** A page whose content is deflated, in a font that says for which text its codes stand. */
function file(content: string): Buffer {
  const streamed = (text: string) => {
    const data = deflateSync(Buffer.from(text)).toString('latin1');
    return `<< /Length ${data.length} /Filter /FlateDecode >>\nstream\n${data}\nendstream`;
  };
  const map =
    'begincmap 1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfchar <41> <041403010020> endbfchar endcmap';
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 4 0 R >> >> /Contents 6 0 R >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 5 0 R >>',
    streamed(map),
    streamed(content),
  ];
  const written = objects.map((object, at) => `${at + 1} 0 obj\n${object}\nendobj\n`);
  return Buffer.from(`%PDF-1.4\n${written.join('')}trailer << /Size 7 /Root 1 0 R >>`, 'latin1');
}

test('text is read by the maps of its fonts, as it was written', async () => {
  expect(await textOfPdf(file('BT /F1 12 Tf 50 700 Td (A1) Tj 0 -20 Td (A2) Tj ET'))).toBe('Д\u0301 1Д\u0301 2');
});

test('what cannot be read has no text', async () => {
  for (const bytes of [pdf('empty'), Buffer.from('no PDF')]) expect(await textOfPdf(bytes)).toBe('');
});
