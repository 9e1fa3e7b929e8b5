import { deflateSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { pdf } from './document-calls.ts';
import { textOfPdf } from './pdf-text.ts';

const MAP = `begincmap
1 begincodespacerange <0000> <ffff> endcodespacerange
1 beginbfchar <0009> <04D8> endbfchar
3 beginbfrange
<0001> <0002> [<0414> <0430 0301>]
<0010> <0012> <0030>
<0020> <0020> <D83DDE00>
endbfrange
endcmap`;

/** The object of a stream. */
function stream(number: number, content: string, deflated: boolean): Buffer {
  const data = deflated ? deflateSync(Buffer.from(content, 'latin1')) : Buffer.from(content, 'latin1');
  const filter = deflated ? '/Filter /FlateDecode' : '';
  return Buffer.concat([
    Buffer.from(`${number} 0 obj\n<< /Length ${data.length} ${filter} >>\nstream\n`),
    data,
    Buffer.from('\nendstream\nendobj\n'),
  ]);
}

const file = (content: string, deflated: boolean) =>
  Buffer.concat([
    Buffer.from('%PDF-1.4\n1 0 obj\n<< /Type /Page /Resources 2 0 R /Contents 5 0 R >>\nendobj\n'),
    Buffer.from('2 0 obj\n<< /Font << /F1 3 0 R >> >>\nendobj\n'),
    Buffer.from('3 0 obj\n<< /Type /Font /Encoding /Identity-H /ToUnicode 4 0 R >>\nendobj\n'),
    stream(4, MAP, deflated),
    stream(5, content, deflated),
  ]);

test.each([true, false])('text is read by the maps of its fonts (deflated: %s)', (deflated) => {
  const content = 'BT /F1 12 Tf [<0001> 20 <0002 0009>] TJ <001000110012> Tj <0020> Tj (\\000\\011) Tj ET';
  const literal = content.replace('(\\000\\011)', `(${String.fromCharCode(0, 9)})`);
  expect(textOfPdf(file(literal, deflated))).toBe('Да\u0301Ә012😀Ә');
});

test('what cannot be read is left out', () => {
  expect(textOfPdf(file('BT /F2 12 Tf <0001> Tj ET', true))).toBe('');
  expect(textOfPdf(file('BT /F1 12 Tf <0001ffff0009> Tj ET', true))).toBe('ДӘ');
  expect(textOfPdf(pdf('empty'))).toBe('');
  expect(textOfPdf(Buffer.from('no PDF'))).toBe('');
});
