/** Faults that the rules of documents-visibility.rules.ts must catch. */
import { isAbsent, keyed, keyOf, mistaken, permits, rows } from '../mutation/alter.ts';
import { visible } from '../mutation/alter-documents.ts';
import { type Fault, faultsOf } from '../mutation/fault.ts';

const LIST = 'listDocuments';

export const faults: readonly Fault[] = faultsOf({
  'DREAD-15': {
    'read-hidden-type': ['a subject reads a document of a type out of view', visible],
  },
  'DREAD-23': {
    'read-confidential-of-listed-type': [
      'a confidential document is listed to an owner whose list has its type',
      keyed(LIST, 'listed_types_owner', 'full'),
    ],
    'read-confidential': ['a confidential document is read by id', permits('getDocument', 'full', isAbsent)],
    'read-confidential-listed': ['a confidential document is listed', keyed(LIST, 'not_confidential_owner', 'full')],
    'read-confidential-downloaded': [
      'a confidential document is downloaded',
      permits('downloadDocument', 'full', isAbsent),
    ],
    'read-confidential-refused': [
      'an act on a confidential document is refused for another reason than that there is none',
      mistaken('DOCUMENT_NOT_FOUND', 'DOCUMENT_ACTION_NOT_ALLOWED', ['sendDocument', 'setDocumentRoute']),
    ],
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
