/**
 * JSON bodies as D-6a admits them: UTF-8, of bounded depth, without text that the store cannot keep and without numbers
 * that parsing changes.
 */
import { isUtf8 } from 'node:buffer';
import { failField, MAX_VIOLATIONS, type Violation } from './errors.ts';
import { whereBroken } from './json-scan.ts';

/** How deep arrays and objects of a body may be nested (D-6a). */
export const MAX_DEPTH = 64;

/** The fault of a body with text that the store cannot keep. */
export const UNSTORABLE = 'contains a NUL character or a lone surrogate';

/**
 * Parses a body.
 * @param wrong gets the fields with numbers that parsing changes
 * @throws ApiError INVALID_ARGUMENT on `body` for anything that is not one JSON text of at most 64 levels in UTF-8
 */
export function parseJson(sent: Buffer, wrong: Violation[]): unknown {
  const bytes = withoutMark(sent);
  if (!isUtf8(bytes)) failField('body', 'is not UTF-8');
  if (isTooDeep(bytes)) failField('body', `is nested deeper than ${MAX_DEPTH} levels`);
  const text = bytes.toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    failField('body', notJson(bytes, whereBroken(bytes)));
  }
  if (SUSPICIOUS_NUMBER.test(text)) wrong.push(...otherNumbers(text));
  // UTF-8 and JSON forbid such characters in raw form; only an escape can bring them in.
  if (/\\u(?:0000|[dD][89a-fA-F])/.test(text) && hasUnstorableText(value)) {
    failField('body', UNSTORABLE);
  }
  return value;
}

/** The bytes without one byte order mark at their beginning, which a reader may ignore (D-6a, RFC 8259 §8.1). */
export function withoutMark(bytes: Buffer): Buffer {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

/** Counts brackets outside strings, so that the depth is known before anything is parsed. */
function isTooDeep(bytes: Buffer): boolean {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (inString) {
      if (byte === 0x5c) i++;
      else if (byte === 0x22) inString = false;
    } else if (byte === 0x22) inString = true;
    else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > MAX_DEPTH) return true;
    } else if (byte === 0x7d || byte === 0x5d) depth--;
  }
  return false;
}

/** Whether a string or a name in a parsed value contains a lone surrogate, which UTF-8 cannot hold, or a NUL. */
export function hasUnstorableText(value: unknown): boolean {
  if (typeof value === 'string') return !value.isWellFormed() || value.includes('\0');
  if (Array.isArray(value)) return value.some(hasUnstorableText);
  if (value === null || typeof value !== 'object') return false;
  return Object.entries(value).some(([key, inner]) => hasUnstorableText(key) || hasUnstorableText(inner));
}

/** Says where a text stops being JSON. @param offset in bytes */
export function notJson(bytes: Buffer, offset: number): string {
  const before = bytes.toString('utf8', 0, offset).split('\n');
  return `is not valid JSON at line ${before.length}, column ${(before.at(-1) as string).length + 1}`;
}

/**
 * A number that parsing may change: it has a minus before zero, an exponent, or more digits than a double holds. It
 * stands where a value can stand, not inside an id or a date.
 */
const SUSPICIOUS_NUMBER = /(?:^|[\s:,[])(?:-0|-?\d[\d.]*[eE]|-?[\d.]{16})/;

/** Marks a number that parsing changes. */
const OTHER = Symbol();

/**
 * Numbers that parsing changes (D-17), so that the stored and printed value would differ from what was sent. At most as
 * many as an answer names.
 */
function otherNumbers(text: string): Violation[] {
  let isWrong = false;
  const judged: unknown = JSON.parse(text, (_name, value: unknown, { source }: { source?: string } = {}) => {
    if (typeof value !== 'number' || source === undefined || isExact(source)) return value;
    isWrong = true;
    return OTHER;
  });
  const places = isWrong ? placesOf(judged).slice(0, MAX_VIOLATIONS) : [];
  return places.map((field) => ({ field, description: INEXACT }));
}

const INEXACT = 'must be a number that a 64-bit float holds as it is written';

/** Whether the parsed number equals the written one, in any notation: 1.50, 15e-1. */
function isExact(source: string): boolean {
  const value = Number(source);
  return Number.isFinite(value) && !Object.is(value, -0) && decimal(source) === decimal(String(value));
}

/** The digits of a number without zeros at either end, and the power of ten of the last digit. */
function decimal(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  return significant === ''
    ? '0'
    : `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}

/** The paths of all marked numbers, in the form that callers use. */
function placesOf(value: unknown, path = ''): string[] {
  if (value === OTHER) return [path === '' ? 'body' : path];
  if (Array.isArray(value)) return value.flatMap((item, nth) => placesOf(item, `${path}[${nth}]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => placesOf(inner, path === '' ? name : `${path}.${name}`));
}
