import { type DocumentTypeRow, typesOfCategory } from '../data/collections/document_types.ts';
import type { List } from '../data/list.ts';
import type { Handler } from '../http/handler.ts';
import { documentTypeView } from './view.ts';

export const documentTypeList: List<'listDocumentTypes', DocumentTypeRow> = {
  operationId: 'listDocumentTypes',
  filters: { category_id: { field: 'category_id', matches: 'any', index: typesOfCategory, moves: true } },
};

/** The document types that the owner's profile sees, newest first (D-16). */
export const listDocumentTypes: Handler<'listDocumentTypes'> = async ({ caller, query }) => {
  const page = await caller.documentTypes.page(documentTypeList, query);
  return { document_types: page.rows.map(documentTypeView), next_page_token: page.nextPageToken };
};
