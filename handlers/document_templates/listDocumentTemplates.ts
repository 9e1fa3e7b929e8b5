import { type DocumentTemplateRow, templatesOfType } from '../data/collections/document_templates.ts';
import type { List } from '../data/list.ts';
import type { Handler } from '../http/handler.ts';
import { documentTemplateView } from './view.ts';

export const documentTemplateList: List<'listDocumentTemplates', DocumentTemplateRow> = {
  operationId: 'listDocumentTemplates',
  filters: { type_id: { field: 'type_id', matches: 'any', index: templatesOfType, moves: true } },
};

/** The latest version of each template whose type the owner's profile sees, newest first (D-16). */
export const listDocumentTemplates: Handler<'listDocumentTemplates'> = async ({ caller, query }) => {
  const page = await caller.documentTemplates.page(documentTemplateList, query);
  return {
    document_templates: page.rows.map((row) => documentTemplateView(row)),
    next_page_token: page.nextPageToken,
  };
};
