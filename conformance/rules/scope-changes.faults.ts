/** Faults that the rules of scope-changes.rules.ts must catch. */

import { bodies, keyed, keyOf, parse, refuses, rows, stale } from '../mutation/alter.ts';
import { CARDS } from '../mutation/alter-lists.ts';
import { sticky } from '../mutation/alter-requests.ts';
import { type Fault, faultsOf, type ProxiedAnswer } from '../mutation/fault.ts';

const LIST = 'listEmployees';

const isHidden = ({ status }: ProxiedAnswer) => status === 404;
const isShown = (answer: ProxiedAnswer) => parse(answer.body)?.employee !== undefined;

export const faults: readonly Fault[] = faultsOf({
  'SCOPE-30': {
    'scope-children-only': [
      'departments two levels below are not in the list',
      rows(LIST, (list, _json, asked, memory) => (keyOf(asked) === memory.key('department_owner') ? [] : list)),
    ],
    'scope-grandchild-unread': [
      'an employee two levels below is listed, and 404 by id',
      refuses('getEmployee', 'EMPLOYEE_NOT_FOUND', (asked, memory) => keyOf(asked) === memory.key('department_owner')),
    ],
  },
  'SCOPE-31': {
    'scope-move-late': ['a move of a department does not show', stale(CARDS)],
    'scope-move-back-late': ['an employee who came back into view stays hidden', sticky(isHidden)],
  },
  'SCOPE-32': {
    'scope-batch-move-late': ['a move by a batch does not show', sticky(isHidden)],
    'scope-batch-move-away-late': ['a move out of view by a batch does not hide', sticky(isShown)],
    'scope-cleared-parent-stays': [
      'an empty parent leaves the department where it is',
      bodies('ingestRecords', ({ records }) => {
        for (const record of records) if (record.external_parent_id === '') delete record.external_parent_id;
      }),
    ],
  },
  'SCOPE-33': {
    'scope-report-late': ['a new report does not show to the manager', sticky(isHidden)],
    'scope-former-report': ['a former report stays in view of the manager', sticky(isShown)],
  },
  'SCOPE-35': {
    'scope-report-from-elsewhere-listed': [
      'the list of an owner who is limited to a department shows his reports from elsewhere',
      keyed(LIST, 'restricted_owner', 'full'),
    ],
    'scope-report-from-elsewhere-read': [
      'an owner who is limited to a department reads his reports from elsewhere',
      keyed('getEmployee', 'restricted_owner', 'full'),
    ],
  },
});
