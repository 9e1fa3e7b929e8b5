/** Faults that the rules of paging-documents.rules.ts must catch. */
import { byOffset, byTime, walked } from '../mutation/alter-lists.ts';
import { type Fault, faultsOf } from '../mutation/fault.ts';

export const faults: readonly Fault[] = faultsOf({
  'PAGE-29': {
    'page-counts-documents': ['a token says how many documents were read', walked('listDocuments', byOffset)],
    'page-documents-by-change': ['documents are in the order of changes', walked('listDocuments', byTime)],
  },
});
