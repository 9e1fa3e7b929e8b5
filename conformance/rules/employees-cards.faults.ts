/** Faults that the rules of employees-cards.rules.ts must catch. */

import { accepts, answers, each, mistaken, permits, queries, reasonOf } from '../mutation/alter.ts';
import { LENIENT, lenient, onlyFirst, SOMEBODY, total } from '../mutation/alter-lists.ts';
import { changedQueryValue, swappedRefusal } from '../mutation/alter-requests.ts';
import type { Fault, ProxiedAnswer } from '../mutation/fault.ts';

const LIST = 'listEmployees';

const BOTH = ['listEmployees', 'getEmployee'] as const;

const ONE = 'getEmployee';

const asFull = (answer: ProxiedAnswer) => answer.status === 404;

export const faults: readonly Fault[] = [
  {
    id: 'emp-no-department',
    rule: 'EMP-25',
    breaks: 'the expanded department is left out',
    alter: each(BOTH, (one) => {
      delete one.department;
    }),
  },
  {
    id: 'emp-no-job-title',
    rule: 'EMP-26',
    breaks: 'the expanded job title is left out',
    alter: each(BOTH, (one) => {
      delete one.job_title;
    }),
  },
  {
    id: 'emp-no-manager',
    rule: 'EMP-27',
    breaks: 'the expanded manager is left out',
    alter: each(BOTH, (one) => {
      delete one.manager;
    }),
  },
  {
    id: 'emp-expand-first-only',
    rule: 'EMP-28',
    breaks: 'of several expansions the first counts',
    alter: onlyFirst('expand'),
  },
  {
    id: 'emp-unknown-expand',
    rule: 'EMP-29',
    breaks: 'an unknown expansion is overlooked',
    alter: accepts(BOTH, (a) => reasonOf(a) === 'INVALID_ARGUMENT', LENIENT),
  },
  {
    id: 'emp-nested-expand',
    rule: 'EMP-30',
    breaks: 'a nested expansion is overlooked',
    alter: accepts(BOTH, (a) => reasonOf(a) === 'INVALID_ARGUMENT', LENIENT),
  },
  {
    id: 'emp-total-always',
    rule: 'EMP-33',
    breaks: 'total_count is there without being asked for',
    alter: answers(LIST, (json) => {
      json.total_count ??= '5';
    }),
  },
  { id: 'emp-total-number', rule: 'EMP-34', breaks: 'total_count is a JSON number', alter: total((count) => count) },
  {
    id: 'emp-total-off-by-one',
    rule: 'EMP-35',
    breaks: 'total_count is one too many',
    alter: total((count) => String(count + 1)),
  },
  {
    id: 'emp-total-of-page',
    rule: 'EMP-36',
    breaks: 'total_count counts the rows of the page',
    alter: answers(LIST, (json) => {
      if (json.total_count !== undefined) json.total_count = String(json.employees.length);
    }),
  },
  {
    id: 'emp-total-any-case',
    rule: 'EMP-37',
    breaks: 'include_total counts in any case',
    alter: changedQueryValue('include_total', (value) => value.toLowerCase()),
  },
  {
    id: 'emp-odd-boolean',
    rule: 'EMP-37',
    breaks: 'include_total=1 is taken for true',
    alter: lenient(/include_total=/),
  },
  {
    id: 'emp-total-of-all',
    rule: 'EMP-38',
    breaks: 'a large total overlooks the filter',
    alter: queries(LIST, (query) => {
      if (query.has('include_total')) query.delete('status');
    }),
  },
  {
    id: 'emp-total-far-off',
    rule: 'EMP-38',
    breaks: 'an estimate is a fifth too high',
    alter: answers(LIST, (json) => {
      if (json.total_count) json.total_count = String(Math.round(Number(json.total_count) * 1.2));
    }),
  },
  {
    id: 'emp-draft-readable',
    rule: 'EMP-39',
    breaks: 'a draft is read by its id',
    alter: answers(
      ONE,
      (_json, _asked) => ({ employee: SOMEBODY }),
      (answer) => answer.status === 404,
    ),
  },
  {
    id: 'emp-null-for-empty',
    rule: 'EMP-44',
    breaks: 'what is empty is null',
    alter: each(BOTH, (one) => {
      for (const [name, value] of Object.entries(one)) if (value === '') one[name] = null;
    }),
  },
  {
    id: 'emp-empty-left-out',
    rule: 'EMP-44',
    breaks: 'what is empty is left out',
    alter: each(BOTH, (one) => {
      for (const [name, value] of Object.entries(one)) if (value === '') delete one[name];
    }),
  },
  {
    id: 'emp-manager-left-out',
    rule: 'EMP-47',
    breaks: 'without a manager the expansion is otherwise than declared',
    alter: each(BOTH, (one) => {
      if (one.manager_id === '') one.manager = one.manager === null ? undefined : null;
      if (one.manager === undefined) delete one.manager;
    }),
  },
  {
    id: 'emp-read-rounds-time',
    rule: 'EMP-48',
    breaks: 'the single read rounds update_time to seconds',
    alter: each('getEmployee', (one) => {
      one.update_time = one.update_time.replace(/\.\d{3}/, '.000');
    }),
  },
  {
    id: 'emp-read-differs',
    rule: 'EMP-48',
    breaks: 'the single read has another number than the list',
    alter: each(ONE, (one) => {
      one.employee_number += '0';
    }),
  },
  {
    id: 'emp-deleted-readable',
    rule: 'EMP-49',
    breaks: 'a deleted employee is read by its id',
    alter: answers(ONE, () => ({ employee: SOMEBODY }), asFull),
  },
  {
    id: 'emp-deleted-is-document',
    rule: 'EMP-49',
    breaks: 'a deleted employee is answered with another code',
    alter: mistaken('EMPLOYEE_NOT_FOUND', 'DOCUMENT_NOT_FOUND'),
  },
  {
    id: 'emp-other-tenant-readable',
    rule: 'EMP-50',
    breaks: 'an employee of another tenant can be read',
    alter: permits(ONE, 'other_tenant', asFull),
  },
  {
    id: 'emp-unknown-is-403',
    rule: 'EMP-51',
    breaks: 'an unknown id is refused for lack of a scope',
    alter: mistaken('EMPLOYEE_NOT_FOUND', 'SCOPE_INSUFFICIENT'),
  },
  {
    id: 'emp-hidden-tells',
    rule: 'EMP-54',
    breaks: 'who is hidden is answered otherwise than who is unknown',
    alter: answers(
      ONE,
      (json, _asked, memory) => {
        memory.notes.set('n', Number(memory.notes.get('n') ?? 0) + 1);
        json.message = `No access ${memory.notes.get('n')}.`;
      },
      asFull,
    ),
  },
  {
    id: 'emp-hidden-readable',
    rule: 'EMP-54',
    breaks: 'who is hidden can be read',
    alter: permits(ONE, 'full', asFull),
  },
  {
    id: 'emp-upper-case',
    rule: 'EMP-57',
    breaks: 'an id in upper case is treated otherwise than declared',
    alter: swappedRefusal((asked) =>
      /[0-9A-F]{8}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}-(?=.*[A-F])[0-9A-F]{12}/.test(asked.target),
    ),
  },
];
