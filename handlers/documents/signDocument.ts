import type { Handler } from '../http/handler.ts';
import { claimed } from '../storage/objects.ts';
import { acceptSignature } from './signing/slot-signature.ts';
import { documentView } from './view.ts';
import { orRefuse, present, reachedBy, untilChanged, writeChange } from './workflow/change.ts';
import { mainPdf, signedFile } from './workflow/signing-pdfs.ts';
import { decideInSlot, slotOf } from './workflow/workflow.ts';

/** Signs in the owner's active slot of a signing step; the last signature completes the document (D-19, D-21). */
export const signDocument: Handler<'signDocument'> = async ({ caller, storage, path, body }) => {
  const reached = reachedBy(caller, path.document_id);
  let participantId = body.participant_id || undefined;
  const row = await untilChanged(async () => {
    const document = await reached.read();
    const act = {
      kind: 'sign',
      by: caller.owner.employeeId,
      apiKeyId: caller.keyId,
      participantId,
      comment: '',
    } as const;
    const slot = orRefuse(slotOf(document, act));
    // A repeated attempt signs in this slot or is refused; it never signs in a later one.
    participantId = slot.participant.id;

    const pdf = mainPdf(document);
    const to = { documentId: document._id, pdf, slot: slot.participant };
    const accepted = await acceptSignature({ caller, storage, to, signature: body.signature });
    const signature = { pdf_sha256: pdf.object.sha256, ...accepted };
    const change = decideInSlot(document, slot, { ...act, signature }, present());

    const after = { ...document, ...change.set };
    const sheets = after.status === 'DOCUMENT_STATUS_COMPLETED' ? [await signedFile({ caller, storage }, after)] : [];
    const set = sheets.length > 0 ? { ...change.set, files: [...after.files, ...sheets] } : change.set;
    const written = await writeChange(reached, document, { ...change, set });
    if (written === undefined) return undefined;
    const stored = accepted.file === null ? sheets : [accepted.file, ...sheets];
    for (const { object } of stored) await claimed(caller, object.key);
    return written;
  });
  return { document: documentView(row) };
};
