/**
 * How much of a document text fills, in characters: what it takes to print it, decided before it is printed (D-17). What
 * weighs most for its characters is a line, which is laid out and drawn by itself.
 */
import { ucs2length } from '@cfworker/json-schema';

/** What a line break counts as: the rest of a line. */
export const LINE_WEIGHT = 80;
/** What each value, list entry, table cell or other piece of text counts as beside its characters. */
export const ENTRY_WEIGHT = 40;
export const PAGE_WEIGHT = 2_500;
/** What a document may come to with its values in it: about 120 pages. */
export const LARGEST_DOCUMENT = 120 * PAGE_WEIGHT;
/** In a column with room for fewer characters a line still counts as so many. */
export const NARROW_LINE = 10;

/** What a text counts as, without an entry's share. */
export function weightOf(text: string): number {
  const breaks = text.match(/[\n\r\u2028\u2029]/g)?.length ?? 0;
  return ucs2length(text) + breaks * LINE_WEIGHT;
}
