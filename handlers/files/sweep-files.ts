/**
 * Removes uploads and stored objects that nobody needs any more (D-23). It may run at any time, in several processes at
 * once, while requests continue. This is safe because:
 *
 * - Bytes are removed only after one conditional write has made sure that they cannot be needed: RESERVED becomes
 *   EXPIRED, which no confirmation can change; an upload without a document becomes EXPIRED, which no document can
 *   take; for objects that a document might refer to, see {@link settledObject}. The write of the confirmation, or of
 *   the link, has a condition on the same fields of the same row, so exactly one of the two writes succeeds.
 * - Of a confirmed upload only versions other than the pinned one are removed, and the pinned one never changes.
 * - A link is removed only if it is the one that was read: `linked_at` grows with every attempt of a creation.
 * - Each step may be repeated: a crash leaves `sweep_at`, or the note, and the next run repeats the step. Ids, and so
 *   keys, are never used again.
 */
import type { FileRow } from '../data/collections/files.ts';
import type { UnclaimedObjectRow } from '../data/collections/unclaimed_objects.ts';
import { ofTenant } from '../data/of-tenant.ts';
import { READ_TIME_MS } from '../data/reads.ts';
import type { Store } from '../data/store.ts';
import { now, nowMs } from '../process/clock.ts';
import { documentOfKey, type Storage, uploadKey } from '../storage/storage.ts';
import { ABANDONED_AFTER_MS, KEPT_FOR_MS } from '../storage/uploads.ts';
import { settledObject } from './settled-object.ts';

/** How many rows of a kind one run handles. */
const BATCH = 200;
/** After this many failures in a row the storage is assumed to be away, and the run ends. */
const MAX_FAILURES = 3;
/** Wait before a failed row is tried again, in milliseconds, so that it does not block others for ever. */
const POSTPONED_MS = 10 * 60 * 1000;

/**
 * Makes one run over what is due.
 * @returns whether there may be more
 * @throws an error of the storage or the store, after everything else was done or the storage seems to be away
 */
export async function sweepFiles(store: Store, storage: Storage, stopping: AbortSignal): Promise<boolean> {
  const order = { limit: BATCH, batchSize: BATCH + 1, maxTimeMS: READ_TIME_MS };
  const uploads = await store.files.find({ sweep_at: { $lte: now() } }, { ...order, sort: { sweep_at: 1 } }).toArray();
  await forEach(
    uploads,
    stopping,
    (row) => sweepUpload(store, storage, row),
    (row) => change(store, row, { sweep_at: row.sweep_at }, { sweep_at: new Date(nowMs() + POSTPONED_MS) }),
  );
  const abandoned = new Date(nowMs() - ABANDONED_AFTER_MS);
  const notes = await store.unclaimed_objects
    .find({ create_time: { $lte: abandoned } }, { ...order, sort: { create_time: 1 } })
    .toArray();
  await forEach(
    notes,
    stopping,
    (note) => sweepObject(store, storage, note),
    ({ _id, tenant_id, create_time }) =>
      ofTenant(store.unclaimed_objects, tenant_id).updateOne(
        { _id, create_time },
        { $set: { create_time: new Date(nowMs() - ABANDONED_AFTER_MS + POSTPONED_MS) } },
      ),
  );
  return uploads.length === BATCH || notes.length === BATCH;
}

async function forEach<Row>(
  rows: readonly Row[],
  stopping: AbortSignal,
  work: (row: Row) => Promise<void>,
  postpone: (row: Row) => Promise<unknown>,
): Promise<void> {
  let failure: { readonly error: unknown } | undefined;
  let inARow = 0;
  for (const row of rows) {
    if (stopping.aborted) return;
    try {
      await work(row);
      inARow = 0;
    } catch (error) {
      await postpone(row);
      failure = { error };
      if (++inARow === MAX_FAILURES) break;
    }
  }
  if (failure !== undefined) throw failure.error;
}

async function sweepUpload(store: Store, storage: Storage, row: FileRow): Promise<void> {
  switch (row.status) {
    case 'FILE_UPLOAD_STATUS_RESERVED':
      return expire(store, storage, row);
    case 'FILE_UPLOAD_STATUS_EXPIRED':
      return forget(store, storage, row);
    case 'FILE_UPLOAD_STATUS_UPLOADED':
      return row.document_id === '' ? keepOrExpire(store, storage, row) : settleLink(store, storage, row);
  }
}

/** Makes a reservation, or a confirmed upload without a document, EXPIRED, if it is still as it was read. */
async function expire(store: Store, storage: Storage, row: FileRow): Promise<void> {
  const { status, document_id, sweep_at } = row;
  const expired = { status: 'FILE_UPLOAD_STATUS_EXPIRED' as const, update_time: now() };
  if (await change(store, row, { status, document_id, sweep_at }, expired)) await forget(store, storage, row);
}

/**
 * Removes the bytes of an expired upload. The row of a reservation stays, to show why it cannot be confirmed (D-23).
 */
async function forget(store: Store, storage: Storage, row: FileRow): Promise<void> {
  const { _id, tenant_id, object } = row;
  await storage.remove(uploadKey(tenant_id, _id));
  const status = 'FILE_UPLOAD_STATUS_EXPIRED';
  if (object === null) await change(store, row, { status }, { sweep_at: null });
  else await ofTenant(store.files, tenant_id).deleteOne({ _id, status });
}

/** Keeps only the pinned version of a confirmed upload without a document, until its time is over; then expires it. */
async function keepOrExpire(store: Store, storage: Storage, row: FileRow): Promise<void> {
  const { status, document_id, sweep_at, object, confirmed_at } = row;
  const keptUntil = new Date((confirmed_at?.getTime() ?? 0) + KEPT_FOR_MS);
  if (keptUntil <= now()) return expire(store, storage, row);
  if (object !== null) await storage.remove(object.key, object.version);
  await change(store, row, { status, document_id, sweep_at }, { sweep_at: keptUntil });
}

/** Settles a link that is old enough: its document has the upload for good, or the upload is free again. */
async function settleLink(store: Store, storage: Storage, row: FileRow): Promise<void> {
  const { tenant_id, document_id, linked_at, object } = row;
  if (object === null) throw new Error('a linked upload without its object');
  const isTaken = (await settledObject(store, tenant_id, document_id, object.key)) !== undefined;
  if (isTaken) await storage.remove(object.key, object.version);
  const free = { document_id: '', linked_at: null, sweep_at: now() };
  await change(store, row, { document_id, linked_at }, isTaken ? { sweep_at: null } : free);
}

/** Handles an object whose note was not removed: keeps only the version that its document has. */
async function sweepObject(store: Store, storage: Storage, note: UnclaimedObjectRow): Promise<void> {
  const { _id: key, tenant_id, create_time } = note;
  const object = await settledObject(store, tenant_id, documentOfKey(key), key);
  await storage.remove(key, object?.version);
  await ofTenant(store.unclaimed_objects, tenant_id).deleteOne({ _id: key, create_time });
}

/** @returns whether the row still fulfilled the condition */
async function change(
  store: Store,
  { _id, tenant_id }: FileRow,
  condition: Partial<FileRow>,
  fields: Partial<FileRow>,
): Promise<boolean> {
  const files = ofTenant(store.files, tenant_id);
  return (await files.updateOne({ _id, ...condition }, { $set: fields })).matchedCount === 1;
}
