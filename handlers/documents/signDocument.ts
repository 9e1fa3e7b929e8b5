import type { Handler } from '../http/handler.ts';
import { acceptSignature } from './signing/slot-signature.ts';
import { documentView } from './view.ts';
import { changeDocument, orRefuse, reachedBy } from './workflow/change.ts';
import { mainPdf, signedFile } from './workflow/signing-pdfs.ts';
import { type Completion, type SlotAct, slotOf, type WorkflowRow } from './workflow/workflow.ts';

/** Signs in the owner's active slot of a signing step; the last signature completes the document (D-19, D-21). */
export const signDocument: Handler<'signDocument'> = async ({ caller, storage, path, body }) => {
  const signOn = async (document: WorkflowRow, participantId: string | undefined): Promise<SlotAct> => {
    const by = { by: caller.owner.employeeId, apiKeyId: caller.keyId, participantId };
    // A signature is verified and stored only when nothing else refuses the act.
    const slot = orRefuse(slotOf(document, { kind: 'sign', ...by })).participant;
    const pdf = mainPdf(document);
    const to = { documentId: document._id, pdf, slot };
    const accepted = await acceptSignature({ caller, storage, to, signature: body.signature });
    return { kind: 'sign', ...by, comment: '', signature: { pdf_sha256: pdf.object.sha256, ...accepted } };
  };
  const sheetOf = (document: WorkflowRow, completion: Completion) =>
    signedFile({ caller, storage }, document, completion);
  const row = await changeDocument(reachedBy(caller, path.document_id), signOn, {
    participantId: body.participant_id,
    sheetOf,
  });
  return { document: documentView(row) };
};
