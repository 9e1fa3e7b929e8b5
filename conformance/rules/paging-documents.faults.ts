/** Faults that the rules of paging-documents.rules.ts must catch. */
import { byOffset, byTime, isLater, walked } from '../mutation/alter-lists.ts';
import type { Fault, ProxiedRequest } from '../mutation/fault.ts';

export const faults: readonly Fault[] = [
  {
    id: 'page-counts-documents',
    rule: 'PAGE-29',
    breaks: 'a token says how many documents were read',
    alter: walked('listDocuments', byOffset),
  },
  {
    id: 'page-documents-by-change',
    rule: 'PAGE-29',
    breaks: 'documents are in the order of changes',
    alter: walked('listDocuments', byTime),
  },
  {
    id: 'page-document-token-widens',
    rule: 'PAGE-30',
    breaks: 'a token of documents shows what its maker sees, whoever uses it',
    alter: async (asked, forward, memory) => {
      const name = 'owner';
      if (asked.operation === 'listDocuments' && !isLater(asked)) memory.notes.set(name, asked.headers);
      const headers = isLater(asked)
        ? ((memory.notes.get(name) as ProxiedRequest['headers'] | undefined) ?? asked.headers)
        : asked.headers;
      return forward({ ...asked, headers });
    },
  },
];
