/** Faults that the rules of scope.rules.ts must catch. */
import { after, everything, isFor, madeError, parse, reasonOf, stale } from '../mutation/alter.ts';
import { sticky } from '../mutation/alter-requests.ts';
import { type Fault, faultsOf } from '../mutation/fault.ts';

const SCOPE = 'DEVELOPER.SCOPE_INSUFFICIENT';

export const faults: readonly Fault[] = faultsOf({
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
});
