/**
 * API keys: `<prefix>_<43 characters base62><6 characters base62 of a CRC-32>` (D-30). The 43 characters carry 256
 * random bits, so storing a plain SHA-256 is safe. With the checksum, a mistyped key is refused without asking the
 * store.
 */
import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
const SHOWN_LENGTH = 6;
const KEY = new RegExp(`^[a-z][a-z0-9]{1,15}_[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`);

function base62(value: bigint, length: number): string {
  let rest = value;
  let text = '';
  for (let i = 0; i < length; i++) {
    text = ALPHABET.charAt(Number(rest % 62n)) + text;
    rest /= 62n;
  }
  return text;
}

/** Without big integers, because it runs on every request and 32 bits do not need them. */
function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    digits = ALPHABET.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/** A new secret key. @param random 32 bytes; given only where keys must be reproducible (seeded test data) */
export function newKey(prefix: string, random: Uint8Array = randomBytes(32)): string {
  const body = `${prefix}_${base62(BigInt(`0x${Buffer.from(random).toString('hex')}`), SECRET_LENGTH)}`;
  return body + checksum(body);
}

/** Whether the text has the form of a key and the right checksum. The key need not exist. */
export function isWellFormedKey(text: string): boolean {
  if (!KEY.test(text)) return false;
  const end = text.length - CHECKSUM_LENGTH;
  return checksum(text.slice(0, end)) === text.slice(end);
}

/** What is stored instead of the key: its SHA-256, lower-case hex. */
export function hashKey(key: string): string {
  return hash('sha256', key, 'hex');
}

/** What lists show of a key: its prefix and the first characters of its secret. */
export function shownPrefix(key: string): string {
  return key.slice(0, key.indexOf('_') + 1 + SHOWN_LENGTH);
}
