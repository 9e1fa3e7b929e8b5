/** JSON bodies as D-6a admits them: UTF-8, depth, no text that a store cannot keep, and no number that is read as another. */
import { isUtf8 } from 'node:buffer';
import { failField, MAX_VIOLATIONS, type Violation } from './errors.ts';
import { whereBroken } from './json-scan.ts';

/** How many arrays and objects of a body may stand in each other (D-6a). */
export const MAX_DEPTH = 64;

/** What is wrong with a body that has such text. */
export const UNSTORABLE = 'contains a NUL character or a lone surrogate';

/**
 * Parses a body.
 * @param wrong gets the fields whose numbers would be kept as others
 * @throws ApiError INVALID_ARGUMENT on `body` for anything that is not one JSON text of at most 64 levels in UTF-8
 */
export function parseJson(bytes: Buffer, wrong: Violation[]): unknown {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) failField('body', 'begins with a byte order mark');
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
  // Only an escape can bring in what UTF-8 and JSON forbid in the raw, so bodies without one are not searched.
  if (/\\u(?:0000|[dD][89a-fA-F])/.test(text) && hasUnstorableText(value)) {
    failField('body', UNSTORABLE);
  }
  return value;
}

/** Counts brackets outside strings, so that depth is known before anything is built. */
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

/** Whether a text in a parsed value, or a name, has what UTF-8 and the store do not: a lone surrogate, NUL. */
export function hasUnstorableText(value: unknown): boolean {
  if (typeof value === 'string') return !value.isWellFormed() || value.includes('\0');
  if (Array.isArray(value)) return value.some(hasUnstorableText);
  if (value === null || typeof value !== 'object') return false;
  return Object.entries(value).some(([key, inner]) => hasUnstorableText(key) || hasUnstorableText(inner));
}

/** What is wrong with a text that is no JSON, and where. @param offset in bytes */
export function notJson(bytes: Buffer, offset: number): string {
  const before = bytes.toString('utf8', 0, offset).split('\n');
  return `is not valid JSON at line ${before.length}, column ${(before.at(-1) as string).length + 1}`;
}

/**
 * A number that may be another one once it is read: a minus before zero, an exponent, or more digits than a double has.
 * It stands where a value may, not in an id or a date.
 */
const SUSPICIOUS_NUMBER = /(?:^|[\s:,[])(?:-0|-?\d[\d.]*[eE]|-?[\d.]{16})/;

/** Stands for a number that is read as another one than was written. */
const OTHER = Symbol();

/**
 * Numbers that are read as others than are written (D-17), of which what is kept and printed would not be what was sent;
 * as many as an answer names.
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

/** Whether the number that is read is the one that is written, whatever its form: 1.50, 15e-1. */
function isExact(source: string): boolean {
  const value = Number(source);
  return Number.isFinite(value) && !Object.is(value, -0) && decimal(source) === decimal(String(value));
}

/** The digits of a number without zeros at either end, and the power of ten of the last one. */
function decimal(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  return significant === ''
    ? '0'
    : `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}

/** The paths of all that stands for such a number, as a caller would write them. */
function placesOf(value: unknown, path = ''): string[] {
  if (value === OTHER) return [path === '' ? 'body' : path];
  if (Array.isArray(value)) return value.flatMap((item, nth) => placesOf(item, `${path}[${nth}]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => placesOf(inner, path === '' ? name : `${path}.${name}`));
}
