import { shownTime } from '../answers/shown-times.ts';
import type { DocumentCategoryRow } from '../data/collections/document_categories.ts';
import type { List } from '../data/list.ts';
import type { Handler } from '../http/handler.ts';

const list: List<'listDocumentCategories', DocumentCategoryRow> = {
  operationId: 'listDocumentCategories',
  filters: {},
};

/** The tenant's document categories, newest first (D-16). */
export const listDocumentCategories: Handler<'listDocumentCategories'> = async ({ caller, query }) => {
  const page = await caller.documentCategories.page(list, query);
  return {
    document_categories: page.rows.map((row) => ({
      id: row._id,
      title: row.title,
      parent_id: row.parent_id,
      create_time: shownTime(row, 'create_time'),
      update_time: shownTime(row, 'update_time'),
    })),
    next_page_token: page.nextPageToken,
  };
};
