/** The form of API keys (D-30). */
import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { hashKey, isWellFormedKey, newKey, shownPrefix } from './keys.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const numberOf = (text: string) =>
  [...text].reduce((value, digit) => value * 62n + BigInt(ALPHABET.indexOf(digit)), 0n);
const bytesOf = (hex: string) => Buffer.from(hex.padStart(64, '0'), 'hex');

describe('a new key', () => {
  // Any number of 256 bits, also the least and the greatest.
  test.each(['0', '1', '3d', '3e', 'f'.repeat(64), `8${'0'.repeat(63)}`, '0123456789abcdef'.repeat(4)])(
    'carries its random bits %s and their checksum',
    (hex) => {
      const key = newKey('hrdoc', bytesOf(hex));
      const [, body = '', secret = '', check = ''] = /^(hrdoc_([0-9A-Za-z]{43}))([0-9A-Za-z]{6})$/.exec(key) ?? [];
      expect(numberOf(secret)).toBe(BigInt(`0x${hex}`));
      expect(numberOf(check)).toBe(BigInt(crc32(body)));
      expect(isWellFormedKey(key)).toBe(true);
    },
  );

  test('is another one each time', () => {
    const keys = Array.from({ length: 20 }, () => newKey('hrdoc'));
    expect(new Set(keys).size).toBe(20);
    expect(keys.every(isWellFormedKey)).toBe(true);
  });
});

const key = newKey('hrdoc', bytesOf('0123456789abcdef'.repeat(4)));
/** A text with a right checksum, whatever its form. */
const checked = (body: string) => {
  let rest = BigInt(crc32(body));
  let digits = '';
  for (let i = 0; i < 6; i++) {
    digits = ALPHABET.charAt(Number(rest % 62n)) + digits;
    rest /= 62n;
  }
  return body + digits;
};
const secret = 'A'.repeat(43);

describe('a key is well formed', () => {
  test.each(['ab', 'a1', `a${'0'.repeat(15)}`, 'hrdoc'])('with the prefix %s', (prefix) =>
    expect(isWellFormedKey(checked(`${prefix}_${secret}`))).toBe(true),
  );

  test.each([
    ['one letter as its prefix', checked(`a_${secret}`)],
    ['too long a prefix', checked(`a${'0'.repeat(16)}_${secret}`)],
    ['a digit first', checked(`1a_${secret}`)],
    ['a capital letter in its prefix', checked(`aB_${secret}`)],
    ['no prefix', checked(secret)],
    ['a character less', checked(`hrdoc_${secret.slice(1)}`)],
    ['a character more', checked(`hrdoc_${secret}A`)],
    ['another character', checked(`hrdoc_-${secret.slice(1)}`)],
    ['a blank before', ` ${key}`],
    ['a line end after', `${key}\n`],
    ['nothing', ''],
  ])('but not with %s', (_, text) => expect(isWellFormedKey(text)).toBe(false));

  test('but not with any one character mistyped', () => {
    for (let i = 0; i < key.length; i++) {
      const other = key[i] === 'x' ? 'y' : 'x';
      expect(isWellFormedKey(key.slice(0, i) + other + key.slice(i + 1))).toBe(false);
    }
  });
});

test('only the SHA-256 of a key is stored', () => {
  expect(hashKey(key)).toBe(hash('sha256', key, 'hex'));
});

test('lists show the prefix and the first characters of the secret, and no more', () => {
  expect(shownPrefix(`ab_${secret}123456`)).toBe('ab_AAAAAA');
});
