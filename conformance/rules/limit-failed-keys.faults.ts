/** Faults that the rules of limit-failed-keys.rules.ts must catch. */
import { headerOf } from '../http/exchange.ts';
import { failing } from '../mutation/alter.ts';
import { isRefused } from '../mutation/alter-limits.ts';
import { type Fault, faultsOf } from '../mutation/fault.ts';

export const faults: readonly Fault[] = faultsOf({
  'LIM-20': {
    'lim-failed-keys-free': [
      'failed authentication is not limited',
      failing((answer) => isRefused(answer), 'API_KEY_INVALID'),
    ],
    'lim-failed-keys-by-claim': [
      'each address that a caller claims to have has a limit of its own',
      failing(
        (answer, asked) => isRefused(answer) && headerOf(asked, 'x-forwarded-for') !== undefined,
        'API_KEY_INVALID',
      ),
    ],
  },
});
