/**
 * The search in documents (D-15): a literal part of the title or the number, whatever its characters mean elsewhere.
 *
 * A row has the text that is compared, and every run of three characters (gram) in it as keys of an index that is in the
 * order of the list. A document that contains the searched text contains each of its grams, so the rarest of them bounds
 * what has to be read, and each document that it finds is compared with the text. Which is the rarest is found by
 * counting keys, never further than a limit.
 *
 * Where each of the grams is frequent, the first documents with one of them are read before anything else is counted:
 * text that many documents have fills a page by them. Only then the rarest is looked for further, and its documents are
 * read in slices, so that no single read takes long, whatever the size of the tenant.
 *
 * What remains: text that hardly any document has although each of its grams is in many, say the beginning of one
 * frequent word with the end of another. Then all documents with the rarest gram are read, in the worst case of titles
 * that are much alike a fifth of the tenant, at some microseconds each.
 */
import type { Caller } from '../access/caller.ts';
import { type DocumentRow, searchedKeys } from '../data/store.ts';
import type { Way } from '../data/ways.ts';
import { failField } from '../http/errors.ts';

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

/** How far the grams' documents are counted at first, and then where all reach the limit before. */
const LIMITS = [200, 5_000];
/** How far they are counted where the first documents with a frequent gram do not fill the page. */
const FAR = 50_000;
/** Beyond the first limit only so many grams are compared. */
const COMPARED = 12;
const AT_ONCE = 8;
/** How many documents with a gram are compared with the text by one read. */
const SLICE = 5_000;

/**
 * The way to the documents with a text; undefined where no document of the tenant has it.
 * @param text folded
 * @throws ApiError INVALID_ARGUMENT on `search` for what normalisation made shorter than three characters
 */
export async function searchWay(caller: Caller, text: string): Promise<Way | undefined> {
  const grams = gramsOf(text);
  if (grams.length === 0) failField('search', 'must have at least three characters after NFC normalisation');
  const [only] = grams;
  // A single gram says it all: its index finds the documents, and only them.
  if (only !== undefined && only === text) return { filter: { search_keys: only } };
  let compared: Compared = { rarest: '', fewest: 0, grams };
  for (const limit of LIMITS) {
    compared = await rarestOf(caller, compared.grams, limit);
    if (compared.fewest === 0) return undefined;
    if (compared.fewest < limit) return { filter: found(compared.rarest, text) };
  }
  const { rarest, grams: left } = compared;
  return inSlices(rarest, text, async () => inSlices((await rarestOf(caller, left, FAR)).rarest, text));
}

const found = (gram: string, text: string) => ({ search_keys: gram, search_text: { $regex: literally(text) } });

function inSlices(gram: string, text: string, next?: () => Promise<Way>): Way {
  const slice = { filter: { listed: true, search_keys: gram }, hint: searchedKeys, rows: SLICE };
  return { filter: found(gram, text), slice: { ...slice, ...(next && { next }) } };
}

interface Compared {
  readonly rarest: string;
  /** How many documents have the rarest, counted no further than the limit. */
  readonly fewest: number;
  /** What to compare at the next limit. */
  readonly grams: readonly string[];
}

/** The gram with the fewest documents. */
async function rarestOf(caller: Caller, grams: readonly string[], limit: number): Promise<Compared> {
  const rows = caller.inTenant('documents');
  const counts: number[] = [];
  for (let i = 0; i < grams.length && !counts.includes(0); i += AT_ONCE) {
    const part = grams.slice(i, i + AT_ONCE);
    counts.push(
      ...(await Promise.all(part.map((gram) => rows.roughCount({ listed: true, search_keys: gram }, limit)))),
    );
  }
  const fewest = Math.min(...counts);
  const step = Math.ceil(grams.length / COMPARED);
  return { rarest: grams[counts.indexOf(fewest)] ?? '', fewest, grams: grams.filter((_, i) => i % step === 0) };
}

/** A pattern (PCRE) that matches just this text. */
function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
