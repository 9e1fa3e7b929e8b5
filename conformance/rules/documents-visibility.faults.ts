/** Faults that the rules of documents-visibility.rules.ts must catch. */
import { keyed, keyOf, rows } from '../mutation/alter.ts';
import { type Fault, faultsOf } from '../mutation/fault.ts';

const LIST = 'listDocuments';

export const faults: readonly Fault[] = faultsOf({
  'DREAD-23': {
    'read-confidential-of-listed-type': [
      'a confidential document is listed to an owner whose list has its type',
      keyed(LIST, 'listed_types_owner', 'full'),
    ],
    'read-confidential-listed': ['a confidential document is listed', keyed(LIST, 'not_confidential_owner', 'full')],
    'read-own-confidential-hidden': [
      'the initiator of a confidential document does not find it',
      rows(LIST, (list, _json, asked, memory) =>
        keyOf(asked) === memory.key('not_confidential_owner')
          ? list.filter(({ status }) => status !== 'DOCUMENT_STATUS_DRAFT')
          : list,
      ),
    ],
  },
});
