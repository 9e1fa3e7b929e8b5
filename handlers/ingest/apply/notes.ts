/** What the outcome of a record that was applied says besides (D-29): sentences without values. */
import type { IngestOutcomeRow } from '../../data/collections/ingest_outcomes.ts';

const SENTENCES = {
  joined: 'ФизЛицо.ИИН joined it to a known person whose name is not the same.',
  moved: 'ФизЛицо.ИИН moved it to a known person whose name is not the same.',
  corrected: 'It corrected who the person is, by less than ФизЛицо.ИИН and name together.',
  renamed: 'Its external_id is that of a person with another name and another ФизЛицо.ДатаРождения.',
  iin_of_another: 'ФизЛицо.ИИН is that of another person: it names nobody here.',
  iin_kept:
    'ФизЛицо.ИИН was left as it was: the person has another employment without the same ФизЛицо.ИИН in the batch.',
} as const;

export type Note = keyof typeof SENTENCES;

const NOTES = Object.keys(SENTENCES) as Note[];
const OUTCOMES = ['created', 'updated', 'unchanged', 'skipped'] as const satisfies IngestOutcomeRow['outcome'][];

/** The outcome of a record with what it says besides, as it is planned. */
interface NotedOutcome {
  readonly outcome: IngestOutcomeRow['outcome'];
  readonly notes: readonly Note[];
}

export const noteOf = (notes: readonly Note[]): string =>
  NOTES.filter((note) => notes.includes(note))
    .map((note) => SENTENCES[note])
    .join(' ');

/** Where letters begin: those of an earlier version mean nothing. */
const FIRST_LETTER = 0x100;

/** A planned outcome as one letter, which is noted with the lease. */
export function letterOf({ outcome, notes }: NotedOutcome): string {
  const bits = NOTES.reduce((sum, note, bit) => sum + (notes.includes(note) ? 2 ** bit : 0), 0);
  return String.fromCharCode(FIRST_LETTER + OUTCOMES.indexOf(outcome) * 2 ** NOTES.length + bits);
}

/** What a letter means; undefined for one of an earlier version. */
export function meaningOf(letter: string): NotedOutcome | undefined {
  const code = letter.charCodeAt(0) - FIRST_LETTER;
  const outcome = OUTCOMES[Math.floor(code / 2 ** NOTES.length)];
  return code < 0 || outcome === undefined
    ? undefined
    : { outcome, notes: NOTES.filter((_, bit) => (code >> bit) & 1) };
}
