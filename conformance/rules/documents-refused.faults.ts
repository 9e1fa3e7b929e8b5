/** Faults that the rules of documents-refused.rules.ts must catch. */
import { burnt } from '../mutation/alter-documents.ts';
import { type Fault, faultsOf } from '../mutation/fault.ts';

export const faults: readonly Fault[] = faultsOf({
  'DOC-27': {
    'doc-upload-burnt-by-type': ['a creation that is refused for its type uses the upload up', burnt],
  },
});
