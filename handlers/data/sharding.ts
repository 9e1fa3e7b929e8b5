/**
 * What a deployment on a sharded cluster rests on (D-34): which collections may be sharded and by which key, and the
 * reads that may go without the tenant. Every other command on such a collection names its `tenant_id`, so that it goes
 * to the shards of that tenant only; and every write of one row names the whole key, without which `findOneAndUpdate`
 * fails before MongoDB 7.0, and `updateOne` and `deleteOne` are sent to all shards or fail.
 * `scripts/test/commands/judge.ts` judges commands by this.
 */
import type { CollectionName } from './store.ts';

/** The collections that may be sharded; all others stay whole. */
export const SHARDABLE = ['employees', 'persons', 'documents', 'files', 'deliveries'] as const;

/** The name of such a collection. */
export type Shardable = (typeof SHARDABLE)[number] & CollectionName;

/** A bounded read over all tenants, by which a worker finds what it has to do; what it then writes names tenants. */
export interface Poll {
  readonly name: string;
  readonly collection: Shardable;
  /** The fields that its filter names; some of its reads name those of `sometimes` as well. */
  readonly filter: readonly string[];
  readonly sometimes?: string;
  /** Why it may ask every shard. */
  readonly why: string;
}

const EVENTS = 'one read a second of a partial index that holds only rows with events, so of mostly empty indexes';

/** Every read that may go without the tenant. */
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
