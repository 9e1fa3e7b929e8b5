import type { DocumentType } from '../../generated/client/types.gen.ts';
import type { DocumentTypeRow } from '../data/collections/document_types.ts';
import type { VisibleRow } from '../data/reads.ts';

/** A document type as the contract shows it. */
export function documentTypeView(row: VisibleRow<DocumentTypeRow>): DocumentType {
  return {
    id: row._id,
    title: row.title,
    category_id: row.category_id,
    template_id: row.template_id,
    status: row.status,
    subject_type: row.subject_type,
    allow_api: row.allow_api,
    allow_upload: row.allow_upload,
    confidential: row.confidential,
    create_time: row.create_time.toISOString(),
    update_time: row.update_time.toISOString(),
  };
}
