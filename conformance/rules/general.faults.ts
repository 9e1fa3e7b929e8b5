/** Faults that the rules of general.rules.ts must catch. */
import { accepts, denies, refused } from '../mutation/alter.ts';
import { type Fault, faultsOf } from '../mutation/fault.ts';

export const faults: readonly Fault[] = faultsOf({
  'GEN-1': {
    'ver-addition-missing': ['an operation that is claimed is not there', denies('listLoginMethods', 'PATH_NOT_FOUND')],
    'ver-ingest-missing': ['ingest is claimed and not there', denies('ingestRecords', 'PATH_NOT_FOUND')],
    'gen-no-prefix': [
      'paths without the prefix are served',
      accepts((asked) => !asked.target.startsWith('/developer/v1'), refused, {
        employees: [],
        next_page_token: '',
      }),
    ],
    'gen-no-prefix-elsewhere': [
      'ingest without the prefix is served',
      accepts((asked) => !asked.target.startsWith('/developer/v1'), refused, { status: 'ACCEPTED' }),
    ],
  },
});
