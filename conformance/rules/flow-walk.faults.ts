/** Faults that the rules of flow-walk.rules.ts must catch. */

import { refuses } from '../mutation/alter.ts';
import { nothingHappened } from '../mutation/alter-documents.ts';
import type { Fault } from '../mutation/fault.ts';

const STATE = 'DOCUMENT.INVALID_STATUS_TRANSITION';

export const faults: readonly Fault[] = [
  {
    id: 'flow-walk-forbidden',
    rule: 'FLOW-14',
    breaks: 'a forbidden move is answered as done',
    alter: nothingHappened(['approveDocument', 'signDocument', 'sendDocument'], STATE),
  },
  {
    id: 'flow-walk-lost',
    rule: 'FLOW-14',
    breaks: 'a permitted approval is refused',
    alter: refuses('approveDocument', 'DOCUMENT_INVALID_STATUS_TRANSITION'),
  },
];
