/** Faults that the rules of employees.rules.ts must catch. */
import { answers, counted, each, isAbsent, keyed } from '../mutation/alter.ts';
import { CARDS } from '../mutation/alter-lists.ts';
import { faultsOf } from '../mutation/fault.ts';

export const faults = faultsOf({
  'EMP-54': {
    'emp-hidden-tells': [
      'who is hidden is answered otherwise than who is unknown',
      answers(
        'getEmployee',
        (json, _asked, memory) => {
          json.message = `No access ${counted(memory)}.`;
        },
        isAbsent,
      ),
    ],
    'scope-hidden-listed': ['what is hidden is listed', keyed('listEmployees', 'restricted_owner')],
  },
  'EMP-23': {
    'emp-rename-touches': [
      'a rename of a department moves update_time',
      each(CARDS, (one, _asked, memory) => {
        one.update_time = new Date(Date.parse(one.update_time) + counted(memory)).toISOString();
      }),
    ],
  },
});
