/** The details of rows: what is stored and never shown, as JSON text. */

/**
 * The details (stored, never shown) after a record is applied; `''` clears.
 * @param text the JSON text in the row
 */
export function mergedDetails(text: string | undefined, given: Readonly<Record<string, string>>): string {
  const merged = new Map(Object.entries(text ? (JSON.parse(text) as Record<string, string>) : {}));
  for (const [name, value] of Object.entries(given)) {
    if (value === '') merged.delete(name);
    else merged.set(name, value);
  }
  return merged.size === 0 ? '' : JSON.stringify(Object.fromEntries(merged));
}
