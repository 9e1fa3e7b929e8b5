/**
 * A change of a document is one conditional write over the revision that it was decided on, with its events in it. Of
 * two who act at once one is written, and the other is decided anew on what the first has left.
 */
import { randomUUID } from 'node:crypto';
import type { Caller, TenantRows } from '../../access/caller.ts';
import { eventsUpdate, outboxFilled } from '../../data/outbox.ts';
import type { DocumentRow, StoredDocumentFile, Update } from '../../data/store.ts';
import { fail, failFields } from '../../http/errors.ts';
import { now } from '../../process/clock.ts';
import type { Act, Change, Refusal, WorkflowRow } from './tables.ts';
import { decide } from './workflow.ts';

/** A document as somebody reaches it. */
export interface Reached {
  /** The document as it is now, or the refusal of whoever may not see it. */
  read(): Promise<WorkflowRow>;
  readonly rows: TenantRows<DocumentRow>;
}

/** A document as the caller of an operation reaches it: what is not visible is DOCUMENT_NOT_FOUND, at every attempt. */
export function reachedBy(caller: Caller, id: string): Reached {
  return { read: () => caller.documents.get(id), rows: caller.inTenant('documents') };
}

/** What is done to a document. */
export interface Doing {
  /**
   * The act, once the document is known.
   * @param slotId the slot that an earlier attempt chose: a repeat acts there or not at all, never in a later slot
   */
  act(row: WorkflowRow, slotId: string | undefined): Act | Promise<Act>;
  /** Files that come with the document's completion. @param after the document as it will be */
  filesOfCompletion?(after: WorkflowRow): Promise<readonly StoredDocumentFile[]>;
}

/** Who loses a race has been overtaken by another's change, and a document takes only so many of them. */
const ATTEMPTS = 100;

/**
 * Does something to a document, with all that follows from it, in one write.
 * @returns the row after it
 * @throws ApiError DOCUMENT_NOT_FOUND, and what the state machine refuses; nothing is written then
 */
export async function changeDocument(document: Reached, doing: Doing): Promise<DocumentRow> {
  let slotId: string | undefined;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const row = await document.read();
    const change = decide(row, await doing.act(row, slotId), { now: now(), newId: randomUUID });
    if (change.refused) return refuse(change);
    slotId = change.slotId === '' ? undefined : change.slotId;
    const after = { ...row, ...change.set };
    const files =
      change.set.status === 'DOCUMENT_STATUS_COMPLETED' ? await doing.filesOfCompletion?.(after) : undefined;
    const written = await document.rows.change(
      { _id: row._id, rev: row.rev, listed: true },
      updateOf(files === undefined ? change : { ...change, set: { ...change.set, files: [...after.files, ...files] } }),
    );
    if (written !== undefined) {
      if (change.events.length > 0) outboxFilled();
      return written;
    }
  }
  return fail('UNAVAILABLE', { retryAfterMs: 1_000 });
}

function updateOf({ set, actors, viewers, events }: Change): Update<DocumentRow> {
  const outbox = eventsUpdate(events);
  return {
    ...outbox,
    $set: { ...set, ...outbox.$set },
    ...(viewers.length > 0 && { $addToSet: { actors: { $each: [...actors] }, visible_to: { $each: [...viewers] } } }),
  };
}

/** Ends the request with what the state machine refused. */
export function refuse({ error, violations, metadata, message }: Refusal): never {
  if (error === 'INVALID_ARGUMENT') return failFields(violations);
  return fail(error, { ...(metadata && { metadata }), ...(message !== undefined && { message }) });
}
