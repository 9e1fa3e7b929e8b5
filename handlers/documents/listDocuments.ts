import type { Handler } from '../http/handler.ts';
import { documentList } from './filters.ts';
import { documentView } from './view.ts';

/** Documents that the owner sees, newest first, filtered by type, time and text (D-12, D-15). */
export const listDocuments: Handler<'listDocuments'> = async ({ caller, query }) => {
  const page = await caller.documents.page(documentList, query);
  return { documents: page.rows.map(documentView), next_page_token: page.nextPageToken };
};
