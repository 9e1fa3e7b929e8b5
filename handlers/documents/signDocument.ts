import type { Handler } from '../http/handler.ts';
import { claimed } from '../storage/objects.ts';
import { acceptSignature } from './signing/signature.ts';
import { documentView } from './view.ts';
import { changeDocument, reachedBy, refuse } from './workflow/change.ts';
import { idOf } from './workflow/input.ts';
import { mainPdf, signedFile } from './workflow/signing.ts';
import { slotOf } from './workflow/workflow.ts';

/** Signs in the owner's active slot of a signing step; the last signature completes the document (D-19, D-21). */
export const signDocument: Handler<'signDocument'> = async ({ caller, storage, path, body }) => {
  const acting = { kind: 'sign', by: caller.owner.employeeId, apiKeyId: caller.keyId, comment: '' } as const;
  const stored = new Set<string>();
  const row = await changeDocument(reachedBy(caller, path.document_id), {
    async act(document, slotId) {
      const act = { ...acting, participantId: slotId ?? idOf(body.participant_id) };
      const slot = slotOf(document, act);
      if ('refused' in slot) return refuse(slot);
      const { signature } = body;
      const accepted = await acceptSignature({ caller, storage, document, slot: slot.participant, signature });
      if (accepted.file !== null) stored.add(accepted.file.object.key);
      return { ...act, signature: { pdf_sha256: mainPdf(document).object.sha256, ...accepted } };
    },
    async filesOfCompletion(after) {
      const file = await signedFile({ caller, storage }, after);
      stored.add(file.object.key);
      return [file];
    },
  });
  for (const { object } of row.files) if (stored.has(object.key)) await claimed(caller, object.key);
  return { document: documentView(row) };
};
