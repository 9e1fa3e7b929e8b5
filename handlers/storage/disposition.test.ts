import { expect, test } from '@jest/globals';
import { attachment } from './disposition.ts';

test('a name has no character in filename* that RFC 8187 wants encoded, and can be decoded again', () => {
  const name = "Бұйрық o'clock (1)* 100%; №.pdf";
  const [, encoded = ''] = /; filename\*=UTF-8''(.*)$/.exec(attachment(name)) ?? [];
  expect(encoded).toMatch(/^(?:[A-Za-z0-9!#$&+.^_`|~-]|%[0-9A-F]{2})+$/);
  expect(decodeURIComponent(encoded)).toBe(name);
});
