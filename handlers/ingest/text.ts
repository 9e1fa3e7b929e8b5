/** Limits of texts in records, in characters, which are code points (D-29). */

export const MAX_TEXT = 1_000;
export const MAX_EXTERNAL_ID = 255;

/** Whether a text has more than `limit` code points, without counting long texts to their end. */
export function longerThan(text: string, limit: number): boolean {
  if (text.length <= limit) return false;
  return text.length > 2 * limit || [...text].length > limit;
}

/** The first `count` code points of a text. */
export function firstOf(text: string, count: number): string {
  if (text.length <= count) return text;
  return [...text.slice(0, 2 * count)].slice(0, count).join('');
}
