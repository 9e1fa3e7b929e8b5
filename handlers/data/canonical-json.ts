/** Canonical JSON (RFC 8785): one text for all bodies with the same meaning, such as `1.0` and `1`. */
import { hash } from 'node:crypto';
import type { WalkedValue } from '../../generated/validators.js';

/** What is stored of a body, to know it again under its key (D-17). */
export const fingerprintOf = (sent: WalkedValue): string => hash('sha256', canonicalJson(sent), 'hex');

/**
 * The canonical text of a JSON value. A number that JSON.parse rounded to infinity becomes `Infinity` or `-Infinity`,
 * which equals no other value's text.
 */
export const canonicalJson = (value: WalkedValue): string => textOf(value);

/** Appending to a text copies nothing: V8 puts its parts together once, at the end. */
function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) {
    return typeof value === 'number' && !Number.isFinite(value) ? String(value) : JSON.stringify(value);
  }
  let text = '';
  if (Array.isArray(value)) {
    for (const item of value) text += `${text && ','}${textOf(item)}`;
    return `[${text}]`;
  }
  // Sorted by UTF-16 code units, as the RFC demands. Reading `__proto__` is safe, since every key is an own property.
  for (const key of Object.keys(value).sort()) {
    text += `${text && ','}${JSON.stringify(key)}:${textOf((value as Record<string, unknown>)[key])}`;
  }
  return `{${text}}`;
}
