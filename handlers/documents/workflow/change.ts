/**
 * A change of a document is one conditional write over the revision that it was decided on, with its events in it. When
 * two act at once, one change is written; the other is decided again on what the first one has left.
 */

import { randomUUID } from 'node:crypto';
import type { Caller, TenantRows } from '../../access/caller.ts';
import { eventsUpdate, outboxFilled } from '../../data/outbox.ts';
import type { DocumentRow, Update } from '../../data/store.ts';
import { untilWritten } from '../../data/until-written.ts';
import { fail, failFields } from '../../http/errors.ts';
import { now } from '../../process/clock.ts';
import type { Act, Change, Moment, Refusal, WorkflowRow } from './tables.ts';
import { decide } from './workflow.ts';

/** A document, with the way to read and to write it. */
export interface Reached {
  /** Reads the document as it is now. @throws ApiError when it is not visible */
  read(): Promise<WorkflowRow>;
  readonly rows: TenantRows<DocumentRow>;
}

/** A document as the caller of an operation sees it. A document that is not visible is DOCUMENT_NOT_FOUND, at every attempt. */
export function reachedBy(caller: Caller, id: string): Reached {
  return { read: () => caller.documents.get(id), rows: caller.inTenant('documents') };
}

/** Each lost race is a change that somebody else has made, and a document takes only so many changes. */
const ATTEMPTS = 100;

/**
 * Tries until no other change is faster.
 * @param attempt reads the document, decides, and writes; undefined when another change was written meanwhile
 * @throws ApiError UNAVAILABLE when the document keeps changing
 */
export const untilChanged = <T>(attempt: () => Promise<T | undefined>): Promise<T> => untilWritten(ATTEMPTS, attempt);

/** When a change is decided, and where its ids come from. */
export const present = (): Moment => ({ now: now(), newId: randomUUID });

/**
 * Does something to a document, with all that follows from it, in one write.
 * @param actOn gives the act, once the document is known; `slotId` is the slot that an earlier attempt chose: a repeat
 * acts there or not at all, never in a later slot
 * @returns the row after it
 * @throws ApiError DOCUMENT_NOT_FOUND, and what the state machine refuses; nothing is written then
 */
export function changeDocument(
  document: Reached,
  actOn: (row: WorkflowRow, slotId: string | undefined) => Act | Promise<Act>,
): Promise<DocumentRow> {
  let slotId: string | undefined;
  return untilChanged(async () => {
    const row = await document.read();
    const change = orRefuse(decide(row, await actOn(row, slotId), present()));
    slotId = change.slotId === '' ? undefined : change.slotId;
    return writeChange(document, row, change);
  });
}

/**
 * Writes a change with its events over the revision that it was decided on.
 * @returns the row after it; undefined when that is no longer the revision
 */
export async function writeChange(
  { rows }: Reached,
  { _id, rev }: WorkflowRow,
  change: Change,
): Promise<DocumentRow | undefined> {
  const written = await rows.change({ _id, rev, listed: true }, updateOf(change));
  if (written !== undefined && change.events.length > 0) outboxFilled();
  return written;
}

function updateOf({ set, actors, viewers, events }: Change): Update<DocumentRow> {
  const outbox = eventsUpdate(events);
  return {
    ...outbox,
    $set: { ...set, ...outbox.$set },
    ...(viewers.length > 0 && { $addToSet: { actors: { $each: [...actors] }, visible_to: { $each: [...viewers] } } }),
  };
}

/** What the state machine gave. @throws ApiError when it refused */
export function orRefuse<T extends object>(given: T | Refusal): T {
  if (!('error' in given)) return given;
  const { error, violations, metadata, message } = given;
  if (error === 'INVALID_ARGUMENT') return failFields(violations);
  return fail(error, { ...(metadata && { metadata }), ...(message !== undefined && { message }) });
}
