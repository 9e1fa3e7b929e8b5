import type { Handler } from '../http/handler.ts';

/** The tenant's document categories, newest first (D-16). */
export const listDocumentCategories: Handler<'listDocumentCategories'> = async ({ caller, query }) => {
  const page = await caller.documentCategories.page('listDocumentCategories', query, {});
  return {
    document_categories: page.rows.map((row) => ({
      id: row._id,
      title: row.title,
      parent_id: row.parent_id,
      create_time: row.create_time.toISOString(),
      update_time: row.update_time.toISOString(),
    })),
    next_page_token: page.nextPageToken,
  };
};
