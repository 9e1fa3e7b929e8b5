import { document, integer } from './parameters.ts';
import { parseSort } from './plans.ts';
import type { Selection } from './select.ts';
import { type Doc, isDoc, type Value } from './values.ts';

/** The selection of a find command. Fails as find does for invalid options. */
export function findSelection(body: Doc): Selection {
  return {
    filter: document('filter', body.filter),
    sort: parseSort(body.sort),
    skip: integer('skip', body.skip, 0),
    limit: integer('limit', body.limit, 0),
    hint: hintOf(body.hint),
  };
}

/** The index that a command names; an empty document means none. */
export const hintOf = (hint: Value | undefined): Value | undefined =>
  isDoc(hint) && Object.keys(hint).length === 0 ? undefined : hint;

/** The selection of a count command. */
export const countSelection = (body: Doc): Selection => ({
  filter: document('query', body.query),
  skip: integer('skip', body.skip, 0),
  limit: integer('limit', body.limit, 0),
  hint: hintOf(body.hint),
});
