/** Faults that the rules of flow-walk.rules.ts must catch. */

import { refuses } from '../mutation/alter.ts';
import { nothingHappened } from '../mutation/alter-documents.ts';
import { type Fault, faultsOf } from '../mutation/fault.ts';

export const faults: readonly Fault[] = faultsOf({
  'FLOW-14': {
    'flow-walk-forbidden': [
      'a forbidden move is answered as done',
      nothingHappened(['approveDocument', 'signDocument', 'sendDocument']),
    ],
    'flow-walk-lost': [
      'a permitted approval is refused',
      refuses('approveDocument', 'DOCUMENT_INVALID_STATUS_TRANSITION'),
    ],
  },
});
