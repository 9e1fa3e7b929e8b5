/** Faults that the rules of paging-changes.rules.ts must catch. */

import { type Json, rows } from '../mutation/alter.ts';
import { byOffset, byTime, type ListCut, walked } from '../mutation/alter-lists.ts';
import type { Alter, Fault } from '../mutation/fault.ts';

const LIST = 'listEmployees';

const byRow: ListCut = (all, at, limit) => {
  const start = at === '' ? 0 : all.findIndex(({ id }) => id === at) + 1;
  const page = all.slice(start, start + limit);
  return { page, next: start + limit < all.length ? page.at(-1)?.id : '' };
};

/** Replaces, by `become`, the first row of a page that has changed since it was last shown, even if it changed back. */
const moved = (which: RegExp, become: (one: Json) => Json[]): Alter =>
  rows(
    (asked) => asked.operation === LIST && which.test(asked.target),
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

export const faults: readonly Fault[] = [
  {
    id: 'page-counts-rows',
    rule: 'PAGE-19',
    breaks: 'a token says how many rows were read: who comes or goes meanwhile shifts the rest',
    alter: walked(LIST, byOffset),
  },
  {
    id: 'page-order-of-changes',
    rule: 'PAGE-19',
    breaks: 'the list is in the order of changes: who is changed meanwhile is missed',
    alter: walked(LIST, byTime),
  },
  {
    id: 'page-loses-moved-in-large',
    rule: 'PAGE-19',
    breaks: 'a page of a large list misses a row that moved between two statuses of the filter',
    alter: moved(BY_STATUS, lost),
  },
  {
    id: 'page-repeats-moved-in-large',
    rule: 'PAGE-19',
    breaks: 'a page of a large list repeats a row that moved between two statuses of the filter',
    alter: moved(BY_STATUS, shownTwice),
  },
  {
    id: 'page-counts-rows-filtered',
    rule: 'PAGE-20',
    breaks: 'a token says how many rows were read, in a list with a filter',
    alter: walked(LIST, byOffset),
  },
  {
    id: 'page-order-of-changes-filtered',
    rule: 'PAGE-20',
    breaks: 'a list with a filter is in the order of changes',
    alter: walked(LIST, byTime),
  },
  {
    id: 'page-cursor-of-row',
    rule: 'PAGE-20',
    breaks: 'a walk begins anew when the row that it hangs on is deleted',
    alter: walked(LIST, byRow),
  },
  {
    id: 'page-loses-moved-by-status',
    rule: 'PAGE-20',
    breaks: 'a list misses a row that moved between two statuses of the filter',
    alter: moved(BY_STATUS, lost),
  },
  {
    id: 'page-loses-moved-by-department',
    rule: 'PAGE-20',
    breaks: 'a list misses a row that moved between two departments of the filter',
    alter: moved(BY_DEPARTMENT, lost),
  },
  {
    id: 'page-loses-moved-in-sight',
    rule: 'PAGE-20',
    breaks: 'a restricted owner misses a row that moved between two departments that he sees',
    alter: moved(UNFILTERED, lost),
  },
  {
    id: 'page-repeats-changed-since',
    rule: 'PAGE-20',
    breaks: 'by updated_since a row that changed again is shown twice',
    alter: moved(SINCE, shownTwice),
  },
];
