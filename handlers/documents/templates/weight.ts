/**
 * Estimates how much of a document a text fills, in characters, and so the cost of printing it, before it is printed
 * (D-17). Lines cost most in relation to their characters, since each is laid out and drawn separately.
 */
import { ucs2length } from '@cfworker/json-schema';

/** The weight of a line break: it stands for the rest of a line. */
export const LINE_WEIGHT = 80;
/** The weight of each value, list entry, table cell or other piece of text, besides its characters. */
export const ENTRY_WEIGHT = 40;
export const PAGE_WEIGHT = 2_500;
/** The largest weight of a document with its values: about 120 pages. */
export const LARGEST_DOCUMENT = 120 * PAGE_WEIGHT;
/** In a column with room for fewer characters, a line still counts as this many. */
export const NARROW_LINE = 10;

/** The weight of a text, without that of an entry. */
export function weightOf(text: string): number {
  let breaks = 0;
  for (let at = 0; at < text.length; at++) if (isLineBreak(text.charCodeAt(at))) breaks++;
  return ucs2length(text) + breaks * LINE_WEIGHT;
}

const isLineBreak = (unit: number) => unit === 0x0a || unit === 0x0d || unit === 0x2028 || unit === 0x2029;
