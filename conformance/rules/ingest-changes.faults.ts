/** Faults that the rules of ingest-changes.rules.ts must catch. */
import { counted, parse } from '../mutation/alter.ts';
import { records } from '../mutation/alter-ingest.ts';
import { type Fault, faultsOf, type ProxiedRequest } from '../mutation/fault.ts';

const INGEST = 'ingestRecords';

export const faults: readonly Fault[] = faultsOf({
  'ING-55': {
    'ing-other-order': [
      'the last two batches of many are applied the other way round',
      async (asked, forward, memory) => {
        const number = parse(asked.body)?.records?.[0]?.number ?? '';
        const last = memory.successes.get(INGEST);
        if (/-step-10-/.test(number) && last) {
          memory.notes.set('held', asked);
          return last;
        }
        const answer = await forward(asked);
        const held = memory.notes.get('held') as ProxiedRequest | undefined;
        if (/-step-11-/.test(number) && held) await forward(held);
        return answer;
      },
    ],
  },
  'ING-84': {
    'ing-two-at-once': {
      breaks: 'two batches at once make two employees of one external id',
      alone: true,
      alter: records((one, _batch, memory) => {
        if (one.external_person_id !== one.external_id || !/-twice-/.test(one.external_id)) return;
        if (counted(memory, 'made') > 1) one.external_id += '-2';
      }),
    },
  },
});
