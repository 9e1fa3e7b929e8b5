/**
 * Reads the values of records: one grammar for each type of field, by which every field of every payload is read (D-29).
 * Nothing else knows what senders write for a day, or for nothing.
 */

import { isDeepStrictEqual } from 'node:util';

/** Limits of texts in records, in characters, which are code points (D-29). */
const MAX_TEXT = 1_000;
export const MAX_EXTERNAL_ID = 255;

/**
 * What a value says: a text, `''` for nothing, undefined if the field counts as absent; or what is wrong with it, as the
 * end of a sentence.
 */
export type Reading = { readonly value: string | undefined } | { readonly problem: string };

const ABSENT: Reading = { value: undefined };
const NOTHING: Reading = { value: '' };

/** Characters that show nothing. JavaScript's own white space is not all of them. */
const BLANK = /[\p{White_Space}\u180e\u200b\u2060\u2800\u3164\ufeff]/u;

/** A text without the blanks at its ends. Takes time in proportion to its length. */
export function withoutBlanks(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && BLANK.test(text.charAt(start))) start++;
  while (end > start && BLANK.test(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

/** The empty reference of 1C:Enterprise, in each of its spellings. */
const ZEROS = /^\{?0{8}-?0{4}-?0{4}-?0{4}-?0{12}\}?$/;

/** The IINs that only fill their field: twelve equal digits stand for none (D-29). */
export const FILLERS: readonly string[] = Array.from({ length: 10 }, (_, digit) => `${digit}`.repeat(12));

export const isFiller = (iin: string): boolean => FILLERS.includes(iin);

/** A day, and the time that may follow it. An offset does not matter, since the day is the one that is written. */
const DAY =
  /^(\d{4}-\d{2}-\d{2})(?:[T\p{Zs}](\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?)\p{Zs}?(?:Z|[+-]\d{2}(?::?\d{2})?)?)?$/u;

/** The empty day of 1C:Enterprise. */
const NO_DAY = '0001-01-01';

/** Whether it is a day of the calendar, of the years 1 to 9999. */
function isDay(day: string): boolean {
  const time = Date.parse(`${day}T00:00:00Z`);
  return !day.startsWith('0000') && !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}

function dayOf(text: string): Reading {
  const [, day = '', time = ''] = DAY.exec(text) ?? [];
  if (!isDay(day)) return { problem: 'is no day of the calendar as YYYY-MM-DD' };
  if (/[1-9]/.test(time)) return { problem: 'has another time of day than midnight' };
  return day === NO_DAY ? NOTHING : { value: day };
}

function plainText(text: string, limit = MAX_TEXT): Reading {
  if (longerThan(text, limit)) return { problem: `has more than ${limit} characters` };
  const isStorable = !text.includes('\0') && text.isWellFormed();
  return isStorable ? { value: text } : { problem: 'has a NUL character or half a surrogate pair' };
}

/** An id that its sender gave: it is compared code point by code point, so its blanks belong to it. */
const externalIdOf = (text: string, sent: string): Reading =>
  ZEROS.test(text) ? NOTHING : plainText(sent, MAX_EXTERNAL_ID);

/** What is no IIN: a filler counts as an absent field, also where a record would clear what is there. */
function iinOf(text: string): Reading {
  if (isFiller(text)) return ABSENT;
  return /^[0-9]{12}$/.test(text) ? { value: text } : { problem: 'is neither empty nor 12 digits' };
}

/** How a text is read that does not consist of blanks. @param text it, without blanks at its ends */
type Grammar = (text: string, sent: string) => Reading;

/** By type of field. */
const grammars = {
  text: (text) => plainText(text),
  day: dayOf,
  iin: iinOf,
  external_id: externalIdOf,
  // An id that stands for none would make one person of strangers, as a filler IIN would.
  nested_person_id: (text, sent) => (isFiller(text) ? NOTHING : externalIdOf(text, sent)),
  /** The id of an object in the sender's own system, which is compared without blanks at its ends. */
  natural_id: (text) => (ZEROS.test(text) ? NOTHING : plainText(text)),
  /** The id of another object, as that one's record has it. */
  reference: (text, sent) => (ZEROS.test(text) ? NOTHING : plainText(sent)),
} as const satisfies Readonly<Record<string, Grammar>>;

/** What a field of a record holds. */
export type ScalarType = keyof typeof grammars;

/** What the value of a field says. It may be any JSON, or undefined. */
export function readScalar(type: ScalarType, value: unknown): Reading {
  if (value === undefined) return ABSENT;
  if (value === null) return NOTHING;
  if (typeof value !== 'string') return { problem: 'is no text' };
  const text = withoutBlanks(value);
  return text === '' ? NOTHING : grammars[type](text, value);
}

/** Makes a beginning too long for every type. */
const TOO_LONG = '.'.repeat(MAX_TEXT + 1);

/**
 * A text of limited size that is read like the given one. One of at most {@link MAX_TEXT} characters stays as it is.
 * @param isCut if it is only the beginning of a text that is too long, whatever follows
 */
export function reduceText(type: ScalarType, text: string, isCut = false): string {
  if (!isCut && !longerThan(text, MAX_TEXT)) return text;
  const kept = withoutBlanks(text);
  const isSame = !isCut && isDeepStrictEqual(readScalar(type, kept), readScalar(type, text));
  return isSame && !longerThan(kept, MAX_TEXT) ? kept : firstOf(kept, MAX_EXTERNAL_ID) + TOO_LONG;
}

/** Whether a text has more than `limit` code points, without counting long texts to their end. */
export function longerThan(text: string, limit: number): boolean {
  if (text.length <= limit) return false;
  return text.length > 2 * limit || [...text].length > limit;
}

/** The first `count` code points of a text. */
export function firstOf(text: string, count: number): string {
  if (text.length <= count) return text;
  return [...text.slice(0, 2 * count)].slice(0, count).join('');
}
