/** Faults that the rules of employees-cards.rules.ts must catch. */

import { answers, counted, each, keyed, mistaken, permits } from '../mutation/alter.ts';
import { CARDS, SOMEBODY } from '../mutation/alter-lists.ts';
import { type Fault, faultsOf, type ProxiedAnswer } from '../mutation/fault.ts';

const ONE = 'getEmployee';

const asFull = (answer: ProxiedAnswer) => answer.status === 404;

export const faults: readonly Fault[] = faultsOf({
  'EMP-54': {
    'emp-draft-readable': ['a draft is read by its id', answers(ONE, () => ({ employee: SOMEBODY }), asFull)],
    'emp-deleted-readable': [
      'a deleted employee is read by its id',
      answers(ONE, () => ({ employee: SOMEBODY }), asFull),
    ],
    'emp-deleted-is-document': [
      'a deleted employee is answered with another code',
      mistaken('EMPLOYEE_NOT_FOUND', 'DOCUMENT_NOT_FOUND'),
    ],
    'emp-other-tenant-readable': ['an employee of another tenant can be read', permits(ONE, 'other_tenant', asFull)],
    'emp-hidden-tells': [
      'who is hidden is answered otherwise than who is unknown',
      answers(
        ONE,
        (json, _asked, memory) => {
          json.message = `No access ${counted(memory)}.`;
        },
        asFull,
      ),
    ],
    'scope-hidden-is-403': ['what is hidden is 403', mistaken('EMPLOYEE_NOT_FOUND', 'SCOPE_INSUFFICIENT')],
    'scope-hidden-listed': ['what is hidden is listed', keyed('listEmployees', 'restricted_owner', 'full')],
    'emp-hidden-readable': ['who is hidden can be read', permits(ONE, 'full', asFull)],
  },
  'EMP-44': {
    'emp-null-for-empty': [
      'what is empty is null',
      each(CARDS, (one) => {
        for (const [name, value] of Object.entries(one)) if (value === '') one[name] = null;
      }),
    ],
    'emp-empty-left-out': [
      'what is empty is left out',
      each(CARDS, (one) => {
        for (const [name, value] of Object.entries(one)) if (value === '') delete one[name];
      }),
    ],
    'emp-manager-left-out': [
      'without a manager the expansion is otherwise than declared',
      each(CARDS, (one) => {
        if (one.manager_id === '') one.manager = one.manager === null ? undefined : null;
        if (one.manager === undefined) delete one.manager;
      }),
    ],
  },
});
