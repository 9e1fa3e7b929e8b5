/** Faults that the rules of documents-reading.rules.ts must catch. */
import { each, everything, heads, type Json, permits, queries, refuses, rows, without } from '../mutation/alter.ts';
import { lenient, visible } from '../mutation/alter-documents.ts';
import { isLater } from '../mutation/alter-lists.ts';
import { changedQueryValue } from '../mutation/alter-requests.ts';
import type { Fault } from '../mutation/fault.ts';

const DAY = /^(\d{4}-\d\d-\d\d)$/;

const LIST = 'listDocuments';

const ONE = 'getDocument';

const UNKNOWN = '7f0c9a52-3d1e-4b67-9c84-0a5be1d2f3c6';

const SCHEMAS = ['listDocumentTemplates', 'getDocumentTemplate'] as const;

export const faults: readonly Fault[] = [
  {
    id: 'read-list-differs',
    rule: 'DREAD-1',
    breaks: 'the list has another status than the read',
    alter: rows(LIST, (list) => list.map((one: Json) => ({ ...one, number: `${one.number}0` }))),
  },
  {
    id: 'read-other-tenant',
    rule: 'DREAD-2',
    breaks: 'a document of another tenant can be read',
    alter: permits(ONE, 'full', (answer) => answer.status === 404),
  },
  { id: 'read-hidden', rule: 'DREAD-3', breaks: 'a document out of view can be read', alter: visible },
  {
    id: 'read-hidden-403',
    rule: 'DREAD-3',
    breaks: 'acting on a document out of view is 403',
    alter: async (asked, forward) => {
      const answer = await forward(asked);
      return answer.status === 404 && asked.operation !== ONE && !asked.target.includes(UNKNOWN)
        ? { ...answer, status: 403 }
        : answer;
    },
  },
  { id: 'read-type-ignored', rule: 'DREAD-4', breaks: 'the type filter does nothing', alter: without(LIST, 'type_id') },
  {
    id: 'read-type-first-only',
    rule: 'DREAD-4',
    breaks: 'of several types the first counts',
    alter: queries(LIST, (query) => {
      const [first] = query.getAll('type_id');
      if (first) query.set('type_id', first);
    }),
  },
  {
    id: 'read-type-instead-of-created-after',
    rule: 'DREAD-4',
    breaks: 'beside the type filter created_after does nothing',
    alter: queries(LIST, (query) => {
      if (query.has('type_id')) query.delete('created_after');
    }),
  },
  {
    id: 'read-created-after-ignored',
    rule: 'DREAD-5',
    breaks: 'created_after does nothing',
    alter: without(LIST, 'created_after'),
  },
  {
    id: 'read-created-after-on-first-page-only',
    rule: 'DREAD-5',
    breaks: 'created_after does nothing on later pages',
    alter: rows(LIST, (list, _json, asked) => (isLater(asked) ? [...list, { ...list[0], id: UNKNOWN }] : list)),
  },
  {
    id: 'read-created-after-shifts',
    rule: 'DREAD-5',
    breaks: 'created_after is off by a millisecond',
    alter: queries(LIST, (query) => {
      const after = query.get('created_after');
      if (after && Number.isFinite(Date.parse(after)))
        query.set('created_after', new Date(Date.parse(after) - 1).toISOString());
    }),
  },
  {
    id: 'read-created-after-rounds-up',
    rule: 'DREAD-5',
    breaks: 'created_after is rounded up to the millisecond',
    alter: queries(LIST, (query) => {
      const after = query.get('created_after');
      const fine = after?.match(/^(.*\.\d{3})\d*[1-9]\d*(Z|[+-]\d\d:\d\d)$/);
      if (fine) query.set('created_after', new Date(Date.parse(`${fine[1]}${fine[2]}`) + 1).toISOString());
    }),
  },
  {
    id: 'read-search-any-letter',
    rule: 'DREAD-6',
    breaks: 'search is a regular expression',
    alter: rows('listDocuments', (list, _json, asked) => {
      const text = new URLSearchParams(asked.target.split('?')[1]).get('search');
      return text === null
        ? list
        : list.filter((one) => {
            try {
              return new RegExp(text, 'i').test(`${one.title}\n${one.number}`);
            } catch {
              return false;
            }
          });
    }),
  },
  {
    id: 'read-search-final-sigma',
    rule: 'DREAD-6',
    breaks: 'search tells a final sigma from another',
    alter: queries(LIST, (query) => {
      const text = query.get('search');
      if (text?.includes('ς')) query.set('search', text.replaceAll('ς', '!'));
    }),
  },
  {
    id: 'read-search-kazakh',
    rule: 'DREAD-6',
    breaks: 'search keeps the case of letters beyond Russian',
    alter: queries(LIST, (query) => {
      const text = query.get('search');
      if (text) query.set('search', text.replaceAll('қ', '!'));
    }),
  },
  { id: 'read-search-ignored', rule: 'DREAD-6', breaks: 'search does nothing', alter: without(LIST, 'search') },
  {
    id: 'read-search-pattern',
    rule: 'DREAD-6',
    breaks: 'a point in search matches any character',
    alter: queries(LIST, (query) => {
      const text = query.get('search');
      if (text) query.set('search', text.slice(0, 1));
    }),
  },
  {
    id: 'read-after-day',
    rule: 'DREAD-7',
    breaks: 'a day alone is an instant',
    alter: changedQueryValue('created_after', (value) => value.replace(DAY, '$1T00:00:00Z')),
  },
  { id: 'read-unknown-parameter', rule: 'DREAD-7', breaks: 'an unknown parameter is overlooked', alter: lenient(LIST) },
  {
    id: 'read-other-version',
    rule: 'DREAD-10',
    breaks: 'a template shows another version than it has',
    alter: each(SCHEMAS, (one) => {
      one.version += 1;
    }),
  },
  {
    id: 'read-catalogues-need-write',
    rule: 'DREAD-11',
    breaks: 'a key with documents:read cannot read templates',
    alter: refuses('listDocumentTemplates', 'SCOPE_INSUFFICIENT'),
  },
  {
    id: 'read-oldest-first',
    rule: 'DREAD-12',
    breaks: 'documents are listed oldest first',
    alter: rows(LIST, (list) => list.toReversed()),
  },
  {
    id: 'read-odd-id-500',
    rule: 'DREAD-20',
    breaks: 'an odd id is answered 500',
    alter: heads(
      everything,
      (answer) => {
        answer.status = 500;
      },
      (answer) => answer.status === 404 || answer.status === 400,
    ),
  },
  { id: 'read-token-unbound', rule: 'DREAD-21', breaks: 'a token is taken with another filter', alter: lenient(LIST) },
];
