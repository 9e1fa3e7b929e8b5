/** Faults that the rules of versions.rules.ts must catch. */
import { accepts, madeError, refused } from '../mutation/alter.ts';
import type { Fault } from '../mutation/fault.ts';

export const faults: readonly Fault[] = [
  {
    id: 'ver-v2',
    rule: 'VER-1',
    breaks: 'another version is served too',
    alter: accepts((asked) => !asked.target.startsWith('/developer/v1/'), refused, {
      employees: [],
      next_page_token: '',
    }),
  },
  {
    id: 'ver-addition-missing',
    rule: 'VER-3',
    breaks: 'an operation that is claimed is not there',
    alter: async (asked, forward) =>
      asked.operation === 'listLoginMethods' ? madeError('PATH_NOT_FOUND') : forward(asked),
  },
  {
    id: 'ver-ingest-missing',
    rule: 'VER-6',
    breaks: 'ingest is claimed and not there',
    alter: async (asked, forward) =>
      asked.operation === 'ingestRecords' ? madeError('PATH_NOT_FOUND') : forward(asked),
  },
];
