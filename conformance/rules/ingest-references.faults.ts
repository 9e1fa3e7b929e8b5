/** Faults that the rules of ingest-references.rules.ts must catch. */
import { after, each, everything, keyOf, parse, withHeader } from '../mutation/alter.ts';
import { CARDS, withNewKey } from '../mutation/alter-lists.ts';
import { type Fault, faultsOf, type ProxiedRequest } from '../mutation/fault.ts';

const INGEST = 'ingestRecords';

export const faults: readonly Fault[] = faultsOf({
  'ING-23': {
    'ing-sources-mixed': [
      'one external id is one department, whatever its source',
      each(CARDS, (one, _asked, { notes }) => {
        if (/-ledger-/.test(one.department?.title)) one.department_id = notes.get('id') ?? one.department_id;
        if (/-kedo-/.test(one.department?.title)) notes.set('id', one.department_id);
      }),
    ],
  },
  'ING-26': {
    'ing-waits-for-reference': [
      'a record with an unknown reference is applied when a later batch brings it',
      after(everything, async (answer, asked, memory, forward) => {
        const type = parse(asked.body)?.payload_type;
        if (type === 'EMPLOYEES' && asked.body.includes('-later-')) memory.notes.set('waiting', asked);
        const waiting = memory.notes.get('waiting') as ProxiedRequest | undefined;
        if (type === 'DEPARTMENTS' && waiting) await forward(withNewKey(waiting));
        return answer;
      }),
    ],
  },
  'ING-64': {
    'ing-of-all-tenants': [
      'external ids of all tenants are one',
      after(everything, async (answer, asked, memory, forward) => {
        if (asked.operation === INGEST && keyOf(asked) === memory.key('other_tenant')) {
          await forward(withHeader(withNewKey(asked), 'X-API-Key', memory.key('full')));
        }
        return answer;
      }),
    ],
  },
});
