import type { Caller } from '../runtime/caller.ts';
import { anyOf } from '../runtime/page.ts';
import type { DocumentRow, Filter } from '../runtime/store.ts';
import { searchFilter } from './search.ts';

/** What a list is narrowed by. */
export interface DocumentQuery {
  /** Lower-case ids. */
  readonly type_id?: readonly string[] | undefined;
  /** Milliseconds since the epoch; documents created after it match. */
  readonly created_after?: number | undefined;
  /** Folded. */
  readonly search?: string | undefined;
}

/** The condition on rows. */
export async function documentFilter(
  caller: Caller,
  { type_id, created_after, search }: DocumentQuery,
): Promise<Filter<DocumentRow>> {
  const filter: Filter<DocumentRow> = {};
  if (type_id !== undefined) filter.type_id = anyOf(type_id);
  if (created_after !== undefined) filter.create_time = { $gt: new Date(created_after) };
  if (search === undefined) return filter;
  const found = await searchFilter(caller, search);
  return found === undefined ? NOTHING : { ...filter, ...found };
}

/** A condition that no row fulfils; the page token is checked nevertheless. */
const NOTHING = { _id: { $in: [] } };
