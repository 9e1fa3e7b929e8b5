/**
 * Canonical JSON (RFC 8785): one text for all bodies that mean the same, whatever their white space, the order of their
 * fields, their escapes, or `1.0` for `1`.
 */

/**
 * The canonical text of a parsed JSON value, in time linear in its size; recursion is as deep as the value, which
 * `body.ts` bounds. A number that JSON.parse rounded to infinity is written as such, so that it equals no other value.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`;
  if (typeof value === 'object' && value !== null) {
    // Sorted by UTF-16 code units, as the RFC demands; `__proto__` is read safely, since each key is an own one.
    const keys = Object.keys(value).sort();
    const field = (key: string) => `${JSON.stringify(key)}:${canonicalJson((value as Record<string, unknown>)[key])}`;
    return `{${keys.map(field).join()}}`;
  }
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : JSON.stringify(value);
}
