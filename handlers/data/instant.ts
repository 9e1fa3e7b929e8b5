import { failField } from '../answers/errors.ts';

/** RFC 3339 instants as callers write them: a zone, a real instant, up to nine fraction digits (D-12). */
const INSTANT = /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?([Zz]|[+-]\d{2}:\d{2})$/;

/**
 * Converts an instant to milliseconds. Finer digits round `up` (for a bound that is included) or `down` (for one that
 * is excluded), so that no matching row is lost.
 * @param field the parameter that holds it, as the caller wrote it
 * @param text an RFC 3339 date-time that the generated validator has accepted
 * @returns milliseconds since the epoch
 * @throws ApiError INVALID_ARGUMENT when there are more than nine fraction digits
 */
export function instantMs(field: string, text: string, rounding: 'up' | 'down'): number {
  const match = INSTANT.exec(text);
  if (match === null) return failField(field, 'must be an RFC 3339 date-time with at most nine fraction digits');
  const [, date, time, fraction = '', zone = ''] = match;
  const digits = fraction.padEnd(9, '0');
  const base = Date.parse(`${date}T${time}.${digits.slice(0, 3)}${zone.toUpperCase()}`);
  return rounding === 'up' && Number(digits.slice(3)) > 0 ? base + 1 : base;
}
