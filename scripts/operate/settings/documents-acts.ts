/**
 * Actions on documents that exist in the application but not in the interface (D-20). They use the same state machine
 * and send the same events.
 */
import { tenantRows } from '../../../handlers/access/caller.ts';
import { fail } from '../../../handlers/answers/errors.ts';
import type { DocumentRow } from '../../../handlers/data/collections/documents.ts';
import type { Store } from '../../../handlers/data/store.ts';
import { changeDocument, type ReachedDocument } from '../../../handlers/documents/workflow/change.ts';
import type { Act } from '../../../handlers/documents/workflow/workflow.ts';

/** The document to act on, and its tenant. */
export interface MeantDocument {
  readonly store: Store;
  readonly tenantId: string;
  readonly documentId: string;
}

function reached({ store, tenantId, documentId }: MeantDocument): ReachedDocument {
  const rows = tenantRows(store, 'documents', tenantId);
  return {
    rows,
    read: async () => (await rows.first({ _id: documentId, listed: true })) ?? fail('DOCUMENT_NOT_FOUND'),
    // These acts store no file.
    claimed: async () => {},
  };
}

/**
 * Sends a document back to its initiator, on behalf of an employee whose slot is active.
 * @throws ApiError DOCUMENT_NOT_FOUND, INVALID_ARGUMENT; then nothing is written
 */
export function requestChanges(meant: MeantDocument, by: string, comment: string): Promise<DocumentRow> {
  const act: Act = { kind: 'request_changes', by, apiKeyId: '', comment };
  return changeDocument(reached(meant), (_, participantId) => ({ ...act, participantId }));
}

/**
 * Revokes a document, on behalf of its initiator or the initiator's direct manager.
 * @throws ApiError DOCUMENT_NOT_FOUND, DOCUMENT_ACTION_NOT_ALLOWED, DOCUMENT_INVALID_STATUS_TRANSITION
 */
export function revoke(meant: MeantDocument, by: string): Promise<DocumentRow> {
  return changeDocument(reached(meant), async ({ initiator_employee_id }) => ({
    kind: 'revoke',
    by,
    initiatorManager: await managerOf(meant, initiator_employee_id),
  }));
}

/**
 * Deletes a document, on behalf of its initiator.
 * @throws ApiError DOCUMENT_NOT_FOUND, DOCUMENT_ACTION_NOT_ALLOWED, DOCUMENT_INVALID_STATUS_TRANSITION
 */
export function remove(meant: MeantDocument, by: string): Promise<DocumentRow> {
  return changeDocument(reached(meant), () => ({ kind: 'delete', by }));
}

/** The employee id of the direct manager; `''` if there is none. */
export async function managerOf(
  { store, tenantId }: Pick<MeantDocument, 'store' | 'tenantId'>,
  id: string,
): Promise<string> {
  const found = await tenantRows(store, 'employees', tenantId).byId([id], ['manager_id']);
  return found.get(id)?.manager_id ?? '';
}
