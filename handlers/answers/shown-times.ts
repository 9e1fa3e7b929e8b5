/**
 * Days and times of rows, as everything that leaves the service has them: of the years 1 to 9999, which every typed reader
 * can hold. What is stored outside goes out as empty (D-2), and is reported, so that somebody can mend it.
 */
import { isDay, isShownInstant } from '../../generated/validators.js';

const reported = new Set<string>();
let report: (field: string, id: string) => void = () => {};

/** Calls back for the first value of each field that cannot be shown, with the row's id. */
export function onUnshowable(listener: typeof report): void {
  report = listener;
  reported.clear();
}

/** What goes out for a day or a time that no reader could hold. */
export function unshowable(field: string, id: string): '' {
  if (!reported.has(field)) {
    reported.add(field);
    report(field, id);
  }
  return '';
}

/** An instant as RFC 3339 text in UTC with milliseconds; `''` if it cannot be shown. @param id of what has it */
export function timeText(time: Date, field: string, id: string): string {
  return isShownInstant(time.getTime()) ? time.toISOString() : unshowable(field, id);
}

/** A day, `YYYY-MM-DD` or `''`; `''` if it cannot be shown. @param id of what has it */
export function dayText(day: string, field: string, id: string): string {
  return day === '' || isDay(day) ? day : unshowable(field, id);
}

/** An instant of a row; `''` if it has none that can be shown. */
export function shownTime<Field extends string>(
  row: { readonly _id: string } & { readonly [Name in Field]?: Date | null },
  field: Field,
): string {
  const time: Date | null | undefined = row[field];
  return time ? timeText(time, field, row._id) : '';
}
