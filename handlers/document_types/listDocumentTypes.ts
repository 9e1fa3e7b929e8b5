import { anyOf } from '../data/page.ts';
import type { Handler } from '../http/handler.ts';
import { documentTypeView } from './view.ts';

/** The document types that the owner's profile sees, newest first (D-16). */
export const listDocumentTypes: Handler<'listDocumentTypes'> = async ({ caller, query }) => {
  const { category_id } = query;
  const filter = category_id === undefined ? {} : { category_id: anyOf(category_id) };
  const page = await caller.documentTypes.page('listDocumentTypes', query, filter);
  return { document_types: page.rows.map(documentTypeView), next_page_token: page.nextPageToken };
};
