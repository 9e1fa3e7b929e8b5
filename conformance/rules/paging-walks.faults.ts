/** Faults that the rules of paging-walks.rules.ts must catch. */
import { keyOf, rows } from '../mutation/alter.ts';
import { type Fault, faultsOf } from '../mutation/fault.ts';

export const faults: readonly Fault[] = faultsOf({
  'PAGE-32': {
    'page-order-of-union': [
      'a list that is put together from two has another order among equal times',
      rows('listEmployees', (list, _json, asked, memory) =>
        keyOf(asked) === memory.key('department_and_self_owner') ? list.toReversed() : list,
      ),
    ],
  },
});
