/**
 * A change of a document is one conditional write over the revision that it was decided on, with its events in it. When
 * two act at once, one change is written; the other is decided again on what the first one has left.
 */

import { randomUUID } from 'node:crypto';
import type { Caller } from '../../access/caller.ts';
import { fail, failFields } from '../../answers/errors.ts';
import type { DocumentRow, StoredDocumentFile } from '../../data/collections/documents.ts';
import type { TenantRows } from '../../data/of-tenant.ts';
import { eventsUpdate, outboxFilled } from '../../data/outbox.ts';
import type { Update } from '../../data/store.ts';
import { untilWritten } from '../../data/writes.ts';
import { now } from '../../process/clock.ts';
import { claimed } from '../../storage/objects.ts';
import { type Act, type ActRefusal, type Change, type Completion, decide, type WorkflowRow } from './workflow.ts';

/** A document, with the way to read and to write it. */
export interface ReachedDocument {
  /** Reads the document as it is now. @throws ApiError when it is not visible */
  read(): Promise<WorkflowRow>;
  readonly rows: TenantRows<DocumentRow>;
  /** Says that the document has an object now that was stored for it. */
  claimed(key: string): Promise<void>;
}

/** A document for the caller of an operation. At every attempt, it is DOCUMENT_NOT_FOUND unless the caller sees it. */
export function reachedBy(caller: Caller, id: string): ReachedDocument {
  return {
    read: () => caller.documents.get(id),
    rows: caller.inTenant('documents'),
    claimed: (key) => claimed(caller, key),
  };
}

/** An attempt fails only when somebody else has changed the document, and a document is not changed this often. */
const ATTEMPTS = 100;

/** What some acts need besides. */
export interface ActNeeds {
  /** The slot that the request names; undefined or empty for the active one. */
  readonly participantId?: string | undefined;
  /** Stores the signing sheet of the document that the act completes. */
  sheetOf?(row: WorkflowRow, completion: Completion): Promise<StoredDocumentFile>;
}

/**
 * Writes an act on a document with all its consequences, in one write.
 * @param actOn returns the act for the document as it is, in this slot: the one that the request names or that an
 * earlier attempt chose. So a repeated attempt acts in that slot or is refused, and never acts in a later slot
 * @returns the row after the change
 * @throws ApiError DOCUMENT_NOT_FOUND, or the refusal of the state machine; nothing is written then. UNAVAILABLE when
 * the document keeps changing
 */
export function changeDocument(
  document: ReachedDocument,
  actOn: (row: WorkflowRow, slotId: string | undefined) => Act | Promise<Act>,
  { participantId, sheetOf }: ActNeeds = {},
): Promise<DocumentRow> {
  let slotId = participantId || undefined;
  return untilWritten(ATTEMPTS, async () => {
    const row = await document.read();
    const change = orRefuse(decide(row, await actOn(row, slotId), { now: now(), newId: randomUUID }));
    slotId = change.slotId;
    const sheets = change.completion && sheetOf ? [await sheetOf(row, change.completion)] : [];
    const files = [...change.files, ...sheets];
    const match = { _id: row._id, rev: row.rev, listed: true };
    const written = await document.rows.change(match, updateOf(row, { ...change, files }));
    if (written === undefined) return undefined;
    if (change.events.length > 0) outboxFilled();
    for (const { object } of files) await document.claimed(object.key);
    return written;
  });
}

function updateOf(row: WorkflowRow, { set, files, actors, viewers, events }: Change): Update<DocumentRow> {
  const outbox = eventsUpdate(events);
  return {
    ...outbox,
    $set: { ...set, ...(files.length > 0 && { files: [...row.files, ...files] }), ...outbox.$set },
    ...(viewers.length > 0 && { $addToSet: { actors: { $each: [...actors] }, visible_to: { $each: [...viewers] } } }),
  };
}

/** Returns the result of the state machine. @throws ApiError when it is a refusal */
export function orRefuse<T extends { readonly refused: false }>(given: T | ActRefusal): T {
  if (!given.refused) return given;
  const { error, violations, metadata, message } = given;
  if (error === 'INVALID_ARGUMENT') return failFields(violations);
  return fail(error, { ...(metadata && { metadata }), ...(message !== undefined && { message }) });
}
