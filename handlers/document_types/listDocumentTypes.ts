import type { DocumentType } from '../../generated/client/types.gen.ts';
import { shownTime } from '../answers/shown-times.ts';
import { type DocumentTypeRow, typesOfCategory } from '../data/collections/document_types.ts';
import type { List } from '../data/list.ts';
import type { VisibleRow } from '../data/reads.ts';
import type { Handler } from '../http/handler.ts';

export const documentTypeList: List<'listDocumentTypes', DocumentTypeRow> = {
  operationId: 'listDocumentTypes',
  filters: { category_id: { field: 'category_id', matches: 'any', index: typesOfCategory, moves: true } },
};

/** The document types that the owner's profile sees, newest first (D-16). */
export const listDocumentTypes: Handler<'listDocumentTypes'> = async ({ caller, query }) => {
  const page = await caller.documentTypes.page(documentTypeList, query);
  return { document_types: page.rows.map(documentTypeView), next_page_token: page.nextPageToken };
};

/** A document type as the contract shows it. */
function documentTypeView(row: VisibleRow<DocumentTypeRow>): DocumentType {
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
    create_time: shownTime(row, 'create_time'),
    update_time: shownTime(row, 'update_time'),
  };
}
