/** Faults that the rules of paging-walks.rules.ts must catch. */
import { answers, everything, type Json, keyOf, rows } from '../mutation/alter.ts';
import { isLater } from '../mutation/alter-lists.ts';
import type { Fault } from '../mutation/fault.ts';

const LIST = 'listEmployees';

const EMPLOYEES = 'listEmployees';

const later = (change: (list: Json[], json: Json) => Json[]) =>
  rows(everything, (list, json, asked) => (isLater(asked) ? change(list, json) : list));

const CATALOGUES = ['listDocumentTypes', 'listDocumentCategories', 'listDocumentTemplates'] as const;

export const faults: readonly Fault[] = [
  {
    id: 'page-walk-ends-early',
    rule: 'PAGE-1',
    breaks: 'a walk ends one page early',
    alter: answers(LIST, (json, asked) => {
      const limit = Number(new URLSearchParams(asked.target.split('?')[1]).get('limit') ?? 100);
      if (asked.target.includes('page_token=') && limit < 1000 && json.employees.length === limit)
        json.next_page_token = '';
    }),
  },
  {
    id: 'page-repeats-row',
    rule: 'PAGE-1',
    breaks: 'each page begins with the last row of the one before',
    alter: rows(EMPLOYEES, (list, json, _asked, memory) => {
      const before = memory.notes.get('last') as Json;
      if (list.length > 0) memory.notes.set('last', json.next_page_token === '' ? undefined : list.at(-1));
      return before ? [before, ...list] : list;
    }),
  },
  {
    id: 'page-no-token-at-end',
    rule: 'PAGE-2',
    breaks: 'the last page has null for a token instead of an empty text',
    alter: answers(EMPLOYEES, (json) => {
      if (json.next_page_token === '') json.next_page_token = null;
    }),
  },
  {
    id: 'page-token-when-full',
    rule: 'PAGE-3',
    breaks: 'a page that is exactly full has a token although nothing follows',
    alter: answers(EMPLOYEES, (json, asked) => {
      const limit = Number(new URLSearchParams(asked.target.split('?')[1]).get('limit'));
      if (json.employees.length === limit && json.next_page_token === '') json.next_page_token = 'bW9yZQ';
    }),
  },
  {
    id: 'page-one-row-short',
    rule: 'PAGE-3',
    breaks: 'pages are one row short of their limit',
    alter: rows(EMPLOYEES, (list, json) => (json.next_page_token === '' ? list : list.slice(0, -1))),
  },
  {
    id: 'page-last-row-lost',
    rule: 'PAGE-31',
    breaks: 'a list ends when one row is left',
    alter: answers(LIST, (json, asked) => {
      if (!isLater(asked) && !asked.target.includes('limit=1000')) json.next_page_token = '';
    }),
  },
  {
    id: 'page-order-of-union',
    rule: 'PAGE-32',
    breaks: 'a list that is put together from two has another order among equal times',
    alter: rows(EMPLOYEES, (list, _json, asked, memory) =>
      keyOf(asked) === memory.key('department_and_self_owner') ? list.toReversed() : list,
    ),
  },
  {
    id: 'page-drops-row',
    rule: 'PAGE-4',
    breaks: 'the first row of every later page is lost',
    alter: later((list) => list.slice(1)),
  },
  {
    id: 'page-order-shifts',
    rule: 'PAGE-5',
    breaks: 'a token used twice gives another order',
    alter: rows(EMPLOYEES, (list, _json, asked, memory) => {
      const seen = memory.notes.get(asked.target) === true;
      memory.notes.set(asked.target, true);
      return seen ? list.toReversed() : list;
    }),
  },
  {
    id: 'page-token-left-out-at-end',
    rule: 'PAGE-21',
    breaks: 'an empty result has no next_page_token',
    alter: answers(EMPLOYEES, (json) => {
      if (json.employees.length === 0) delete json.next_page_token;
    }),
  },
  {
    id: 'page-empty-is-null',
    rule: 'PAGE-21',
    breaks: 'an empty result is null instead of an empty array',
    alter: answers(EMPLOYEES, (json) => {
      if (json.employees.length === 0) json.employees = null;
    }),
  },
  {
    id: 'page-parameter-order',
    rule: 'PAGE-23',
    breaks: 'parameters in another order give another list',
    alter: rows(EMPLOYEES, (list, _json, asked) =>
      /\?(updated_since|page_token)=/.test(asked.target) ? list.slice(1) : list,
    ),
  },
  {
    id: 'page-catalogue-oldest-first',
    rule: 'PAGE-27',
    breaks: 'catalogues list the oldest first',
    alter: rows(CATALOGUES, (list) => list.toReversed()),
  },
];
