import { describe, expect, test } from '@jest/globals';
import { filenameOf } from './filename.ts';

describe('filenameOf', () => {
  test.each([
    ['Приказ о предоставлении отпуска', 'Приказ о предоставлении отпуска.pdf'],
    ['Приказ № 1/2: "о <всём>"', 'Приказ № 1 2 о всём.pdf'],
    ['../../etc/passwd', 'etc passwd.pdf'],
    ['a\r\nSet-Cookie: x', 'a Set-Cookie x.pdf'],
    ['\u202egnp.\u0000exe', 'gnp. exe.pdf'],
    ['C:\\x|y?*', 'C x y.pdf'],
    ['...', 'document.pdf'],
    [' \t ', 'document.pdf'],
    ['имя. ', 'имя.pdf'],
    ['Приказ.pdf', 'Приказ.pdf'],
    ['Приказ.PDF', 'Приказ.pdf'],
    ['a.pdf.Pdf. ', 'a.pdf'],
    ['a.pdf.txt', 'a.pdf.txt.pdf'],
    ['apdf', 'apdf.pdf'],
    ['.pdf', 'document.pdf'],
    [`${'x'.repeat(116)}.pdf and more`, `${'x'.repeat(116)}.pdf`],
    ['😀'.repeat(300), `${'😀'.repeat(120)}.pdf`],
  ])('%j is offered as %j', (title, filename) => {
    expect(filenameOf(title, '.pdf')).toBe(filename);
  });

  test('puts any ending in the place of .pdf', () => {
    expect(filenameOf('a.PDF', '.signed.pdf')).toBe('a.signed.pdf');
  });
});
