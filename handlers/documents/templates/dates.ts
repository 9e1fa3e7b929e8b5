/** Dates as they are printed; the printing thread needs nothing else of a template. */

/** `2026-03-02` → `02.03.2026`; a text that is not a date is shown unchanged. */
export function formatDate(value: string): string {
  return value.replace(/^(\d{4})-(\d{2})-(\d{2})$/, '$3.$2.$1');
}
