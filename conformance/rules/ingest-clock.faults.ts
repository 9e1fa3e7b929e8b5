/** Faults that the rules of ingest-clock.rules.ts must catch. */
import { parse, pretends } from '../mutation/alter.ts';
import { withNewKey } from '../mutation/alter-lists.ts';
import { type Fault, faultsOf } from '../mutation/fault.ts';

export const faults: readonly Fault[] = faultsOf({
  'ING-6': {
    'ing-key-free-at-once': [
      'an Idempotency-Key is free before its 24 hours end',
      async (asked, forward) => forward(withNewKey(asked)),
    ],
  },
  'ING-63': {
    'ing-lost-at-restart': [
      'what is accepted and not yet applied is lost with a restart',
      pretends((asked) => {
        const list = parse(asked.body)?.records;
        return asked.operation === 'ingestRecords' && list?.length === 1 && /-last-/.test(list[0].number ?? '');
      }),
    ],
  },
});
