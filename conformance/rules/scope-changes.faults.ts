/** Faults that the rules of scope-changes.rules.ts must catch. */

import { keyed, parse, stale } from '../mutation/alter.ts';
import { CARDS } from '../mutation/alter-lists.ts';
import { sticky } from '../mutation/alter-requests.ts';
import { type Fault, faultsOf, type ProxiedAnswer } from '../mutation/fault.ts';

const isHidden = ({ status }: ProxiedAnswer) => status === 404;
const isShown = (answer: ProxiedAnswer) => parse(answer.body)?.employee !== undefined;

export const faults: readonly Fault[] = faultsOf({
  'SCOPE-31': {
    'scope-move-late': ['a move of a department does not show', stale(CARDS)],
    'scope-move-back-late': ['an employee who came back into view stays hidden', sticky(isHidden)],
  },
  'SCOPE-32': {
    'scope-batch-move-away-late': ['a move out of view by a batch does not hide', sticky(isShown)],
  },
  'SCOPE-33': {
    'scope-former-report': ['a former report stays in view of the manager', sticky(isShown)],
  },
  'SCOPE-35': {
    'scope-report-from-elsewhere-listed': [
      'the list of an owner who is limited to a department shows his reports from elsewhere',
      keyed('listEmployees', 'restricted_owner', 'full'),
    ],
    'scope-report-from-elsewhere-read': [
      'an owner who is limited to a department reads his reports from elsewhere',
      keyed('getEmployee', 'restricted_owner', 'full'),
    ],
  },
});
