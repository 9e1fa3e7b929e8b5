/** Canonical JSON (RFC 8785): one text for all bodies with the same meaning, such as `1.0` and `1`. */

/**
 * The canonical text of a parsed JSON value, whose depth `http/plain-body.ts` bounds. A number that JSON.parse rounded
 * to infinity becomes `Infinity` or `-Infinity`, which equals no other value's text.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`;
  if (typeof value === 'object' && value !== null) {
    // Sorted by UTF-16 code units, as the RFC demands. Reading `__proto__` is safe, since every key is an own property.
    const keys = Object.keys(value).sort();
    const field = (key: string) => `${JSON.stringify(key)}:${canonicalJson((value as Record<string, unknown>)[key])}`;
    return `{${keys.map(field).join()}}`;
  }
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : JSON.stringify(value);
}
