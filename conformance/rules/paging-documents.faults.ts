/** Faults that the rules of paging-documents.rules.ts must catch. */
import { byOffset, byTime, isLater, walked } from '../mutation/alter-lists.ts';
import { type Fault, faultsOf, type ProxiedRequest } from '../mutation/fault.ts';

export const faults: readonly Fault[] = faultsOf({
  'PAGE-29': {
    'page-counts-documents': ['a token says how many documents were read', walked('listDocuments', byOffset)],
    'page-documents-by-change': ['documents are in the order of changes', walked('listDocuments', byTime)],
  },
  'PAGE-30': {
    'page-document-token-widens': [
      'a token of documents shows what its maker sees, whoever uses it',
      async (asked, forward, memory) => {
        const name = 'owner';
        if (asked.operation === 'listDocuments' && !isLater(asked)) memory.notes.set(name, asked.headers);
        const headers = isLater(asked)
          ? ((memory.notes.get(name) as ProxiedRequest['headers'] | undefined) ?? asked.headers)
          : asked.headers;
        return forward({ ...asked, headers });
      },
    ],
  },
});
