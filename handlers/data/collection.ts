/** What the store knows of a collection besides its rows, and what several collections have in common. */
import type { CreateIndexesOptions } from 'mongodb';
import type { RowLife } from './field-life.ts';
import type { Retention } from './retention.ts';

/** The keys of an index, in order: a query names the index that it uses by them. */
export type IndexKeys = Readonly<Record<string, 1 | -1>>;

type Verb = 'find' | 'count' | 'distinct' | 'aggregate' | 'update' | 'delete';

/** Why a query examines more than it finds, and how much more. */
interface Excess {
  /**
   * `few`: at most as many keys as the bound in `handlers/employees/list.ts`, on later pages also that many
   * documents; `own`: the documents in which one person takes part; `tenant`: the rows of the tenant; `listed`: a small
   * list of a tenant's rows, which a settings command or a job reads.
   */
  readonly upTo: 'few' | 'own' | 'tenant' | 'listed';
  readonly because: string;
  readonly sorts?: true;
}

/** A query that an index serves. What it examines grows only with what it finds, unless it says more. */
export interface ServedQuery {
  readonly verb: Verb;
  readonly purpose: string;
  readonly excess?: Excess;
  /** Whether the command names the index, because the planner may take a worse one. */
  readonly isHinted?: true;
}

/** An index, with every query that it serves; reads by `_id` need none. `scripts/lab/plans/` holds each to it. */
export interface IndexDeclaration {
  readonly key: IndexKeys;
  readonly options?: CreateIndexesOptions;
  /** A text if no query of the service needs the index, but the database itself does. */
  readonly serves: readonly ServedQuery[] | string;
}

/** A bounded read over all tenants, by which a worker finds its work. The writes that follow name the tenant. */
interface Poll {
  readonly name: string;
  /** The fields that its filter names; some of its reads also name the field in `sometimes`. */
  readonly filter: readonly string[];
  readonly sometimes?: string;
  /** Why it may query every shard. */
  readonly why: string;
}

/** A collection; everything that is known of it stands in its file in `collections/`. */
export interface CollectionDeclaration<Row, Answer = object> {
  /** What its rows hold, how long they are kept, and what ends them. */
  readonly keeps: Retention;
  /** What becomes of them, field by field. `Answer` is the contract's type of what shows them. */
  readonly life: RowLife<Row, Answer>;
  readonly indexes: readonly IndexDeclaration[];
  /** Queries that look through the whole collection. */
  readonly scans?: readonly ServedQuery[];
  /** The keys of indexes that earlier versions declared and that others have replaced. */
  readonly retiredIndexes?: readonly IndexKeys[];
  /**
   * The key by which a cluster may shard it (D-34); a collection without one stays whole. Every command on a sharded
   * one names its `tenant_id`, so that it goes only to the shards of that tenant, unless it is one of the {@link
   * polls}. Every write of one row names the whole key: without it some commands fail, others go to all shards.
   */
  readonly shardKey?: IndexKeys;
  /** Every read of a sharded collection that may leave out the tenant. */
  readonly polls?: readonly Poll[];
  /** Only for the compiler. */
  readonly row?: Row;
}

const entry =
  (verb: Verb) =>
  (purpose: string, excess?: Excess): ServedQuery => ({ verb, purpose, excess });

export const query = {
  find: entry('find'),
  count: entry('count'),
  distinct: entry('distinct'),
  aggregate: entry('aggregate'),
  update: entry('update'),
  remove: entry('delete'),
} as const;

const namingIndex =
  (made: typeof query.find): typeof query.find =>
  (...served) => ({ ...made(...served), isHinted: true });

export const hinted = { find: namingIndex(query.find), count: namingIndex(query.count) } as const;

/** Of a settings command. */
export const SHORT_LIST = {
  upTo: 'listed',
  because: 'a settings command filters and sorts a short list',
  sorts: true,
} as const;

/** Of a collection without an index by tenant, whose rows few commands look for. */
export const leavingScans = [
  query.find('settings: what leaves with its tenant or person', {
    upTo: 'listed',
    because: 'its rows are few or do not stay, and nobody waits for the command',
    sorts: true,
  }),
];

export const newestFirst = { create_time: -1, _id: -1 } as const;

/** How indexes of rows begin that can be deleted and still be there. */
export const listed = { tenant_id: 1, listed: 1 } as const;

/** The key of every sharded collection: the rows of a tenant are stored together, and those of a large one can be split. */
export const SHARD_KEY = { tenant_id: 1, _id: 1 } as const;

/** The shard key must be indexed before a collection is sharded. Looking up a row by its id alone does not need it. */
export const shardKeyIndex: IndexDeclaration = {
  key: SHARD_KEY,
  serves: 'the shard key, where the collection is sharded',
};

/** The condition for rows with pending events: a range, so that a partial index serves it. */
export const HAS_EVENTS = { outbox_at: { $gt: new Date(0) } };

/** The index of a collection whose rows have events: the relay reads those of all tenants; there are few of them. */
export function outboxIndex(purpose: string): IndexDeclaration {
  const options = { partialFilterExpression: HAS_EVENTS };
  return {
    key: { outbox_at: 1, tenant_id: 1 },
    options,
    serves: [query.find(purpose), query.count(`metrics: how many of ${purpose}`)],
  };
}

/** The relay's poll of such a collection. */
export function outboxPoll(name: string): Poll {
  const why = 'one read a second of a partial index that holds only rows with events, so of mostly empty indexes';
  return { name, filter: ['outbox_at'], sometimes: 'tenant_id', why };
}

/** Job titles, locations and organisations: each is a title in a tenant. */
export interface TitledRow {
  _id: string;
  tenant_id: string;
  title: string;
  create_time: Date;
  update_time: Date;
  /**
   * JSON text of an object with data that the interface never shows, such as bank accounts; `''` or missing for none.
   */
  details?: string;
}

export const titledLife = {
  title: 'kept',
  create_time: 'kept',
  update_time: 'kept',
  details: 'kept',
} satisfies RowLife<TitledRow>;

/**
 * A collection of them.
 * @param holds what its rows are
 * @param inSettings how the settings call them
 */
export const titledCollection = (holds: string, inSettings = holds): CollectionDeclaration<TitledRow> => ({
  keeps: { holds, until: 'the tenant is deleted', because: 'they are the structure of the organisation' },
  life: titledLife,
  indexes: [{ key: SHARD_KEY, serves: [query.find(`settings: ${inSettings}`, SHORT_LIST)] }],
});
