/**
 * Applies a chunk of a batch. A crash at any point, followed by a repetition, has the same result as no crash:
 *
 * - Ids of new objects and of bindings are computed from the request and the external id, so a repetition makes the
 *   same.
 * - Each row is changed by one write together with its events, and only if it is still as it was read. So for each row
 *   a repetition finds the change either not made or complete; it emits no event twice and leaves none out.
 * - A repetition would report as unchanged what the first attempt has written. So the planned outcome of each record is
 *   noted with the lease before anything is written, and the first note counts ({@link reportedOutcome}).
 * - Outcomes are stored after everything was written, and counted by the same write that advances the cursor: that of
 *   the next chunk's lease.
 *
 * A process that lost its lease does no harm: it read the rows before it last held the lease, and its writes are
 * conditional on what it read, so they do not match rows that its successor has changed.
 */
import { BSONError } from 'bson';
import { MongoServerError } from 'mongodb';
import { writeRows } from '../../data/bulk.ts';
import type { ExternalBindingRow } from '../../data/collections/external_bindings.ts';
import { ofTenant, type TenantCollection } from '../../data/of-tenant.ts';
import type { Store } from '../../data/store.ts';
import { insertNew, untilWritten } from '../../data/writes.ts';
import { writeEmployees } from '../../employees/write/employees.ts';
import { writePersons } from '../../employees/write/persons.ts';
import { now } from '../../runtime/clock.ts';
import { todayIn } from '../../runtime/day.ts';
import { readKnown } from './known.ts';
import type { Counts, Lease } from './lease.ts';
import { letterOf, meaningOf, noteOf } from './notes.ts';
import { type Plan, planRecords, type RecordAt, type RecordOutcome, skipped } from './plan.ts';
import type { Batch, BindingChange } from './planned-rows.ts';

/** How many plans are made while others keep changing the rows that they are based on. */
const ATTEMPTS = 10;

/** A chunk that is being applied. */
interface ChunkInWork {
  readonly store: Store;
  readonly lease: Lease;
  readonly batch: Batch;
  readonly chunk: number;
  /** What the first plan noted, by the record's place in the batch. It covers the whole chunk. */
  readonly letters: Map<number, string>;
}

/**
 * The reported outcome of a record: the one noted first, unless the noted or the last outcome is `skipped`.
 * @param letter the note of the first attempt
 */
function reportedOutcome(letter: string | undefined, last: RecordOutcome): RecordOutcome {
  const first = letter ? meaningOf(letter) : undefined;
  if (first === undefined || last.outcome === 'skipped') return last;
  if (first.outcome === 'skipped' || first.outcome === 'unchanged') return last;
  const { notes } = first;
  if (first.outcome === 'created') return { ...last, outcome: 'created', notes };
  return last.outcome === 'unchanged' ? { ...last, outcome: 'updated', notes } : { ...last, notes };
}

/** Applies the records of a chunk, stores their outcomes, and notes that it is applied. @throws LeaseLost */
export async function applyChunk(
  store: Store,
  lease: Lease,
  batch: Batch,
  chunk: number,
  records: readonly RecordAt[],
): Promise<void> {
  const letters = new Map<number, string>();
  const last = await applyRecords({ store, lease, batch, chunk, letters }, records);
  const outcomes = last.map((each) => reportedOutcome(letters.get(each.index), each));
  await writeOutcomes(store, batch, outcomes);
  const counts: Counts = { created: 0, updated: 0, unchanged: 0, skipped: 0 };
  for (const { outcome } of outcomes) counts[outcome]++;
  lease.applied(chunk, counts);
}

/** Applies some records of a chunk. A record that the store refuses is isolated, so that the others are applied. */
async function applyRecords(work: ChunkInWork, records: readonly RecordAt[]): Promise<RecordOutcome[]> {
  try {
    const outcomes = await untilWritten<RecordOutcome[] | 'overtaken'>(
      ATTEMPTS,
      () => planAndWrite(work, records),
      () => 'overtaken',
    );
    if (outcomes !== 'overtaken') return outcomes;
    return await applyApart(work, records, 'It was changed by others all the time.');
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return applyApart(work, records, 'The database refuses it.');
  }
}

