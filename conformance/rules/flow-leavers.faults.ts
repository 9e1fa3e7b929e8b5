/** Faults that the rules of flow-leavers.rules.ts must catch. */
import { put } from '../mutation/alter.ts';
import { lenient, shown } from '../mutation/alter-documents.ts';
import { type Fault, faultsOf } from '../mutation/fault.ts';

export const faults: readonly Fault[] = faultsOf({
  'FLOW-48': {
    'flow-leaver-acts': ['whose employment has ended still approves', lenient('approveDocument')],
    'flow-leaver-signs-later': ['a leaver signs in a step that began later', lenient('signDocument')],
    'flow-leaver-sends': ['a leaver sends what it has begun', lenient('sendDocument', 'DOCUMENT.ACTION_NOT_ALLOWED')],
    'flow-sent-to-leaver': [
      'a document is sent along a route with a leaver',
      lenient('sendDocument', 'DOCUMENT.INVALID_STATUS_TRANSITION'),
    ],
    'flow-given-slot-waited-for': [
      'a slot that was given away is still shown as waiting',
      shown(put('route.steps[].participants[].status', (status) => status.replace('SKIPPED', 'ACTIVE'))),
    ],
  },
});
