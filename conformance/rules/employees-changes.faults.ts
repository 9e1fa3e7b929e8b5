/** Faults that the rules of employees-changes.rules.ts must catch. */
import { counted, each } from '../mutation/alter.ts';
import { CARDS } from '../mutation/alter-lists.ts';
import { type Fault, faultsOf } from '../mutation/fault.ts';

export const faults: readonly Fault[] = faultsOf({
  'EMP-23': {
    'emp-rename-touches': [
      'a rename of a department moves update_time',
      each(CARDS, (one, _asked, memory) => {
        one.update_time = new Date(Date.parse(one.update_time) + counted(memory)).toISOString();
      }),
    ],
  },
});
