/** Ids may be shortened to their beginning, as lists on a narrow terminal show them. */

/** So many characters of an id are enough. */
export const LEAST_OF_ID = 8;

/** What a person gave may be the beginning of an id, also as a list shows it, with its ellipsis. */
const BEGINNING = /^[0-9a-f][0-9a-f:-]{7,}…?$/;

/**
 * Selects rows by the beginning of their ids.
 * @returns undefined if the text cannot be one
 */
export function idsBeginning(text: string): { readonly $gte: string; readonly $lt: string } | undefined {
  // Digits alone are rather a personnel number.
  if (!BEGINNING.test(text) || /^\d+$/.test(text)) return undefined;
  const beginning = text.replace('…', '');
  // A tilde comes after everything that ids consist of.
  return { $gte: beginning, $lt: `${beginning}~` };
}
