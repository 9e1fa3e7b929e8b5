import { failField } from '../runtime/errors.ts';
import type { Handler } from '../runtime/handler.ts';
import { changeDocument, reachedBy, refuse } from './change.ts';
import { documentView } from './view.ts';
import { slotOf } from './workflow.ts';
import { idOf } from './workflow-input.ts';
import { mainPdf } from './workflow-signing.ts';

/** Signs in the owner's active slot of a signing step (D-19, D-21). */
export const signDocument: Handler<'signDocument'> = async ({ caller, path, body }) => {
  const acting = { kind: 'sign', by: caller.owner.employeeId, apiKeyId: caller.keyId, comment: '' } as const;
  const row = await changeDocument(reachedBy(caller, path.document_id), {
    async act(document, slotId) {
      const act = { ...acting, participantId: slotId ?? idOf(body.participant_id) };
      const slot = slotOf(document, act);
      if ('refused' in slot) return refuse(slot);
      if (body.signature !== undefined) failField('signature', 'x');
      const signature = { pdf_sha256: mainPdf(document).object.sha256, file: null, certificate_serial: '' };
      return { ...act, signature };
    },
  });
  return { document: documentView(row) };
};
