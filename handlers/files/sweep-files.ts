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
import { type DocumentRow, documentLife } from '../data/collections/documents.ts';
import type { FileRow, StoredObject } from '../data/collections/files.ts';
import type { UnclaimedObjectRow } from '../data/collections/unclaimed_objects.ts';
import { emptiedFields } from '../data/field-life.ts';
import { ofTenant } from '../data/of-tenant.ts';
import { READ_TIME_MS } from '../data/reads.ts';
import type { Store } from '../data/store.ts';
import { unlessThere, untilWritten } from '../data/writes.ts';
import { now, nowMs } from '../runtime/clock.ts';
import { documentOfKey, type Storage, uploadKey } from '../storage/storage.ts';
import { ABANDONED_AFTER_MS, KEPT_FOR_MS } from '../storage/uploads.ts';

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
 * Removes the bytes of an expired upload. The row of a reservation stays for {@link KEPT_FOR_MS}, to show why it cannot
 * be confirmed (D-23).
 */
async function forget(store: Store, storage: Storage, row: FileRow): Promise<void> {
  const { _id, tenant_id, object } = row;
  await storage.remove(uploadKey(tenant_id, _id));
  const status = 'FILE_UPLOAD_STATUS_EXPIRED';
  const expiredMs = row.status === status ? row.update_time.getTime() : nowMs();
  const shownUntil = new Date(expiredMs + KEPT_FOR_MS);
  if (object === null && shownUntil > now()) await change(store, row, { status }, { sweep_at: shownUntil });
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

/** How often it is checked again after the document appeared between two reads; a document never disappears. */
const TRIES = 5;

/**
 * The document's object with this key; or undefined, and then no write under way can add it to the document any more: a
 * process may be paused for any time between storing bytes (or linking an upload) and writing the document's row. An
 * object is added either by inserting the document under its id, or by a write over the `rev` that was read before the
 * bytes were stored. So a document without the object gets a new `rev`, which makes such a write fail and be computed
 * again. If there is no document, a row that no operation shows takes its id, which makes such an insert fail. Call this
 * only when no retry under an Idempotency-Key can need the id any more.
 */
async function settledObject(
  store: Store,
  tenantId: string,
  documentId: string,
  key: string,
): Promise<StoredObject | undefined> {
  const documents = ofTenant(store.documents, tenantId);
  const document = { _id: documentId };
  const attempt = async (): Promise<{ object: StoredObject | undefined } | undefined> => {
    const without = await documents.updateOne({ ...document, 'files.object.key': { $ne: key } }, { $inc: { rev: 1 } });
    if (without.matchedCount === 1) return { object: undefined };
    const row = await documents.findOne(document, { projection: { files: 1 } });
    const found = row?.files.find(({ object }) => object.key === key);
    if (found !== undefined) return found;
    const isIdTaken = row === null && (await unlessThere(() => documents.insertOne(never(tenantId, documentId))));
    return isIdTaken ? { object: undefined } : undefined;
  };
  const { object } = await untilWritten(TRIES, attempt, () => {
    throw new Error('the document kept changing');
  });
  return object;
}

/** The row of a document that was never made and never can be. */
function never(tenantId: string, documentId: string): DocumentRow {
  const at = now();
  return {
    _id: documentId,
    tenant_id: tenantId,
    listed: false,
    rev: 1,
    ...emptiedFields(documentLife),
    type_id: '',
    status: 'DOCUMENT_STATUS_DRAFT',
    pending_events: [],
    outbox_at: null,
    create_time: at,
    update_time: at,
    completed_at: null,
    deleted_at: at,
  };
}
