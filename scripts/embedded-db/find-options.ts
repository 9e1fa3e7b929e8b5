import { fail } from './errors.ts';
import { isNumeric, toNumber } from './numbers.ts';
import { document, flag, integer, variablesOf } from './parameters.ts';
import { parseSort } from './plans.ts';
import type { Selection } from './select.ts';
import { type Doc, isDoc, type Value } from './values.ts';

/** The selection of a find command. Fails as find does for invalid options. */
export function findSelection(body: Doc): Selection {
  const limit = isNumeric(body.limit) ? Math.abs(toNumber(body.limit)) : integer('limit', body.limit, 0);
  for (const option of ['min', 'max', 'returnKey', 'showRecordId', 'tailable', 'awaitData']) {
    if (flag(body[option])) fail(115, `find with ${option} is not supported by this database`);
  }
  return {
    filter: document('filter', body.filter),
    sort: parseSort(body.sort),
    skip: integer('skip', body.skip, 0),
    limit: Math.trunc(limit),
    hint: hintOf(body.hint),
    variables: variablesOf(body),
  };
}

/** The index that a command names; an empty document means none. */
export const hintOf = (hint: Value | undefined): Value | undefined =>
  isDoc(hint) && Object.keys(hint).length === 0 ? undefined : hint;
