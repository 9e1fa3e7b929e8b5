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
    ['😀'.repeat(300), `${'😀'.repeat(120)}.pdf`],
  ])('%j is offered as %j', (title, filename) => {
    expect(filenameOf(title, '.pdf')).toBe(filename);
  });
});
