/**
 * Writes many rows in one command. Each is written completely or not at all, and only if it is still as it was when the
 * change was computed; rows that somebody else changed meanwhile are reported.
 */
import { isDeepStrictEqual } from 'node:util';
import type { AnyBulkWriteOperation, Collection } from 'mongodb';
import type { TenantCollection } from './of-tenant.ts';
import { outboxFilled, type PendingEvent } from './outbox.ts';
import { onlyThere } from './writes.ts';

/** The fields that a row needs here; `rev` and the outbox fields only where its collection has them. */
interface BulkRow {
  readonly _id: string;
  readonly tenant_id: string;
  readonly rev?: number;
  readonly pending_events?: PendingEvent[];
  readonly outbox_at?: Date | null;
}

/** A row before and after a change; `before` is null for a new one. */
export interface RowChange<Row> {
  readonly before: Row | null;
  readonly after: Row;
}

type BulkValues = Record<string, unknown>;
type Operation = AnyBulkWriteOperation<BulkRow>;

/** The events that a change adds. Only these are written, since the relay may remove earlier ones meanwhile. */
function newEvents({ before, after }: RowChange<BulkRow>): PendingEvent[] {
  const known = new Set(before?.pending_events?.map(({ id }) => id));
  return (after.pending_events ?? []).filter(({ id }) => !known.has(id));
}

/**
 * The fields that a change sets. In a row with events, only the relay may set `outbox_at`, unless there are new events.
 */
function fieldsOf(before: BulkValues, after: BulkValues, events: readonly PendingEvent[]): BulkValues {
  const set = Object.fromEntries(
    Object.entries(after).filter(
      ([name, value]) => name !== 'pending_events' && !isDeepStrictEqual(before[name], value),
    ),
  );
  if (after.pending_events === undefined) return set;
  const { outbox_at: _, ...own } = set;
  return events.length > 0 ? { ...own, outbox_at: after.outbox_at } : own;
}

/**
 * The condition that the row is still as `before`, as far as it matters. If the change raises the revision, the old
 * revision is enough; otherwise the fields to be set must have their old values. A missing field counts as null.
 */
function sameAs(before: BulkRow, after: BulkRow, set: BulkValues): BulkValues {
  const key = { _id: before._id, tenant_id: before.tenant_id };
  if (after.rev === undefined) return { ...key, ...former(before, set) };
  const rev = { ...key, rev: before.rev };
  return after.rev === before.rev ? { ...rev, ...former(before, set) } : rev;
}

const former = (before: object, set: BulkValues): BulkValues =>
  Object.fromEntries(Object.keys(set).map((name) => [name, (before as BulkValues)[name] ?? null]));

interface PlannedWrite {
  readonly id: string;
  readonly tenantId: string;
  readonly isNew: boolean;
  readonly set: BulkValues;
  readonly operation: Operation;
}

function plan(change: RowChange<BulkRow>): PlannedWrite[] {
  const { before, after } = change;
  const { _id: id, tenant_id: tenantId } = after;
  if (before === null) return [{ id, tenantId, isNew: true, set: {}, operation: { insertOne: { document: after } } }];
  const events = newEvents(change);
  const set = fieldsOf(before as unknown as BulkValues, after as unknown as BulkValues, events);
  if (Object.keys(set).length === 0 && events.length === 0) return [];
  const update = {
    ...(Object.keys(set).length > 0 && { $set: set }),
    ...(events.length > 0 && { $push: { pending_events: { $each: events } } }),
  };
  return [
    { id, tenantId, isNew: false, set, operation: { updateOne: { filter: sameAs(before, after, set), update } } },
  ];
}

/**
 * Writes changes of different rows, in no particular order; of equal `before` and `after`, nothing.
 * @returns ids of rows that somebody else changed, removed or created meanwhile: these are not written, or were written
 * and changed again; computing their changes again then finds nothing left to do
 * @throws the store's error; some of the changes may have been written then
 */
export async function writeRows<Row extends BulkRow>(
  collection: Collection<Row> | TenantCollection<Row>,
  changes: readonly RowChange<Row>[],
): Promise<ReadonlySet<string>> {
  const rows = collection as unknown as Collection<BulkRow>;
  const planned = changes.flatMap(plan);
  if (planned.length === 0) return new Set();
  const { matched, taken } = await run(rows, planned);
  if (changes.some(({ after }) => after.outbox_at)) outboxFilled();
  const updates = planned.filter(({ isNew }) => !isNew);
  const overtaken = matched === updates.length ? [] : await notWritten(rows, updates);
  return new Set([...taken, ...overtaken]);
}

/** @returns how many updates found their row, and the ids of inserts that were already taken */
async function run(rows: Collection<BulkRow>, planned: readonly PlannedWrite[]) {
  const operations = planned.map(({ operation }) => operation);
  try {
    const { matchedCount } = await rows.bulkWrite(operations, { ordered: false });
    return { matched: matchedCount, taken: [] };
  } catch (error) {
    if (!onlyThere(error)) throw error;
    const taken = [error.writeErrors].flat().map(({ index }) => planned[index]?.id ?? '');
    return { matched: error.result.matchedCount, taken };
  }
}

/** The updates that were not written: the result of a bulk says how many failed, but not which. */
async function notWritten(rows: Collection<BulkRow>, updates: readonly PlannedWrite[]): Promise<string[]> {
  const byId = new Map<string, BulkValues>();
  for (const [tenant_id, own] of Map.groupBy(updates, ({ tenantId }) => tenantId)) {
    const found = await rows.find({ _id: { $in: own.map(({ id }) => id) }, tenant_id }).toArray();
    for (const row of found) byId.set(row._id, row as unknown as BulkValues);
  }
  const isWritten = ({ id, set }: PlannedWrite) =>
    Object.entries(set).every(
      ([name, value]) => name === 'outbox_at' || isDeepStrictEqual(byId.get(id)?.[name], value),
    );
  return updates.filter((update) => !isWritten(update)).map(({ id }) => id);
}
