import type { Handler } from '../http/handler.ts';
import { instantMs } from '../http/instant.ts';
import { documentFilter, searchPlanner } from './filter.ts';
import { folded } from './search.ts';
import { documentView } from './view.ts';

/** Documents that the owner sees, newest first, filtered by type, time and text (D-12, D-15). */
export const listDocuments: Handler<'listDocuments'> = async ({ caller, query }) => {
  const created_after =
    query.created_after === undefined ? undefined : instantMs('created_after', query.created_after, 'down');
  const search = query.search === undefined ? undefined : folded(query.search);
  const asked = { ...query, created_after, search };
  const planner = await searchPlanner(caller, asked);
  const page = await caller.documents.page('listDocuments', asked, documentFilter(asked), planner);
  return { documents: page.rows.map(documentView), next_page_token: page.nextPageToken };
};
