import { expect, test } from '@jest/globals';
import { randomOf } from '../../../scripts/kit/random.ts';
import { ApiError } from '../../answers/errors.ts';
import { bytesOfSignature, MAX_CMS_BYTES, MAX_CMS_TEXT } from './signature-text.ts';

// The base64 ends with padding, and has characters in which the two alphabets differ.
const bytes = Buffer.concat([randomOf('5').bytes(498), Buffer.from('fbff', 'hex')]);
const base64 = bytes.toString('base64');
const inLines = (size: number, end: string) => base64.replace(new RegExp(`.{${size}}`, 'g'), `$&${end}`);
const pem = (label: string, end = '\n', body = inLines(64, end)) =>
  [`-----BEGIN ${label}-----`, body, `-----END ${label}-----`, ''].join(end);

function problemOf(text: string): string {
  try {
    bytesOfSignature(text);
    return 'accepted';
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const [violation, ...others] = error.extras.violations ?? [];
    expect([violation?.field, others]).toEqual(['signature.value', []]);
    return violation?.description ?? '';
  }
}

test.each<[what: string, text: string]>([
  ['one line', base64],
  ['lines that end with CR', inLines(64, '\r')],
  ['empty lines around', `\n\n${base64}\n\n`],
  ['base64url with padding', `${bytes.toString('base64url')}=`],
  ['PEM in one line of base64, without a final line end', pem('CMS', '\n', base64).trimEnd()],
])('the same bytes: %s', (_, text) => {
  expect(bytesOfSignature(text).equals(bytes)).toBe(true);
});

test.each<[what: string, text: string, words: string]>([
  ['line ends', '\r\n\n', 'is empty'],
  ['one character', 'a', 'base64'],
  ['a blank inside', 'MIIB AAAA', 'base64'],
  ['padding inside', 'QQ==QQ==', 'base64'],
  ['too little padding', 'QQ=', 'base64'],
  ['too much padding', 'QQA==', 'base64'],
  ['padding alone', '====', 'base64'],
  ['text before the block', `signature:\n${pem('CMS')}`, 'nothing around'],
  ['text behind the block', `${pem('CMS')}x`, 'nothing around'],
  ['a block that ends as another', pem('CMS').replace('END CMS', 'END PKCS7'), 'one PEM block'],
  ['the two lines of PEM in one', '-----BEGIN CMS-----END CMS-----', 'one PEM block'],
  ['an empty block', '-----BEGIN CMS-----\n-----END CMS-----\n', 'is empty'],
  ['more than 96 KiB of text', '\n'.repeat(MAX_CMS_TEXT + 1), '96 KiB'],
])('refused: %s', (_, text, words) => {
  expect(problemOf(text)).toContain(words);
});

test('as many bytes as are allowed, in the longest usual form', () => {
  const text = Buffer.alloc(MAX_CMS_BYTES).toString('base64').replace(/.{64}/g, '$&\r\n');
  const block = `-----BEGIN PKCS7-----\r\n${text}\r\n-----END PKCS7-----\r\n`;
  expect(bytesOfSignature(block)).toHaveLength(MAX_CMS_BYTES);
});
