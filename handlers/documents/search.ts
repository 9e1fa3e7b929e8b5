/**
 * Searches documents for a literal part of the title or the number (D-15); no character of the text means anything else.
 * Every run of three characters in a document's text (a gram) is a key of an index in the order of the list. A document
 * with the searched text has each of its grams, so only those with a rare gram are read and compared with the text.
 * Counting keys, up to a limit, shows which gram that is.
 *
 * Where all grams are frequent, the first documents with one of them are read before anything else is counted: if many
 * have the text, they fill the page. If not, the grams are counted further, and the documents are read in slices, so that
 * no read takes long. Slow remains what hardly any document has although all its grams are frequent, such as the end of
 * one frequent word with the beginning of another: at worst a fifth of the tenant's documents, some microseconds each.
 */
import { failField } from '../answers/errors.ts';
import { type DocumentRow, documentKeys, documentLife } from '../data/collections/documents.ts';
import { type FieldMet, fieldsMet } from '../data/field-life.ts';
import type { ReadPlan, RowCount } from '../data/list.ts';

const SEARCHED = fieldsMet(documentLife, 'searched');
type SearchedTexts = Pick<DocumentRow, FieldMet<typeof documentLife, 'searched'>>;

/** Separates the texts; none of them contains it. */
const BETWEEN = '\0';
const GRAM = 3;

/** Text in the form that is compared: NFC, then lower case; a final sigma (ς) becomes a normal one. */
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
export function searchFields(texts: SearchedTexts): Pick<DocumentRow, 'search_text' | 'search_keys'> {
  const parts = SEARCHED.map((field) => folded(texts[field]));
  return { search_text: parts.join(BETWEEN), search_keys: [...new Set(parts.flatMap(gramsOf))] };
}

/** Of so few documents with a gram no others are counted. */
const FEW = 200;
/** Up to how many documents of each gram are counted: at first, and when every gram reaches that limit. */
const LIMITS = [FEW, 5_000];
/** The limit of counting when the first documents with a frequent gram do not fill the page. */
const FAR = 50_000;
/** Beyond the first limit, at most this many grams are counted. */
const COMPARED = 12;
const AT_ONCE = 8;
/** How many documents with a gram one read compares with the text. */
const SLICE = 5_000;

/**
 * How to read the documents that contain a text.
 * @param count counts documents of the tenant
 * @param text folded
 * @throws ApiError INVALID_ARGUMENT on `search` when the text has fewer than three characters after normalisation
 */
export async function searchPlan(count: RowCount, text: string): Promise<ReadPlan> {
  const grams = gramsOf(text);
  if (grams.length === 0) failField('search', 'must have at least three characters after NFC normalisation');
  const [only] = grams;
  // The text is a single gram, so the index alone finds exactly the documents that contain it.
  if (only !== undefined && only === text) return { condition: { search_keys: only } };
  let compared: ComparedText = { rarest: '', fewest: 0, grams };
  for (const limit of LIMITS) {
    compared = await rarestOf(count, compared.grams, limit);
    if (compared.fewest < limit) return { condition: containing(compared.rarest, text) };
  }
  const { rarest, grams: left } = compared;
  return inSlices(rarest, text, async () => inSlices((await rarestOf(count, left, FAR)).rarest, text));
}

const containing = (gram: string, text: string) => ({ search_keys: gram, search_text: { $regex: literally(text) } });

function inSlices(gram: string, text: string, next?: () => Promise<ReadPlan>): ReadPlan {
  const slices = { condition: withGram(gram), hint: documentKeys.searched, rows: SLICE, next };
  return { condition: containing(gram, text), slices };
}

/** Drafts and deleted documents are in no list, and keys without `listed` are in no index. */
const withGram = (gram: string) => ({ listed: true, search_keys: gram });

interface ComparedText {
  readonly rarest: string;
  /** How many documents have the rarest gram, counted up to the limit. */
  readonly fewest: number;
  /** The grams to count with the next limit. */
  readonly grams: readonly string[];
}

/** The gram with the fewest documents, or the first with so few that reading them is less work than counting others. */
async function rarestOf(count: RowCount, grams: readonly string[], limit: number): Promise<ComparedText> {
  const counts: number[] = [];
  for (let i = 0; i < grams.length && Math.min(...counts) >= FEW; i += AT_ONCE) {
    const part = grams.slice(i, i + AT_ONCE);
    counts.push(...(await Promise.all(part.map((gram) => count(withGram(gram), limit)))));
  }
  const fewest = Math.min(...counts);
  const step = Math.ceil(grams.length / COMPARED);
  return { rarest: grams[counts.indexOf(fewest)] ?? '', fewest, grams: grams.filter((_, i) => i % step === 0) };
}

/** A pattern (PCRE) that matches just this text. */
function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
