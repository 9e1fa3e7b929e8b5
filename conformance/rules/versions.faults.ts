/** Faults that the rules of versions.rules.ts must catch. */
import { denies } from '../mutation/alter.ts';
import { type Fault, faultsOf } from '../mutation/fault.ts';

export const faults: readonly Fault[] = faultsOf({
  'VER-3': {
    'ver-addition-missing': ['an operation that is claimed is not there', denies('listLoginMethods', 'PATH_NOT_FOUND')],
    'ver-ingest-missing': ['ingest is claimed and not there', denies('ingestRecords', 'PATH_NOT_FOUND')],
  },
});
