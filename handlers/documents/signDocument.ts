import type { Handler } from '../http/handler.ts';
import { acceptSignature } from './signing/slot-signature.ts';
import { acted } from './workflow/acted.ts';
import { slotAct } from './workflow/input.ts';
import { mainPdf, signedFile } from './workflow/signing-pdfs.ts';

/** Signs in the owner's active slot of a signing step; the last signature completes the document (D-19, D-21). */
export const signDocument: Handler<'signDocument'> = ({ caller, storage, openssl, path, body }) =>
  acted(caller, path, slotAct('sign', caller, body), {
    async signatureOf(document, slot) {
      const pdf = mainPdf(document);
      const to = { documentId: document._id, pdf, slot };
      const accepted = await acceptSignature({ caller, storage, openssl, to, signature: body.signature });
      return { pdf_sha256: pdf.object.sha256, ...accepted };
    },
    sheetOf: (document, completion) => signedFile({ caller, storage }, document, completion),
  });
