/** Faults that the rules of reject.rules.ts must catch. */
import { bodies, drop, refuses } from '../mutation/alter.ts';
import { type Fault, faultsOf } from '../mutation/fault.ts';

const REJECT = 'rejectDocument';

export const faults: readonly Fault[] = faultsOf({
  'REJ-9': {
    'rej-blank-comment': [
      'a comment of characters without width is taken',
      bodies(REJECT, (json) => {
        if (typeof json.comment === 'string' && !json.comment.replace(/[\s\u200b-\u200d\u2060\u00ad\ufeff]/g, ''))
          json.comment = 'x';
      }),
    ],
  },
  'REJ-13': {
    'rej-slot-needed': ['participant_id must be given', refuses(REJECT, 'INVALID_ARGUMENT')],
  },
  'REJ-18': {
    'rej-body-id': ['a document_id that is not the path’s is overlooked', bodies(REJECT, drop('document_id'))],
  },
});
