import { now } from './clock.ts';

const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * The calendar day that it is now in a time zone, as YYYY-MM-DD: every "today" is the tenant's (D-17).
 * @param timeZone an IANA name, as tenants have it
 */
export function todayIn(timeZone: string): string {
  let format = formats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
    formats.set(timeZone, format);
  }
  const parts = new Map(format.formatToParts(now()).map(({ type, value }) => [type, value]));
  return `${parts.get('year')?.padStart(4, '0')}-${parts.get('month')}-${parts.get('day')}`;
}
