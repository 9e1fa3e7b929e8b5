/** Faults that the rules of ingest-records.rules.ts must catch. */
import { asking } from '../mutation/alter.ts';
import { type Fault, faultsOf } from '../mutation/fault.ts';

export const faults: readonly Fault[] = faultsOf({
  'ING-71': {
    'ing-deleted-returns': {
      breaks: 'a record brings a deleted employee back',
      alone: true,
      alter: asking('ingestRecords', 'create_missing', true),
    },
  },
});
