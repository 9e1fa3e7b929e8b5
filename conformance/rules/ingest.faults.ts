/** Faults that the rules of ingest.rules.ts must catch. */
import { accepts, answers, headerOf, jsonBody, keyed, mistaken, parse, refusals, refuses } from '../mutation/alter.ts';
import { freshKey } from '../mutation/alter-ingest.ts';
import type { Fault } from '../mutation/fault.ts';

const INGEST = 'ingestRecords';

const UNKNOWN = '7f0c9a52-3d1e-4b67-9c84-0a5be1d2f3c6';

const ACCEPTED = { ingest_request_id: UNKNOWN, status: 'ACCEPTED', record_count: 1 };

const lenient = accepts(INGEST, (answer) => answer.status >= 400, ACCEPTED);

const REQUIRED = 'INTEGRATION.IDEMPOTENCY_REQUIRED';

export const faults: readonly Fault[] = [
  { id: 'ing-key-optional', rule: 'ING-1', breaks: 'the Idempotency-Key may be left out', alter: lenient },
  {
    id: 'ing-required-409',
    rule: 'ING-1',
    breaks: 'a missing key is a wrong argument',
    alter: mistaken(REQUIRED, 'INVALID_ARGUMENT'),
  },
  {
    id: 'ing-count-text',
    rule: 'ING-2',
    breaks: 'record_count is a text',
    alter: answers(INGEST, (json) => {
      json.record_count = String(json.record_count);
    }),
  },
  {
    id: 'ing-count-wrong',
    rule: 'ING-2',
    breaks: 'record_count is always 1',
    alter: answers(INGEST, (json) => {
      json.record_count = 1;
    }),
  },
  {
    id: 'ing-replays',
    rule: 'ING-3',
    breaks: 'a repeat answers as the first attempt',
    alter: accepts(INGEST, (answer) => answer.status === 409, ACCEPTED),
  },
  {
    id: 'ing-first-id-unsaid',
    rule: 'ING-3',
    breaks: 'a repeat does not get the first attempt’s id',
    alter: refusals(REQUIRED, (json) => {
      json.details[0].metadata = {};
    }),
  },
  { id: 'ing-other-body', rule: 'ING-4', breaks: 'another body with a used key is accepted', alter: freshKey },
  {
    id: 'ing-key-of-owner',
    rule: 'ING-5',
    breaks: 'an Idempotency-Key counts for all API keys',
    alter: keyed(INGEST, 'any', 'full'),
  },
  { id: 'ing-many-accepted', rule: 'ING-7', breaks: 'of twenty requests with a key all are accepted', alter: freshKey },
  {
    id: 'ing-refusal-burns',
    rule: 'ING-8',
    breaks: 'a refused request uses its key up',
    alter: async (asked, forward, memory) => {
      const answer = await forward(asked);
      if (asked.operation !== INGEST) return answer;
      const key = `key ${headerOf(asked, 'idempotency-key')}`;
      if (answer.status === 400) memory.notes.set(key, true);
      return answer.status === 200 && memory.notes.has(key) ? { ...answer, status: 409 } : answer;
    },
  },
  {
    id: 'ing-status-operation',
    rule: 'ING-32',
    breaks: 'the state of a batch can be asked for',
    alter: accepts(
      (asked) => asked.target.includes('/ingest') && asked.method === 'GET',
      (answer) => answer.status >= 400,
      { status: 'APPLIED' },
    ),
  },
  { id: 'ing-any-shape', rule: 'ING-38', breaks: 'a batch of wrong shape is accepted', alter: lenient },
  {
    id: 'ing-empty-refused',
    rule: 'ING-39',
    breaks: 'a batch without records is treated otherwise than declared',
    alter: async (asked, forward) => {
      const answer = await forward(asked);
      if (asked.operation !== INGEST || parse(asked.body)?.records?.length !== 0) return answer;
      return answer.status === 200
        ? { ...answer, status: 400 }
        : { ...answer, status: 200, body: jsonBody({ ...ACCEPTED, record_count: 0 }) };
    },
  },
  {
    id: 'ing-applied-before-answer',
    rule: 'ING-41',
    breaks: 'a batch is answered when it is applied',
    alter: async (asked, forward) => {
      const answer = await forward(asked);
      return asked.operation === INGEST && asked.body.length > 50_000 ? { ...answer, heldMs: 2500 } : answer;
    },
  },
  {
    id: 'ing-any-key',
    rule: 'ING-44',
    breaks: 'a key that no super-administrator made is accepted',
    alter: accepts(INGEST, (answer) => answer.status === 403, ACCEPTED),
  },
  {
    id: 'ing-five-thousand',
    rule: 'ING-45',
    breaks: 'more than half of the most is refused',
    alter: refuses('ingestRecords', 'INVALID_ARGUMENT', (asked) => {
      const list = parse(asked.body)?.records;
      return Array.isArray(list) && list.length > 5000;
    }),
  },
  { id: 'ing-too-many', rule: 'ING-45', breaks: 'one record more than the most is accepted', alter: lenient },
  { id: 'ing-too-large', rule: 'ING-46', breaks: 'a larger body is accepted', alter: lenient },
  {
    id: 'ing-body-bound',
    rule: 'ING-47',
    breaks: 'a body may be no larger than elsewhere',
    alter: async (asked, forward) => {
      const answer = await forward(asked);
      return asked.body.length > 1_048_576 ? { ...answer, status: 413 } : answer;
    },
  },
  { id: 'ing-key-any', rule: 'ING-62', breaks: 'a malformed Idempotency-Key is overlooked', alter: freshKey },
];
