/** The two PDFs that signing needs: the one that is signed, and the one that shows who signed. */
import type { Caller } from '../../access/caller.ts';
import type { StoredDocumentFile, StoredRoute } from '../../data/collections/documents.ts';
import { storeFile } from '../../storage/objects.ts';
import type { Storage } from '../../storage/storage.ts';
import { filenameOf } from '../create/filename.ts';
import type { SheetEntry } from '../pdf/sheet-layout.ts';
import { signedPdf } from '../pdf/signed-pdf.ts';
import type { WorkflowRow } from './acts.ts';
import type { Completion } from './workflow.ts';

/** The document's own PDF. Every document has it from its creation. */
export function mainPdf({ files }: Pick<WorkflowRow, 'files'>): StoredDocumentFile {
  const file = files.find(({ file_type }) => file_type === 'FILE_TYPE_PDF');
  if (file === undefined) throw new Error('a document without a PDF');
  return file;
}

const DONE: Partial<Record<string, SheetEntry['action']>> = {
  PARTICIPANT_STATUS_APPROVED: 'APPROVED',
  PARTICIPANT_STATUS_SIGNED: 'SIGNED',
};

/** Who approved and who signed, ordered by time. */
export function sheetEntries(route: StoredRoute): SheetEntry[] {
  const entries = route.steps.flatMap(({ index, participants }) =>
    participants.flatMap(({ id, employee_id, key_type, status, action }): SheetEntry[] => {
      const done = DONE[status];
      if (action === null || done === undefined) return [];
      const { at, pdf_sha256, certificate_serial } = action;
      const facts = { employee_id, action: done, at, key_type, pdf_sha256, certificate_serial };
      return [{ step: index, participant_id: id, ...facts }];
    }),
  );
  return entries.toSorted((a, b) => a.at.getTime() - b.at.getTime());
}

/**
 * Makes and stores the SIGNED_PDF of a document that is about to be completed. The change that completes the document
 * adds the file to it; until that change is written, the object is unclaimed. The bytes are streamed.
 * @throws ApiError UNAVAILABLE when storage or the printer fails; the document is not changed then
 */
export async function signedFile(
  { caller, storage }: { readonly caller: Caller; readonly storage: Storage },
  document: WorkflowRow,
  { route, at }: Completion,
): Promise<StoredDocumentFile> {
  const pdf = mainPdf(document);
  const { object } = pdf;
  const bytes = await signedPdf({
    tenantId: caller.tenant.id,
    documentId: document._id,
    pdf: {
      sha256: object.sha256,
      size_bytes: object.size_bytes,
      filename: pdf.filename,
      read: () => storage.read(object),
    },
    origin: document.template === null ? 'UPLOAD' : 'TEMPLATE',
    entries: sheetEntries(route),
    completedAt: at,
  });
  const filename = filenameOf(document.title, '.signed.pdf');
  const file = { file_type: 'FILE_TYPE_SIGNED_PDF', filename, content_type: 'application/pdf' } as const;
  return storeFile({ caller, storage }, document._id, file, bytes);
}
