import { type CollectionDeclaration, newestFirst, query, SHARD_KEY, shardKeyIndex } from '../collection.ts';
import type { LeasedRow } from '../lease.ts';
import { DAY_MS } from '../retention.ts';

/** One attempt of a delivery, as the log shows it. */
export interface DeliveryAttempt {
  at: Date;
  /** The receiver's status code, or 0. */
  status_code: number;
  /** A class such as `timeout`; `''` if a status was received. */
  error: string;
  duration_ms: number;
}

/** One event on its way to one endpoint. `_id` is `<event_id>:<endpoint_id>`, so that it can exist only once. An attempt leases it. */
export interface DeliveryRow extends LeasedRow {
  tenant_id: string;
  endpoint_id: string;
  event_id: string;
  event_type: string;
  occurred_at: Date;
  /** The identifier in the envelope's `data`, with its name there. */
  subject: { name: 'employee_id' | 'document_id'; id: string };
  /** Of the request that caused the event, if it is known: each attempt continues its trace. */
  traceparent?: string;
  status: 'PENDING' | 'DELIVERED' | 'FAILED' | 'CANCELLED';
  /** When the next attempt is due; null once the delivery has ended. */
  next_at: Date | null;
  /** Counted before each send. */
  attempt_count: number;
  attempts: DeliveryAttempt[];
  create_time: Date;
  ended_at: Date | null;
}

export const deliveries: CollectionDeclaration<DeliveryRow> = {
  keeps: {
    holds: 'deliveries of events and their attempts: ids, times, status codes',
    forMs: 30 * DAY_MS,
    after: 'the delivery has ended',
    by: 'prune_deliveries',
  },
  life: {
    lease_id: 'internal, kept',
    lease_until: 'internal, kept',
    endpoint_id: 'copied, kept',
    event_id: 'copied, kept',
    event_type: 'copied, kept',
    occurred_at: 'copied, kept',
    subject: 'copied, kept',
    traceparent: 'copied, kept',
    status: 'copied, kept',
    next_at: 'copied, kept',
    attempt_count: 'copied, kept',
    attempts: 'copied, kept',
    create_time: 'copied, kept',
    ended_at: 'copied, kept',
  },
  indexes: [
    {
      key: { endpoint_id: 1, status: 1, next_at: 1 },
      serves: [
        query.find('what is due at an endpoint, now or next'),
        query.update('deliveries that are cancelled'),
        query.aggregate('settings: how many are pending'),
      ],
    },
    {
      key: { next_at: 1, endpoint_id: 1 },
      options: { partialFilterExpression: { next_at: { $gt: new Date(0) } } },
      serves: [
        query.find('the watch: endpoints of every tenant with something due; metrics: the first', {
          upTo: 'listed',
          because: 'those of receivers that are slow are passed over',
        }),
        query.count('metrics: how many deliveries are pending or due'),
      ],
    },
    {
      key: { tenant_id: 1, ...newestFirst },
      serves: [
        query.find('settings: the log of deliveries', {
          upTo: 'listed',
          because: 'those of one endpoint are looked for among the newest',
        }),
      ],
    },
    { key: { ended_at: 1 }, serves: [query.find('pruning of the log of every tenant')] },
    shardKeyIndex,
  ],
  shardKey: SHARD_KEY,
  polls: [
    {
      name: 'endpoints with something due',
      filter: ['next_at', '$expr'],
      sometimes: 'endpoint_id',
      why: 'one read in two seconds of a partial index that holds only pending deliveries',
    },
    {
      name: 'pending deliveries, for metrics',
      filter: ['next_at'],
      sometimes: 'endpoint_id',
      why: 'a few reads in ten seconds of a partial index that holds only pending deliveries',
    },
    { name: 'deliveries of a month ago', filter: ['ended_at'], why: 'a read every ten minutes, by an index' },
  ],
};
