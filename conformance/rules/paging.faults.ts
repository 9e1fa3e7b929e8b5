/** Faults that the rules of paging.rules.ts must catch. */
import { type Json, keyOf, madeError, rows } from '../mutation/alter.ts';
import { byOffset, byTime, type ListCut, repeated, unbound, walked } from '../mutation/alter-lists.ts';
import { type Alter, faultsOf } from '../mutation/fault.ts';

const byRow: ListCut = (all, at, limit) => {
  const start = at === '' ? 0 : all.findIndex(({ id }) => id === at) + 1;
  const page = all.slice(start, start + limit);
  return { page, next: start + limit < all.length ? page.at(-1)?.id : '' };
};

/** Replaces, by `become`, the first row of a page that has changed since it was last shown, even if it changed back. */
const moved = (which: RegExp, become: (one: Json) => Json[]): Alter =>
  rows(
    (asked) => asked.operation === 'listEmployees' && which.test(asked.target),
    (list, _json, _asked, memory) => {
      const nth = list.findIndex((one) => (memory.notes.get(one.id) ?? one.update_time) !== one.update_time);
      for (const one of list) memory.notes.set(one.id, one.update_time);
      // The page becomes no longer, since other rules notice a page that is too long.
      return list.flatMap((one, n) => (n === nth ? become(one) : [one])).slice(0, list.length);
    },
  );

const BY_STATUS = /[?&]status=/;

const lost = () => [];

const shownTwice = (one: Json) => [one, one];

const BY_DEPARTMENT = /department_id=[^&]+&department_id=/;

const UNFILTERED = /^(?!.*(status|department_id|updated_since)=)/;

const SINCE = /updated_since=/;

export const faults = faultsOf({
  'PAGE-22': {
    'page-token-of-start': [
      'a token of before a restart is refused',
      repeated(
        ({ target }) => /page_token=.+/.exec(target)?.[0],
        async () => madeError('INVALID_ARGUMENT', 'page_token'),
      ),
    ],
  },
  'PAGE-24': {
    'page-token-never-ends': ['a token that is too old is taken', unbound],
  },
  'PAGE-32': {
    'page-order-of-union': [
      'a list that is put together from two has another order among equal times',
      rows('listEmployees', (list, _json, asked, memory) =>
        keyOf(asked) === memory.key('department_and_self_owner') ? list.toReversed() : list,
      ),
    ],
  },
  'PAGE-19': {
    'page-counts-rows': [
      'a token says how many rows were read: who comes or goes meanwhile shifts the rest',
      walked('listEmployees', byOffset),
    ],
    'page-order-of-changes': [
      'the list is in the order of changes: who is changed meanwhile is missed',
      walked('listEmployees', byTime),
    ],
    'page-loses-moved-in-large': [
      'a page of a large list misses a row that moved between two statuses of the filter',
      moved(BY_STATUS, lost),
    ],
    'page-repeats-moved-in-large': [
      'a page of a large list repeats a row that moved between two statuses of the filter',
      moved(BY_STATUS, shownTwice),
    ],
  },
  'PAGE-20': {
    'page-counts-rows-filtered': [
      'a token says how many rows were read, in a list with a filter',
      walked('listEmployees', byOffset),
    ],
    'page-order-of-changes-filtered': [
      'a list with a filter is in the order of changes',
      walked('listEmployees', byTime),
    ],
    'page-cursor-of-row': [
      'a walk begins anew when the row that it hangs on is deleted',
      walked('listEmployees', byRow),
    ],
    'page-loses-moved-by-status': [
      'a list misses a row that moved between two statuses of the filter',
      moved(BY_STATUS, lost),
    ],
    'page-loses-moved-by-department': [
      'a list misses a row that moved between two departments of the filter',
      moved(BY_DEPARTMENT, lost),
    ],
    'page-loses-moved-in-sight': [
      'a restricted owner misses a row that moved between two departments that he sees',
      moved(UNFILTERED, lost),
    ],
    'page-repeats-changed-since': [
      'by updated_since a row that changed again is shown twice',
      moved(SINCE, shownTwice),
    ],
  },
  'PAGE-29': {
    'page-counts-documents': ['a token says how many documents were read', walked('listDocuments', byOffset)],
    'page-documents-by-change': ['documents are in the order of changes', walked('listDocuments', byTime)],
  },
});
