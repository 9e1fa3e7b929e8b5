import type { Handler } from '../http/handler.ts';
import { documentView } from './view.ts';
import { changeDocument, reachedBy } from './workflow/change.ts';

/** Approves in the owner's active slot of an approval step (D-19). */
export const approveDocument: Handler<'approveDocument'> = async ({ caller, path, body }) => {
  const { comment = '' } = body;
  const by = { by: caller.owner.employeeId, apiKeyId: caller.keyId };
  const row = await changeDocument(
    reachedBy(caller, path.document_id),
    (_, participantId) => ({ kind: 'approve', ...by, participantId, comment }),
    { participantId: body.participant_id },
  );
  return { document: documentView(row) };
};
