/** Faults that the rules of documents-creation.rules.ts must catch. */

import { after, everything } from '../mutation/alter.ts';
import { burnt } from '../mutation/alter-documents.ts';
import { type Fault, faultsOf, inStorage } from '../mutation/fault.ts';

export const faults: readonly Fault[] = faultsOf({
  'DOC-25': {
    'doc-burns-upload': ['a refused creation uses the upload up', burnt],
  },
  'DOC-34': {
    'doc-half-rendered': inStorage(
      'a file that was rendered ends before its end',
      after(everything, (answer, asked) =>
        asked.method === 'GET' ? { ...answer, body: answer.body.subarray(0, answer.body.length - 64) } : answer,
      ),
    ),
  },
});
