/** Faults that the rules of scope.rules.ts must catch. */
import {
  after,
  everything,
  isAbsent,
  isFor,
  keyed,
  madeError,
  parse,
  reasonOf,
  stale,
  sticky,
} from '../mutation/alter.ts';
import { CARDS } from '../mutation/alter-lists.ts';
import { faultsOf, type ProxiedAnswer } from '../mutation/fault.ts';

const SCOPE = 'DEVELOPER.SCOPE_INSUFFICIENT';

const isShown = (answer: ProxiedAnswer) => parse(answer.body)?.employee !== undefined;

export const faults = faultsOf({
  'SCOPE-24': {
    'scope-narrowing-late': ['narrowed permissions do not show', stale(['listEmployees', 'getEmployee'])],
    'scope-widening-late': [
      'permissions that widen again do not show',
      sticky(
        (answer) =>
          parse(answer.body)?.employee?.redacted_fields?.length > 0 || (parse(answer.body)?.employees?.length ?? 2) < 2,
      ),
    ],
  },
  'SCOPE-34': {
    'scope-admin-again-late': ['an owner who got the role back may not load', sticky(isFor(SCOPE))],
    'scope-former-admin-loses-all': [
      'with the role the owner loses other scopes too',
      after(everything, (answer, asked, memory) => {
        if (asked.operation === 'ingestRecords') memory.notes.set('lost', reasonOf(answer) === SCOPE);
        return memory.notes.get('lost') === true ? madeError('SCOPE_INSUFFICIENT') : answer;
      }),
    ],
  },
  'SCOPE-31': {
    'scope-move-late': ['a move of a department does not show', stale(CARDS)],
    'scope-move-back-late': ['an employee who came back into view stays hidden', sticky(isAbsent)],
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
      keyed('listEmployees', 'restricted_owner'),
    ],
    'scope-report-from-elsewhere-read': [
      'an owner who is limited to a department reads his reports from elsewhere',
      keyed('getEmployee', 'restricted_owner'),
    ],
  },
});
