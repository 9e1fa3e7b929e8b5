/** Faults that the rules of flow.rules.ts must catch. */
import { answers, bodies, drop, type Json, put } from '../mutation/alter.ts';
import { shown } from '../mutation/alter-documents.ts';
import { type Fault, faultsOf } from '../mutation/fault.ts';

export const faults: readonly Fault[] = faultsOf({
  'FLOW-9': {
    'flow-sheet-of-others': [
      'the signing sheet has another employee than the one who approved',
      answers('signDocument', ({ document }) => {
        const [first] = document.route?.steps?.[0]?.participants ?? [];
        if (first) first.employee_id = crypto.randomUUID();
      }),
    ],
    'flow-completed-early': [
      'completed_at is set at the send',
      shown((one) => {
        if (one.status?.endsWith('ON_SIGN')) one.completed_at = one.update_time;
      }),
    ],
    'flow-no-signed-pdf': [
      'the signed PDF is not listed',
      shown(put('files', (files) => files.filter((file: Json) => file.file_type !== 'FILE_TYPE_SIGNED_PDF'))),
    ],
  },
  'FLOW-33': {
    'flow-cms-in-simple': ['a signature in a SIMPLE slot is overlooked', bodies('signDocument', drop('signature'))],
    'flow-any-body': [
      'an unknown field of an action is overlooked',
      bodies(['sendDocument', 'approveDocument', 'signDocument'], () => ({})),
    ],
  },
});
