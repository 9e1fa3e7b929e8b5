import type { Handler } from '../http/handler.ts';
import { instantMs } from '../http/instant.ts';
import { documentFilter, searchPlanner } from './filter.ts';
import { folded } from './search.ts';
import { documentView } from './view.ts';

/** Documents that the owner sees, newest first, filtered by type, time and text (D-12, D-15). */
export const listDocuments: Handler<'listDocuments'> = async ({ caller, query }) => {
  const { type_id } = query;
  const after = query.created_after === undefined ? undefined : instantMs('created_after', query.created_after, 'down');
  const search = query.search === undefined ? undefined : folded(query.search);
  const filters = { type_id, created_after: after, search };
  const planner = await searchPlanner(caller, filters);
  const bound = { list: 'listDocuments', filters };
  const page = await caller.documents.page(documentFilter(filters), query, bound, planner);
  return { documents: page.rows.map(documentView), next_page_token: page.nextPageToken };
};
