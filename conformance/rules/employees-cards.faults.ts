/** Faults that the rules of employees-cards.rules.ts must catch. */

import { answers, counted, keyed } from '../mutation/alter.ts';
import { type Fault, faultsOf, type ProxiedAnswer } from '../mutation/fault.ts';

const ONE = 'getEmployee';

const asFull = (answer: ProxiedAnswer) => answer.status === 404;

export const faults: readonly Fault[] = faultsOf({
  'EMP-54': {
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
    'scope-hidden-listed': ['what is hidden is listed', keyed('listEmployees', 'restricted_owner', 'full')],
  },
});
