import type { OperationId } from '../../../generated/contract.ts';
import { type CollectionDeclaration, hinted, query } from '../collection.ts';
import { DAY_MS } from '../retention.ts';

/**
 * What a key was refused within an hour, and how often (D-38). Equal refusals are one row: `_id` is a digest of the key, the
 * hour and what the answer said. It never holds a value that was sent.
 */
export interface RefusedCallRow {
  _id: string;
  tenant_id: string;
  api_key_id: string;
  /** `''` where the call was refused before its operation was known. */
  operation_id: OperationId | '';
  status: number;
  /** The textual code of the answer. */
  error: string;
  /** The message of the answer; `''` where the fields say it. */
  message: string;
  /** The violations of the answer; a name that the contract does not know is left out. */
  fields: { field: string; description: string }[];
  times: number;
  /** Of the last time. */
  request_id: string;
  at: Date;
}

/** The most rows that are kept and shown for a key: the newest. */
export const MOST_REFUSED_CALLS = 500;

export const REFUSED_CALLS_OF_KEY = { tenant_id: 1, api_key_id: 1, at: -1 } as const;

export const refusedCalls: CollectionDeclaration<RefusedCallRow> = {
  keeps: {
    holds: 'which calls of a key were refused, and why: names of the contract, never a value that was sent',
    forMs: DAY_MS,
    after: 'the refusal',
    by: 'ttl',
  },
  life: {
    api_key_id: 'kept',
    operation_id: 'kept',
    status: 'kept',
    error: 'kept',
    message: 'kept',
    fields: 'kept',
    times: 'kept',
    request_id: 'kept',
    at: 'kept',
  },
  indexes: [
    {
      key: { at: 1 },
      options: { expireAfterSeconds: DAY_MS / 1000 },
      serves: 'the database removes refusals of yesterday',
    },
    {
      key: REFUSED_CALLS_OF_KEY,
      serves: [
        query.find('settings: the refused calls of a key'),
        hinted.find('the oldest refused calls of a key, of which there are too many', {
          upTo: 'few',
          because: 'those that stay are passed over',
        }),
      ],
    },
  ],
};
