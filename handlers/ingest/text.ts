/** Limits of texts in records; characters are code points (D-29). */

export const MAX_TEXT = 1_000;
export const MAX_EXTERNAL_ID = 255;

/** Whether a text has more than so many code points, without counting long ones to their end. */
export function longerThan(text: string, limit: number): boolean {
  if (text.length <= limit) return false;
  return text.length > 2 * limit || [...text].length > limit;
}

/** The first code points of a text, as many as are asked for. */
export function firstOf(text: string, count: number): string {
  if (text.length <= count) return text;
  return [...text.slice(0, 2 * count)].slice(0, count).join('');
}
