import type { Handler } from '../http/handler.ts';
import { documentView } from './view.ts';
import { changeDocument, reachedBy } from './workflow/change.ts';

/** Rejects in the owner's active slot, in a step of any type and rule (D-19). */
export const rejectDocument: Handler<'rejectDocument'> = async ({ caller, path, body }) => {
  const { comment } = body;
  const by = { by: caller.owner.employeeId, apiKeyId: caller.keyId };
  const row = await changeDocument(
    reachedBy(caller, path.document_id),
    (_, participantId) => ({ kind: 'reject', ...by, participantId, comment }),
    { participantId: body.participant_id },
  );
  return { document: documentView(row) };
};
