/**
 * What the generated validators need at run time. The generator removes the types from this file and copies it into
 * generated/validators.js, so that the validators depend on no package. This file must therefore import nothing.
 */

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;
const INSTANT =
  /^(\d{4}-\d{2}-\d{2})[Tt]((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.(\d{1,9}))?([Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
const URI = /^[A-Za-z][A-Za-z0-9+.-]*:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]+$/;
const BROKEN_PERCENT = /%(?![0-9A-Fa-f]{2})/;
const LAST_DAY = [0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Whether this is a day of the Gregorian calendar, of the years that every typed reader can hold (D-2); all count from 1. */
function isCalendarDay(year: number, month: number, day: number): boolean {
  if (!(year >= 1 && year <= 9999 && month >= 1 && month <= 12 && day >= 1)) return false;
  const leap = month === 2 && (year % 4 === 0 ? year % 100 !== 0 || year % 400 === 0 : false);
  return day <= (LAST_DAY[month] ?? 0) + (leap ? 1 : 0);
}

/** Whether the text is such a day, as `YYYY-MM-DD` (RFC 3339 full-date). */
function isDay(text: string): boolean {
  const parts = DAY.exec(text);
  return parts !== null && isCalendarDay(Number(parts[1]), Number(parts[2]), Number(parts[3]));
}

/** Whether an instant, in milliseconds since the epoch, is of a year from 1 to 9999 in UTC (D-2). */
const isShownInstant = (ms: number): boolean => ms >= -62_135_596_800_000 && ms < 253_402_300_800_000;

/**
 * What an RFC 3339 date-time with a zone and at most nine fraction digits says: milliseconds since the epoch, and whether
 * finer digits that are not zero follow. Null unless it is real: a calendar day, no hour 24, no leap second, an offset
 * below 24 hours, and in UTC of a year from 1 to 9999.
 */
export function instantOf(text: string): { ms: number; isFiner: boolean } | null {
  const [, day = '', time = '', fraction = '', zone = ''] = INSTANT.exec(text) ?? [];
  if (!isDay(day)) return null;
  const ms = Date.parse(`${day}T${time}.${fraction.padEnd(3, '0').slice(0, 3)}${zone.toUpperCase()}`);
  return isShownInstant(ms) ? { ms, isFiner: /[1-9]/.test(fraction.slice(3)) } : null;
}

/** An absolute URI in the characters of RFC 3986, a scheme first and every percent sign followed by two hexadecimal digits. */
function isUri(text: string): boolean {
  return URI.test(text) && !BROKEN_PERCENT.test(text);
}

/** Formats by name, as the contract uses them. The patterns are anchored and linear in the length of the text. */
export const formats = {
  date: isDay,
  'date-time': (text: string): boolean => instantOf(text) !== null,
  uuid: /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/,
  email: /^[^\s@"(),:;<>[\\\]]{1,64}@(?=.{1,253}$)[^\s@.,:;<>()[\\\]]{1,63}(?:\.[^\s@.,:;<>()[\\\]]{1,63})+$/,
  uri: isUri,
  byte: /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
  int32: {
    type: 'number' as const,
    validate: (value: number): boolean => Number.isInteger(value) && value >= -2147483648 && value <= 2147483647,
  },
  int64: { type: 'number' as const, validate: (value: number): boolean => Number.isSafeInteger(value) },
};

/** Length of a text in code points, as JSON Schema counts `minLength` and `maxLength`. */
export function ucs2length(text: string): number {
  let length = text.length;
  for (let index = 0; index < text.length - 1; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0xd800 || unit > 0xdbff) continue;
    const next = text.charCodeAt(index + 1);
    if (next >= 0xdc00 && next <= 0xdfff) {
      length -= 1;
      index += 1;
    }
  }
  return length;
}

/**
 * True where no scalar stands twice. Time is linear in the number of elements, which Ajv's own check is not for elements
 * that are references. Objects and arrays are not compared, which would take long for large ones: no list of the
 * contract that must be unique has them, so the type of the element refuses them.
 */
export function isUnique(items: readonly unknown[]): boolean {
  const scalars = items.filter((item) => typeof item !== 'object' || item === null);
  return new Set(scalars).size === scalars.length;
}
