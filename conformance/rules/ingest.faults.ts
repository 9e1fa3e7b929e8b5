/** Faults that the rules of ingest.rules.ts must catch. */

import { headerOf } from '../http/exchange.ts';
import {
  accepts,
  after,
  jsonBody,
  keyed,
  parse,
  refusals,
  refused,
  refuses,
  showing,
  status,
} from '../mutation/alter.ts';
import { freshKey } from '../mutation/alter-ingest.ts';
import { type Fault, faultsOf } from '../mutation/fault.ts';
import { UNKNOWN_ID } from './shared/calls.ts';

const INGEST = 'ingestRecords';

const ACCEPTED = { ingest_request_id: UNKNOWN_ID, status: 'ACCEPTED', record_count: 1 };

const lenient = accepts(INGEST, refused, ACCEPTED);

export const faults: readonly Fault[] = faultsOf({
  'ING-2': {
    'ing-count-text': ['record_count is a text', showing(INGEST, 'record_count', (recordCount) => String(recordCount))],
    'ing-count-wrong': ['record_count is always 1', showing(INGEST, 'record_count', 1)],
    'ing-empty-refused': [
      'a batch without records is treated otherwise than declared',
      after(INGEST, (answer, asked) => {
        if (parse(asked.body)?.records?.length !== 0) return answer;
        return answer.status === 200
          ? { ...answer, status: 400 }
          : { ...answer, status: 200, body: jsonBody({ ...ACCEPTED, record_count: 0 }) };
      }),
    ],
    'ing-five-thousand': [
      'more than half of the most is refused',
      refuses('ingestRecords', 'INVALID_ARGUMENT', (asked) => {
        const list = parse(asked.body)?.records;
        return Array.isArray(list) && list.length > 5000;
      }),
    ],
    'ing-too-many': ['one record more than the most is accepted', lenient],
  },
  'ING-3': {
    'ing-replays': [
      'a repeat answers as the first attempt',
      accepts(INGEST, (answer) => answer.status === 409, ACCEPTED),
    ],
    'ing-first-id-unsaid': [
      'a repeat does not get the first attempt’s id',
      refusals('INTEGRATION.IDEMPOTENCY_REQUIRED', (json) => {
        json.details[0].metadata = {};
      }),
    ],
    'ing-other-body': ['another body with a used key is accepted', freshKey],
    'ing-other-flag': [
      'a used key with create_missing added is accepted',
      accepts(INGEST, (answer, asked) => answer.status === 409 && asked.body.includes('create_missing'), ACCEPTED),
    ],
  },
  'ING-5': {
    'ing-key-of-owner': ['an Idempotency-Key counts for all API keys', keyed(INGEST, 'any', 'full')],
  },
  'ING-7': {
    'ing-many-accepted': ['of twenty requests with a key all are accepted', freshKey],
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
  'ING-32': {
    'ing-status-operation': [
      'the state of a batch can be asked for',
      accepts((asked) => asked.target.includes('/ingest') && asked.method === 'GET', refused, { status: 'APPLIED' }),
    ],
  },
  'ING-41': {
    'ing-applied-before-answer': [
      'a batch is answered when it is applied',
      after(INGEST, (answer, asked) => (asked.body.length > 50_000 ? { ...answer, heldMs: 2500 } : answer)),
    ],
  },
  'ING-44': {
    'ing-any-key': [
      'a key that no super-administrator made is accepted',
      accepts(INGEST, (answer) => answer.status === 403, ACCEPTED),
    ],
  },
  'ING-46': {
    'ing-too-large': ['a larger body is accepted', lenient],
    'ing-body-bound': [
      'a body may be no larger than elsewhere',
      status(413, (_answer, asked) => asked.body.length > 1_048_576),
    ],
  },
});
