/** What signing needs besides the state machine: the PDF that is signed, and the one that shows who signed. */
import type { StoredDocumentFile } from '../runtime/store.ts';
import type { WorkflowRow } from './workflow-tables.ts';

/** The document's own PDF, which every document has from its creation. */
export function mainPdf({ files }: Pick<WorkflowRow, 'files'>): StoredDocumentFile {
  const file = files.find(({ file_type }) => file_type === 'FILE_TYPE_PDF');
  if (file === undefined) throw new Error('a document without a PDF');
  return file;
}
