/**
 * What a deployment on a sharded cluster relies on (D-34): which collections may be sharded and by which key, and the
 * reads that may leave out the tenant. Every other command on such a collection names its `tenant_id`, so that it goes
 * only to the shards of that tenant. Every write of one row names the whole key: without it `findOneAndUpdate` fails
 * before MongoDB 7.0, and `updateOne` and `deleteOne` go to all shards or fail.
 * `scripts/checks/test/commands/judge.ts` checks commands by this file.
 */
import type { CollectionName } from './store.ts';

/** The collections that may be sharded; all others stay whole. */
export const SHARDABLE = ['employees', 'persons', 'documents', 'files', 'deliveries'] as const;

/** The name of such a collection. */
export type Shardable = (typeof SHARDABLE)[number] & CollectionName;

/** A bounded read over all tenants, by which a worker finds its work. The writes that follow name the tenant. */
export interface Poll {
  readonly name: string;
  readonly collection: Shardable;
  /** The fields that its filter names; some of its reads also name the field in `sometimes`. */
  readonly filter: readonly string[];
  readonly sometimes?: string;
  /** Why it may query every shard. */
  readonly why: string;
}

const EVENTS = 'one read a second of a partial index that holds only rows with events, so of mostly empty indexes';

/** Every read that may leave out the tenant. */
export const POLLS: readonly Poll[] = [
  { name: 'events of employees', collection: 'employees', filter: ['outbox_at'], sometimes: 'tenant_id', why: EVENTS },
  { name: 'events of documents', collection: 'documents', filter: ['outbox_at'], sometimes: 'tenant_id', why: EVENTS },
  {
    name: 'persons whose employments have to follow',
    collection: 'persons',
    filter: ['outbox_at'],
    sometimes: 'tenant_id',
    why: EVENTS,
  },
  {
    ...{ name: 'endpoints with something due', collection: 'deliveries', filter: ['next_at', '$expr'] },
    sometimes: 'endpoint_id',
    why: 'one read in two seconds of a partial index that holds only pending deliveries',
  },
  {
    ...{ name: 'deliveries of a month ago', collection: 'deliveries', filter: ['ended_at'] },
    why: 'a read every ten minutes, by an index',
  },
  {
    ...{ name: 'employees whose day has come', collection: 'employees', filter: ['status_due_on'] },
    sometimes: '$or',
    why: 'a read a minute of a partial index that holds only rows whose dates will change them',
  },
  {
    ...{ name: 'uploads whose time has come', collection: 'files', filter: ['sweep_at'] },
    why: 'a read a minute, by an index',
  },
  {
    name: 'employees that an earlier version wrote',
    collection: 'employees',
    filter: ['status_due_on', 'deleted_at', 'status', '$or', '_id'],
    why: 'once in the life of a database, before its indexes are complete',
  },
];
