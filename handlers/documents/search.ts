/**
 * The search in documents (D-15): a literal part of the title or the number, whatever its characters mean elsewhere.
 *
 * A row has the text that is compared, and every run of three characters (gram) in it as keys of an index that is in the
 * order of the list. A document that contains the searched text contains each of its grams, so the rarest of them bounds
 * what has to be read, and each document that it finds is compared with the text. Which is the rarest is found by
 * counting keys, never further than a limit.
 *
 * What that bounds, whatever the size of the tenant: text of three characters, as its index finds nothing else; text with
 * a gram that few documents have, or none; and text that many documents have, as a page is soon full. What it does not
 * bound: text that hardly any document has although each of its grams is in many, say the beginning of one frequent word
 * with the end of another. Then all documents with the rarest gram are read, in the worst case of titles that are much
 * alike a fifth of the tenant, at some microseconds each; the limit of time for reads ends what takes longer.
 */
import type { Caller } from '../runtime/caller.ts';
import { failField } from '../runtime/errors.ts';
import type { DocumentRow, Filter } from '../runtime/store.ts';

/** Stands between title and number, and in neither. */
const BETWEEN = '\0';
const GRAM = 3;

/** What is compared: NFC, then lower case; a sigma at the end of a word is the same letter. */
export function folded(text: string): string {
  return text.normalize('NFC').toLowerCase().replaceAll('ς', 'σ');
}

/** Every run of three characters, each once. */
export function gramsOf(text: string): string[] {
  const characters = [...text];
  const grams = new Set<string>();
  for (let i = 0; i + GRAM <= characters.length; i++) grams.add(characters.slice(i, i + GRAM).join(''));
  return [...grams];
}

/** The search fields of a document. */
export function searchFields(title: string, number: string): Pick<DocumentRow, 'search_text' | 'search_keys'> {
  const [a, b] = [folded(title), folded(number)];
  return { search_text: a + BETWEEN + b, search_keys: [...new Set([...gramsOf(a), ...gramsOf(b)])] };
}

/** How far the grams' documents are counted: with the next limit only where all reach the one before. */
const LIMITS = [200, 5_000, 100_000];
/** Beyond the first limit only so many grams are compared. */
const COMPARED = 12;
const AT_ONCE = 8;

/**
 * The condition on rows; undefined where no document of the tenant has the text.
 * @param text folded
 * @throws ApiError INVALID_ARGUMENT on `search` for what normalisation made shorter than three characters
 */
export async function searchFilter(caller: Caller, text: string): Promise<Filter<DocumentRow> | undefined> {
  const grams = gramsOf(text);
  if (grams.length === 0) failField('search', 'must have at least three characters after NFC normalisation');
  const [only] = grams;
  // A single gram says it all: its index finds the documents, and only them.
  if (only !== undefined && only === text) return { search_keys: only };
  const rarest = await rarestOf(caller, grams);
  return rarest === undefined ? undefined : { search_keys: rarest, search_text: { $regex: literally(text) } };
}

/** The gram with the fewest documents; undefined where one of them has none. */
async function rarestOf(caller: Caller, grams: readonly string[]): Promise<string | undefined> {
  const rows = caller.inTenant('documents');
  let candidates = grams;
  for (const limit of LIMITS) {
    const counts: number[] = [];
    for (let i = 0; i < candidates.length; i += AT_ONCE) {
      const part = candidates.slice(i, i + AT_ONCE);
      counts.push(
        ...(await Promise.all(part.map((gram) => rows.roughCount({ listed: true, search_keys: gram }, limit)))),
      );
      if (counts.includes(0)) return undefined;
    }
    const fewest = Math.min(...counts);
    const rarest = candidates[counts.indexOf(fewest)];
    if (fewest < limit || limit === LIMITS.at(-1)) return rarest;
    const step = Math.ceil(candidates.length / COMPARED);
    candidates = candidates.filter((_, i) => i % step === 0);
  }
  return undefined;
}

/** A pattern (PCRE) that matches just this text. */
function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
