import type { Caller } from '../access/caller.ts';
import type { Planner } from '../access/visible-rows.ts';
import type { DocumentRow } from '../data/collections/documents.ts';
import { anyOf } from '../data/page.ts';
import type { Filter } from '../data/store.ts';
import { allOf, type Way } from '../data/ways.ts';
import { searchWay } from './search.ts';

/** The filters of a list. */
export interface DocumentQuery {
  /** Lower-case ids. */
  readonly type_id?: readonly string[] | undefined;
  /** Milliseconds since the epoch; documents created after it match. */
  readonly created_after?: number | undefined;
  /** The searched text, folded. */
  readonly search?: string | undefined;
}

/** The condition on rows, without the search. */
export function documentFilter({ type_id, created_after }: DocumentQuery): Filter<DocumentRow> {
  const filter: Filter<DocumentRow> = {};
  if (type_id !== undefined) filter.type_id = anyOf(type_id);
  if (created_after !== undefined) filter.create_time = { $gt: new Date(created_after) };
  return filter;
}

/** Plans how to find the documents with the searched text; undefined when the query has no search. */
export async function searchPlanner(
  caller: Caller,
  { search }: DocumentQuery,
): Promise<Planner<DocumentRow> | undefined> {
  if (search === undefined) return undefined;
  const way = (await searchWay(caller, search)) ?? NOTHING;
  return (_, asked) => narrowed(way, asked);
}

function narrowed({ filter, slice, ...way }: Way, asked: object): Way {
  const next = slice?.next;
  return {
    ...way,
    filter: allOf(asked, filter),
    ...(slice && { slice: { ...slice, ...(next && { next: async () => narrowed(await next(), asked) }) } }),
  };
}

/** A condition that no row fulfils. The list still runs with it, so that the page token is checked. */
const NOTHING: Way = { filter: { _id: { $in: [] } } };
