import type { Handler } from '../http/handler.ts';
import { acceptSignature } from './signing/slot-signature.ts';
import { documentView } from './view.ts';
import { changeDocument, reachedBy } from './workflow/change.ts';
import { slotAct } from './workflow/input.ts';
import { mainPdf, signedFile } from './workflow/signing-pdfs.ts';

/** Signs in the owner's active slot of a signing step; the last signature completes the document (D-19, D-21). */
export const signDocument: Handler<'signDocument'> = async ({ caller, storage, path, body }) => {
  const row = await changeDocument(reachedBy(caller, path.document_id), slotAct('sign', caller, body), {
    async signatureOf(document, slot) {
      const pdf = mainPdf(document);
      const to = { documentId: document._id, pdf, slot };
      const accepted = await acceptSignature({ caller, storage, to, signature: body.signature });
      return { pdf_sha256: pdf.object.sha256, ...accepted };
    },
    sheetOf: (document, completion) => signedFile({ caller, storage }, document, completion),
  });
  return { document: documentView(row) };
};
