import { expect, test } from '@jest/globals';
import { attachment } from './presign.ts';

test.each([
  ["Бұйрық o'clock (1)* 100%; №.pdf", "Бұйрық o'clock (1)* 100%; №.pdf"],
  ['a "b" \\ c%41.pdf', 'a "b" _ c%41.pdf'],
  ['a\r\nSet-Cookie: x=1.pdf', 'aSet-Cookie: x=1.pdf'],
  ['../../etc/passwd', '.._.._etc_passwd'],
  ['a\u202Efdp.exe', 'afdp.exe'],
  ['אבג.pdf', 'אבג.pdf'],
  [`${'ж'.repeat(1_020)}.pdf`, `${'ж'.repeat(146)}.pdf`],
  ['', 'file'],
])('%j is sent as %j, in ASCII, with every character that RFC 8187 wants encoded', (filename, shown) => {
  const [, plain, encoded = ''] =
    /^attachment; filename="([\x20-\x7e]*)"; filename\*=UTF-8''(.*)$/.exec(attachment(filename)) ?? [];
  expect(plain).not.toMatch(/["\\%]/);
  expect(encoded).toMatch(/^(?:[A-Za-z0-9!#$&+.^_`|~-]|%[0-9A-F]{2})+$/);
  expect(decodeURIComponent(encoded)).toBe(shown);
});
