/** Calendar days as text, YYYY-MM-DD, which sorts in the order of the days. Every "today" is the tenant's (D-17). */
import { now } from './clock.ts';

const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * The calendar day of an instant in a time zone.
 * @param timeZone an IANA name, as in a tenant's row
 */
export function dayIn(timeZone: string, at: Date): string {
  let format = formats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
    formats.set(timeZone, format);
  }
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]));
  return `${parts.get('year')?.padStart(4, '0')}-${parts.get('month')}-${parts.get('day')}`;
}

/** Today's calendar day in a time zone. */
export function todayIn(timeZone: string): string {
  return dayIn(timeZone, now());
}

const DAY_MS = 86_400_000;

/** The day after a day; `''` after the last one that YYYY-MM-DD can write. */
export function dayAfter(day: string): string {
  const next = new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MS).toISOString();
  return next.startsWith('+') ? '' : next.slice(0, 10);
}
