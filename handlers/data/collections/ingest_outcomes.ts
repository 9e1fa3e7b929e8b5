import { type CollectionDeclaration, query } from '../collection.ts';
import { DAY_MS } from '../retention.ts';
import type { PersonDecision } from './external_bindings.ts';

/** What people can decide about a skipped record; see {@link PersonDecision}. */
export interface PersonQuestion extends Pick<PersonDecision, 'person_id' | 'record'> {
  /** The binding that keeps the decision. */
  binding_id: string;
  /** The employee who has the record's natural id. */
  employee_id: string;
  /** Missing until it is decided. */
  is?: PersonDecision['is'];
}

/** The outcome of a record. `_id` is `<request id>:<record's index>`. */
export interface IngestOutcomeRow {
  _id: string;
  tenant_id: string;
  request_id: string;
  index: number;
  external_id: string;
  outcome: 'created' | 'updated' | 'unchanged' | 'skipped';
  /** Why it was skipped; a sentence without values. */
  reason: string;
  /** The references that are still unknown although the record was applied, by their names in the record. */
  unresolved: string[];
  /** What people should know of it besides; a sentence without values. Rows of an earlier version have none. */
  note?: string;
  /** Present if it was skipped because it names another person. */
  question?: PersonQuestion;
  object_id: string;
  create_time: Date;
}

export const ingestOutcomes: CollectionDeclaration<IngestOutcomeRow> = {
  keeps: {
    holds: 'what became of each record: its external id and the id of the object',
    forMs: 30 * DAY_MS,
    after: 'the batch was applied',
    by: 'sweep_ingest',
  },
  life: {
    request_id: 'copied, removed',
    index: 'copied, removed',
    external_id: 'copied, removed',
    outcome: 'copied, removed',
    reason: 'copied, removed',
    unresolved: 'copied, removed',
    note: 'copied, removed',
    question: 'copied, removed',
    object_id: 'copied, removed',
    create_time: 'copied, removed',
  },
  indexes: [
    {
      key: { tenant_id: 1, request_id: 1, index: 1 },
      serves: [
        query.find('settings: what became of each record'),
        query.remove('outcomes of a request of 30 days ago'),
      ],
    },
  ],
  retiredIndexes: [{ create_time: 1 }],
};
