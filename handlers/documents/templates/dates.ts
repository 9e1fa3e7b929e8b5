/** Dates as they are printed; the printing thread needs nothing else of a template. */

/** `2026-03-02` → `02.03.2026`; what is no date is shown as it is. */
export function formatDate(value: string): string {
  return value.replace(/^(\d{4})-(\d{2})-(\d{2})$/, '$3.$2.$1');
}
