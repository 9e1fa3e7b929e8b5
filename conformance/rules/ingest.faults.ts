/** Faults that the rules of ingest.rules.ts must catch. */

import { headerOf } from '../http/exchange.ts';
import { after, keyed } from '../mutation/alter.ts';
import { type Fault, faultsOf } from '../mutation/fault.ts';

const INGEST = 'ingestRecords';

export const faults: readonly Fault[] = faultsOf({
  'ING-5': {
    'ing-key-of-owner': ['an Idempotency-Key counts for all API keys', keyed(INGEST, 'any', 'full')],
  },
  'ING-8': {
    'ing-refusal-burns': [
      'a refused request uses its key up',
      after(INGEST, (answer, asked, memory) => {
        const key = `key ${headerOf(asked, 'idempotency-key')}`;
        if (answer.status === 400) memory.notes.set(key, true);
        return answer.status === 200 && memory.notes.has(key) ? { ...answer, status: 409 } : answer;
      }),
    ],
  },
  'ING-41': {
    'ing-applied-before-answer': [
      'a batch is answered when it is applied',
      after(INGEST, (answer, asked) => (asked.body.length > 50_000 ? { ...answer, heldMs: 2500 } : answer)),
    ],
  },
});
