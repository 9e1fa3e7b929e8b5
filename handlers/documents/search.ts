/** The fields of a row that the search reads (D-15). */
import type { DocumentRow } from '../runtime/store.ts';

/** Stands between title and number, and in neither. */
const BETWEEN = '\0';
const GRAM = 3;

/** What is compared: NFC, then lower case; a sigma at the end of a word is the same letter. */
export function folded(text: string): string {
  return text.normalize('NFC').toLowerCase().replaceAll('ς', 'σ');
}

/** Every run of three characters. */
export function gramsOf(text: string): Set<string> {
  const characters = [...text];
  const grams = new Set<string>();
  for (let i = 0; i + GRAM <= characters.length; i++) grams.add(characters.slice(i, i + GRAM).join(''));
  return grams;
}

/** The search fields of a document. */
export function searchFields(title: string, number: string): Pick<DocumentRow, 'search_text' | 'search_keys'> {
  const [a, b] = [folded(title), folded(number)];
  return { search_text: a + BETWEEN + b, search_keys: [...new Set([...gramsOf(a), ...gramsOf(b)])] };
}