/** Applies both halves separately; skips a record that is alone. */
async function applyApart(work: ChunkInWork, records: readonly RecordAt[], reason: string): Promise<RecordOutcome[]> {
  if (records.length <= 1) return records.map((record) => skipped(record, reason));
  const middle = Math.ceil(records.length / 2);
  const first = await applyRecords(work, records.slice(0, middle));
  return [...first, ...(await applyRecords(work, records.slice(middle)))];
}

/** What the records of a batch would change now. */
export async function planChunk(store: Store, batch: Batch, records: readonly RecordAt[]): Promise<Plan> {
  const mapped = records.flatMap((record) => ('skipped' in record.mapped ? [] : [record.mapped]));
  const known = await readKnown(store, batch.tenantId, batch.source, mapped);
  return planRecords(batch, { now: now(), today: todayIn(batch.timeZone) }, known, records);
}

/** @returns undefined if somebody else changed the rows meanwhile */
async function planAndWrite(
  { store, lease, batch, chunk, letters }: ChunkInWork,
  records: readonly RecordAt[],
): Promise<RecordOutcome[] | undefined> {
  const plan = await planChunk(store, batch, records);
  const noted = await lease.hold(chunk, plan.outcomes.map(letterOf).join(''));
  if (letters.size === 0) records.forEach(({ index }, place) => void letters.set(index, noted.charAt(place)));
  return (await writePlan(store, batch.tenantId, plan)) ? [...plan.outcomes] : undefined;
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

/**
 * Writes a plan. Bindings come first: a crash leaves at most an external id that refers to an object that does not
 * exist yet. That counts as unknown, and a repetition of the batch creates the object under the same id. Then come the
 * objects that others refer to, and employees last. Events are in the rows, so they are part of the same writes.
 * @returns whether everything was written. If not, somebody else changed rows of the plan meanwhile: read the known
 * rows again and make a new plan. Any part may have been written.
 */
async function writePlan(store: Store, tenantId: string, { bindings, changes }: Plan): Promise<boolean> {
  if (!(await writeBindings(ofTenant(store.external_bindings, tenantId), bindings))) return false;
  // Each is at most one row for a record of a chunk, so one command does not delay the API's requests for long.
  const overtaken = [
    ...(await writeRows(ofTenant(store.organizations, tenantId), changes.ORGANIZATION)),
    ...(await writeRows(ofTenant(store.job_titles, tenantId), changes.JOB_TITLE)),
    ...(await writeRows(ofTenant(store.departments, tenantId), changes.DEPARTMENT)),
    ...(await writePersons(store, tenantId, changes.PERSON)),
  ];
  // Employees must not refer to a person that could not be written.
  if (overtaken.length > 0) return false;
  return changes.EMPLOYEE.length === 0 || (await writeEmployees(store, tenantId, changes.EMPLOYEE)).size === 0;
}

async function writeBindings(
  rows: TenantCollection<ExternalBindingRow>,
  changes: readonly BindingChange[],
): Promise<boolean> {
  const created = changes.flatMap(({ former, row }) => (former === null ? [row] : []));
  const changed = changes.flatMap(({ former, row }) => (former === null ? [] : [{ former, row }]));
  if (created.length > 0 && (await insertNew(rows, created)) < created.length) return false;
  if (changed.length === 0) return true;
  const { matchedCount, deletedCount } = await rows.bulkWrite(
    changed.map(({ former, row: { _id, object_id, others } }) => {
      const filter = { _id, object_id: former.object_id, others: former.others ?? { $exists: false } };
      if (object_id === '') return { deleteOne: { filter } };
      return { updateOne: { filter, update: { $set: { object_id, ...(others && { others }) } } } };
    }),
    { ordered: false },
  );
  return matchedCount + deletedCount === changed.length;
}

/**
 * Stores the outcomes of records, after everything of them is written. A stored outcome is never replaced: a
 * repetition, or a process that lost the request long ago, knows less about what was done.
 */
async function writeOutcomes(store: Store, batch: Batch, outcomes: readonly RecordOutcome[]): Promise<void> {
  if (outcomes.length === 0) return;
  const { tenantId: tenant_id, requestId: request_id } = batch;
  const create_time = now();
  const rows = outcomes.map(({ notes, ...outcome }) => ({
    _id: `${request_id}:${outcome.index}`,
    tenant_id,
    request_id,
    ...outcome,
    note: noteOf(notes),
    create_time,
  }));
  await insertNew(ofTenant(store.ingest_outcomes, tenant_id), rows);
}
