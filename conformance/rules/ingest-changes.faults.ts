/** Faults that the rules of ingest-changes.rules.ts must catch. */
import { answers, counted, noted, parse } from '../mutation/alter.ts';
import { inBatches, inCards, records } from '../mutation/alter-ingest.ts';
import { type Fault, faultsOf, type ProxiedRequest } from '../mutation/fault.ts';

const INGEST = 'ingestRecords';

export const faults: readonly Fault[] = [
  ...faultsOf({
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
      'ing-batch-id-again': [
        'two batches have one id',
        answers(INGEST, (json, _asked, { notes }) => {
          json.ingest_request_id = noted({ notes }, 'id', () => json.ingest_request_id);
        }),
      ],
    },
  }),
  inBatches('ing-last-record-lost', 'ING-55', 'the last record of a large batch is lost', (json) => {
    if (json.records?.length > 1000) json.records.pop();
  }),
  inCards('ing-person-time', 'ING-57', 'a change of a person moves no update_time', (one) => {
    one.update_time = one.create_time;
  }),
  inCards(
    'ing-ended-employment-not-followed',
    'ING-57',
    'a change of a person leaves an employment that has ended as it was',
    (one, { notes }) => {
      if (one.status !== 'EMPLOYEE_STATUS_TERMINATED') return;
      const key = `ended ${one.id}`;
      one.update_time = noted({ notes }, key, () => one.update_time);
    },
  ),
  inCards('ing-change-by-hand-lost', 'ING-85', 'a batch takes back what was changed by hand beside it', (one) => {
    if (/^by-hand-/.test(one.work_email)) one.work_email = '';
  }),
  inBatches('ing-first-wins', 'ING-55', 'of records with the same external id the first wins', (json) => {
    json.records?.reverse?.();
  }),
];
