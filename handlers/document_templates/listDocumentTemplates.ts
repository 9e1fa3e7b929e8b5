import type { Handler } from '../http/handler.ts';
import { documentTemplateView } from './view.ts';

/** The latest version of each template whose type the owner's profile sees, newest first (D-16). */
export const listDocumentTemplates: Handler<'listDocumentTemplates'> = async ({ caller, query }) => {
  const { type_id } = query;
  const filter = type_id === undefined ? {} : { type_id };
  const page = await caller.documentTemplates.page('listDocumentTemplates', query, filter);
  return {
    document_templates: page.rows.map((row) => documentTemplateView(row)),
    next_page_token: page.nextPageToken,
  };
};
