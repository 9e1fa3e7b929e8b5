/** Faults that the rules of employees-filters.rules.ts must catch. */

import { accepts, acceptsReason, keyed, made, madeError, queries, reasonOf, rows, without } from '../mutation/alter.ts';
import { LENIENT, lenient, onlyFirst } from '../mutation/alter-lists.ts';
import { changedQueryValue } from '../mutation/alter-requests.ts';
import type { Fault } from '../mutation/fault.ts';

const LIST = 'listEmployees';

const BOTH = ['listEmployees', 'getEmployee'] as const;

export const faults: readonly Fault[] = [
  {
    id: 'emp-other-tenant-listed',
    rule: 'EMP-1',
    breaks: 'the list is of another tenant',
    alter: keyed(LIST, 'any', 'other_tenant'),
  },
  {
    id: 'emp-oldest-first',
    rule: 'EMP-2',
    breaks: 'the list is oldest first',
    alter: rows(LIST, (list) => list.toReversed()),
  },
  {
    id: 'emp-two-swapped',
    rule: 'EMP-2',
    breaks: 'the first two rows are in the wrong order',
    alter: rows(LIST, (list) => [...list.slice(1, 2), ...list.slice(0, 1), ...list.slice(2)]),
  },
  {
    id: 'emp-default-99',
    rule: 'EMP-3',
    breaks: 'without limit a page has 99 rows',
    alter: queries(LIST, (query) => {
      if (!query.has('limit')) query.set('limit', '99');
    }),
  },
  {
    id: 'emp-limit-capped-at-500',
    rule: 'EMP-4',
    breaks: 'a limit of 1000 is served as 500',
    alter: queries(LIST, (query) => {
      if (Number(query.get('limit')) > 500) query.set('limit', '500');
    }),
  },
  {
    id: 'emp-limit-1001',
    rule: 'EMP-5',
    breaks: 'a limit above 1000 means the default',
    alter: queries(LIST, (query) => {
      if (Number(query.get('limit')) > 1000) query.delete('limit');
    }),
  },
  {
    id: 'emp-limit-prefix',
    rule: 'EMP-6',
    breaks: 'digits at the beginning of a limit count',
    alter: changedQueryValue('limit', (value) => /^\d+/.exec(value)?.[0] ?? value),
  },
  {
    id: 'emp-limit-any-number',
    rule: 'EMP-6',
    breaks: 'a limit in any notation of numbers counts',
    alter: changedQueryValue('limit', (value) =>
      value !== '' && Number.isInteger(Number(value)) && Number(value) > 0 && Number(value) <= 2 ** 31 - 1
        ? String(Number(value))
        : value,
    ),
  },
  {
    id: 'emp-limit-twice',
    rule: 'EMP-6',
    breaks: 'of two limits the last counts',
    alter: queries(LIST, (query) => {
      const all = query.getAll('limit');
      if (all.length > 1) query.set('limit', all.at(-1) ?? '');
    }),
  },
  {
    id: 'emp-odd-limit',
    rule: 'EMP-6',
    breaks: 'a limit that is no number means the default',
    alter: lenient(/limit=/),
  },
  { id: 'emp-status-ignored', rule: 'EMP-8', breaks: 'the status filter does nothing', alter: without(LIST, 'status') },
  {
    id: 'emp-status-first-only',
    rule: 'EMP-9',
    breaks: 'of several statuses the first counts',
    alter: onlyFirst('status'),
  },
  {
    id: 'emp-status-any-case',
    rule: 'EMP-10',
    breaks: 'a status counts in any case',
    alter: changedQueryValue('status', (value) => value.toUpperCase()),
  },
  { id: 'emp-unknown-status', rule: 'EMP-10', breaks: 'an unknown status matches nothing', alter: lenient(/status=/) },
  { id: 'emp-draft-status', rule: 'EMP-11', breaks: 'the draft state is a filter', alter: lenient(/status=/) },
  { id: 'emp-comma-status', rule: 'EMP-12', breaks: 'a comma separates values', alter: lenient(/,|%2C/i) },
  {
    id: 'emp-department-ignored',
    rule: 'EMP-13',
    breaks: 'the department filter does nothing',
    alter: without(LIST, 'department_id'),
  },
  {
    id: 'emp-department-loses-one',
    rule: 'EMP-13',
    breaks: 'the department filter loses one who belongs to it',
    alter: rows(LIST, (list, _json, asked) => (asked.target.includes('department_id=') ? list.slice(1) : list)),
  },
  {
    id: 'emp-department-first-only',
    rule: 'EMP-14',
    breaks: 'of several departments the first counts',
    alter: onlyFirst('department_id'),
  },
  {
    id: 'emp-unknown-department-refused',
    rule: 'EMP-15',
    breaks: 'an unknown department matches everybody',
    alter: queries(LIST, (query) => query.delete('department_id')),
  },
  {
    id: 'emp-filters-are-a-union',
    rule: 'EMP-16',
    breaks: 'beside a department the status does nothing',
    alter: queries(LIST, (query) => {
      if (query.has('department_id')) query.delete('status');
    }),
  },
  {
    id: 'emp-unknown-parameter',
    rule: 'EMP-31',
    breaks: 'an unknown parameter is overlooked',
    alter: accepts(BOTH, (a) => reasonOf(a) === 'INVALID_ARGUMENT', LENIENT),
  },
  {
    id: 'emp-external-id-filter',
    rule: 'EMP-32',
    breaks: 'external_id is a filter',
    alter: accepts(BOTH, (a) => reasonOf(a) === 'INVALID_ARGUMENT', LENIENT),
  },
  {
    id: 'emp-placeholder-otherwise',
    rule: 'EMP-42',
    breaks: 'the placeholder as a filter is answered otherwise than declared',
    alter: async (asked, forward) => {
      const answer = await forward(asked);
      if (!asked.target.includes('UNSPECIFIED')) return answer;
      return answer.status === 200 ? madeError('INVALID_ARGUMENT', 'status') : made(200, LENIENT);
    },
  },
  {
    id: 'emp-empty-value',
    rule: 'EMP-56',
    breaks: 'an empty value of a filter is overlooked',
    alter: queries(LIST, (query) => {
      for (const name of ['status', 'department_id', 'expand']) if (query.get(name) === '') query.delete(name);
    }),
  },
  {
    id: 'emp-many-values',
    rule: 'EMP-56',
    breaks: 'any number of values is taken',
    alter: acceptsReason('INVALID_ARGUMENT', LIST),
  },
];
