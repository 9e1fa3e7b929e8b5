/**
 * A change of a document is one conditional write over the revision that it was decided on, with its events in it. When
 * two act at once, one change is written; the other is decided again on what the first one has left.
 */

import { randomUUID } from 'node:crypto';
import type { Caller, TenantRows } from '../../access/caller.ts';
import type { DocumentRow } from '../../data/collections/documents.ts';
import { eventsUpdate, outboxFilled } from '../../data/outbox.ts';
import type { Update } from '../../data/store.ts';
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

/** A document for the caller of an operation. At every attempt, it is DOCUMENT_NOT_FOUND unless the caller sees it. */
export function reachedBy(caller: Caller, id: string): Reached {
  return { read: () => caller.documents.get(id), rows: caller.inTenant('documents') };
}

/** An attempt fails only when somebody else has changed the document, and a document is not changed this often. */
const ATTEMPTS = 100;

/**
 * Repeats an attempt until its change is written.
 * @param attempt reads the document, decides, and writes; returns undefined when another change was written meanwhile
 * @throws ApiError UNAVAILABLE when the document keeps changing
 */
export const untilChanged = <T>(attempt: () => Promise<T | undefined>): Promise<T> => untilWritten(ATTEMPTS, attempt);

/** The moment at which a change is decided: the time, and the source of new ids. */
export const present = (): Moment => ({ now: now(), newId: randomUUID });

/**
 * Writes an act on a document with all its consequences, in one write.
 * @param actOn returns the act for the document as it is; `slotId` is the slot that an earlier attempt chose: a
 * repeated attempt acts in that slot or is refused, and never acts in a later slot
 * @returns the row after the change
 * @throws ApiError DOCUMENT_NOT_FOUND, or the refusal of the state machine; nothing is written then
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
 * @returns the row after the change; undefined when the document has another revision by then
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

/** Returns the result of the state machine. @throws ApiError when it is a refusal */
export function orRefuse<T extends object>(given: T | Refusal): T {
  if (!('error' in given)) return given;
  const { error, violations, metadata, message } = given;
  if (error === 'INVALID_ARGUMENT') return failFields(violations);
  return fail(error, { ...(metadata && { metadata }), ...(message !== undefined && { message }) });
}
