/**
 * A change of a document is one conditional write over the revision that it was decided on, with its events in it. When
 * two act at once, one change is written; the other is decided again on what the first one has left.
 */

import { randomUUID } from 'node:crypto';
import type { Caller } from '../../access/caller.ts';
import { fail, failFields } from '../../answers/errors.ts';
import type { DocumentRow, StoredDocumentFile, StoredParticipant } from '../../data/collections/documents.ts';
import type { TenantRows } from '../../data/of-tenant.ts';
import { eventsUpdate, outboxFilled } from '../../data/outbox.ts';
import type { Update } from '../../data/store.ts';
import { untilWritten } from '../../data/writes.ts';
import { now } from '../../runtime/clock.ts';
import { claimed } from '../../storage/objects.ts';
import type { Act, SignatureFacts, WorkflowRow } from './acts.ts';
import { type People, peopleOf } from './people.ts';
import { type ActRefusal, type Change, type Completion, decide } from './workflow.ts';

/** A document, with the way to read and to write it. */
export interface ReachedDocument {
  /** Reads the document as it is now. @throws ApiError when it is not visible */
  read(): Promise<WorkflowRow>;
  /** Reads what matters of the people of an act, as it is now. */
  people(row: WorkflowRow, act: Act): Promise<People>;
  readonly rows: TenantRows<DocumentRow>;
  /** Says that the document has an object now that was stored for it. */
  claimed(key: string): Promise<void>;
}

/** A document for the caller of an operation. At every attempt, it is DOCUMENT_NOT_FOUND unless the caller sees it. */
export function reachedBy(caller: Caller, id: string): ReachedDocument {
  return {
    read: () => caller.documents.get(id),
    // Whom the initiator sees: any other caller who would choose participants is refused before that is used.
    people: (row, act) => peopleOf(caller.inTenant('employees'), row, act, (ids) => caller.employees.visibleIds(ids)),
    rows: caller.inTenant('documents'),
    claimed: (key) => claimed(caller, key),
  };
}

/** An attempt fails only when somebody else has changed the document, and a document is not changed this often. */
const ATTEMPTS = 100;

/** What is made for some acts before they are written, and takes long. It is made only when nothing else refuses. */
export interface ActWork {
  /** Verifies and stores what is signed in a slot. @throws ApiError when the signature is wrong */
  signatureOf?(row: WorkflowRow, slot: StoredParticipant): Promise<SignatureFacts>;
  /** Stores the signing sheet of the document that the act completes. */
  sheetOf?(row: WorkflowRow, completion: Completion): Promise<StoredDocumentFile>;
}

/**
 * Writes an act on a document with all its consequences, in one write. What it relies on is read for each attempt: the
 * document, and who of its people has left; again after work that takes long.
 * @returns the row after the change
 * @throws ApiError DOCUMENT_NOT_FOUND, or the refusal of the state machine; nothing is written then. UNAVAILABLE when
 * the document keeps changing
 */
export function changeDocument(
  document: ReachedDocument,
  asked: Act,
  { signatureOf, sheetOf }: ActWork = {},
): Promise<DocumentRow> {
  let act = asked;
  return untilWritten(ATTEMPTS, async () => {
    const row = await document.read();
    const decided = async () =>
      orRefuse(decide(row, act, await document.people(row, act), { now: now(), newId: randomUUID }));
    let change = await decided();
    const { slot } = change;
    // A repeated attempt acts in this slot or is refused, and never acts in a later one.
    act = slot?.act ?? asked;
    if (slot !== undefined && signatureOf !== undefined) {
      act = { ...slot.act, signature: await signatureOf(row, slot.participant) };
      change = await decided();
    }
    const sheets = change.completion && sheetOf ? [await sheetOf(row, change.completion)] : [];
    if (sheets.length > 0) await decided();
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
function orRefuse<T extends { readonly refused: false }>(given: T | ActRefusal): T {
  if (!given.refused) return given;
  const { error, violations, metadata, message } = given;
  if (error === 'INVALID_ARGUMENT') return failFields(violations);
  return fail(error, { metadata, message });
}
