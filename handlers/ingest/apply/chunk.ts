/**
 * Applies a portion of a batch. A crash at any point, followed by a repetition, has the same result as no crash:
 *
 * - Ids of new objects and of bindings are computed from the request and the external id, so a repetition makes the
 *   same.
 * - Each row is changed by one write together with its events, and only if it is still as it was read. So for each row
 *   a repetition finds the change either not made or complete; it emits no event twice and leaves none out.
 * - A repetition would report as unchanged what the first attempt has written. So the planned outcome of each record is
 *   noted with the lease before anything is written, and the first note counts ({@link reportedOutcome}).
 * - Outcomes are stored after everything was written, and counted by the same write that advances the cursor: that of
 *   the next portion's lease.
 *
 * A process that lost its lease does no harm: it read the rows before it last held the lease, and its writes are
 * conditional on what it read, so they do not match rows that its successor has changed.
 */
import { BSONError } from 'bson';
import { MongoServerError } from 'mongodb';
import type { Store } from '../../data/store.ts';
import { untilWritten } from '../../data/until-written.ts';
import { now } from '../../process/clock.ts';
import { todayIn } from '../../process/day.ts';
import type { Batch } from './draft.ts';
import { readKnown } from './known.ts';
import type { Counts, Lease } from './lease.ts';
import { planRecords, type RecordAt, type RecordOutcome, skipped } from './plan.ts';
import { JOINED } from './plan-employee.ts';
import type { Placements } from './structure.ts';
import { writeOutcomes, writePlan } from './write.ts';

/** How many plans are made while others keep changing the rows that they are based on. */
const ATTEMPTS = 10;

/** Everything that the portions of a batch share. */
export interface BatchRun {
  readonly store: Store;
  readonly batch: Batch;
  readonly lease: Lease;
  readonly timeZone: string;
  readonly placements: Placements | undefined;
}

const LETTERS = { created: 'c', updated: 'u', unchanged: 'n', skipped: 's' } as const;
/** The letters of outcomes with a note. */
const NOTED = {
  created: { [JOINED['same name']]: 'd', [JOINED['other name']]: 'e' },
  updated: { [JOINED['same name']]: 'v', [JOINED['other name']]: 'w' },
} as const;

/** What a letter says, besides that a record was unchanged or skipped. */
const SAID: ReadonlyMap<string, Pick<RecordOutcome, 'outcome' | 'note'>> = new Map(
  (['created', 'updated'] as const).flatMap((outcome) => [
    [LETTERS[outcome], { outcome, note: '' }] as const,
    ...Object.entries(NOTED[outcome]).map(([note, letter]) => [letter, { outcome, note }] as const),
  ]),
);

function letterOf({ outcome, note }: RecordOutcome): string {
  const noted: Readonly<Record<string, string>> = outcome === 'created' || outcome === 'updated' ? NOTED[outcome] : {};
  return noted[note] ?? LETTERS[outcome];
}

/** The outcomes, one letter each. */
function lettersOf(outcomes: readonly RecordOutcome[]): string {
  return outcomes.map(letterOf).join('');
}

/**
 * The reported outcome of a record: the one noted first, unless the noted or the last outcome is `skipped`.
 * @param letter the note of the first attempt
 */
export function reportedOutcome(letter: string | undefined, last: RecordOutcome): RecordOutcome {
  if (last.outcome === 'skipped' || letter === 's') return last;
  const first = SAID.get(letter ?? '');
  if (first === undefined) return last;
  const { note } = first;
  if (first.outcome === 'created') return { ...last, outcome: 'created', note };
  return last.outcome === 'unchanged' ? { ...last, outcome: 'updated', note } : { ...last, note };
}

/** Applies the records of a portion, stores their outcomes, and notes that it is applied. @throws LeaseLost */
export async function applyChunk(run: BatchRun, chunk: number, records: readonly RecordAt[]): Promise<void> {
  const letters = new Map<number, string>();
  const outcomes = (await applyRecords(run, chunk, records, letters)).map((last) =>
    reportedOutcome(letters.get(last.index), last),
  );
  await writeOutcomes(run.store, run.batch, outcomes);
  const counts: Counts = { created: 0, updated: 0, unchanged: 0, skipped: 0 };
  for (const { outcome } of outcomes) counts[outcome]++;
  run.lease.applied(chunk, counts);
}

/** @param letters is filled by the first plan, which covers the whole portion */
async function applyRecords(
  run: BatchRun,
  chunk: number,
  records: readonly RecordAt[],
  letters: Map<number, string>,
): Promise<RecordOutcome[]> {
  const { store, batch, lease, timeZone, placements } = run;
  const apart = (reason: string) =>
    records.length > 1 ? halves(run, chunk, records, letters) : records.map((record) => skipped(record, reason));
  try {
    return await untilWritten<RecordOutcome[]>(
      ATTEMPTS,
      async () => {
        const mapped = records.flatMap((record) => ('skipped' in record.mapped ? [] : [record.mapped]));
        const known = await readKnown(store, batch.tenantId, batch.source, mapped);
        const plan = planRecords(batch, { now: now(), today: todayIn(timeZone) }, known, records, placements);
        const noted = await lease.hold(chunk, lettersOf(plan.outcomes));
        if (letters.size === 0) records.forEach(({ index }, place) => void letters.set(index, noted.charAt(place)));
        return (await writePlan(store, batch.tenantId, plan)) ? [...plan.outcomes] : undefined;
      },
      () => apart('It was changed by others all the time.'),
    );
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return apart('The database refuses it.');
  }
}

/** Applies both halves separately, to isolate a record that the store refuses, so that the others are applied. */
async function halves(
  run: BatchRun,
  chunk: number,
  records: readonly RecordAt[],
  letters: Map<number, string>,
): Promise<RecordOutcome[]> {
  const middle = Math.ceil(records.length / 2);
  return [
    ...(await applyRecords(run, chunk, records.slice(0, middle), letters)),
    ...(await applyRecords(run, chunk, records.slice(middle), letters)),
  ];
}

/**
 * Server codes that only the sent data can cause: bad value, failed to parse, type mismatch, invalid BSON, names of
 * fields, validation of documents, sizes of documents and of index keys (MongoDB's error_codes.yml).
 */
const REFUSALS = new Set([2, 9, 14, 22, 52, 55, 56, 57, 121, 10_334, 17_280, 17_419, 17_420]);

/** Whether the record causes the error: all other errors are temporary, and the work is repeated. */
function isRefusal(error: unknown): boolean {
  if (error instanceof MongoServerError) return typeof error.code === 'number' && REFUSALS.has(error.code);
  return error instanceof BSONError || error instanceof RangeError || error instanceof TypeError;
}
