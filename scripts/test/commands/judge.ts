/**
 * Judges a command to the database: would a cluster that is sharded by tenant take it, and send it to the shards of one
 * tenant only? See `handlers/data/sharding.ts`. It knows the documents of commands and nothing of where they come from.
 */
import type { Document } from 'mongodb';
import { POLLS, SHARDABLE, type Shardable } from '../../../handlers/data/sharding.ts';

/** What there is to say of a command on a collection that may be sharded. It holds names only, and never a value. */
export interface Verdict {
  readonly collection: Shardable;
  readonly command: string;
  /** The fields that its filters name. */
  readonly fields: readonly string[];
  /** Which of the listed polls it is. */
  readonly poll?: string;
  /** Why a sharded cluster would refuse it or ask every shard; absent where all is well. */
  readonly problem?: string;
}

/** So many tenants in one command are few: each may lie on a shard of its own. */
const FEW_TENANTS = 100;

const NO_TENANT = 'it does not name its tenant_id';
const NO_KEY = 'it writes one row and does not say which by tenant_id and _id';
const NO_TENANT_IN_ROW = 'it writes a row without tenant_id';

/** A filter of a command. */
interface Part {
  readonly filter: Document;
  /** Whether it must name one row by the whole key: what writes one row does. */
  readonly one?: boolean;
  /** A whole row that is put into the place of another. */
  readonly row?: Document;
}

/** The filters of each command that has some. */
const partsOf: Readonly<Record<string, (command: Document) => readonly Part[]>> = {
  find: ({ filter }) => [{ filter }],
  count: ({ query }) => [{ filter: query }],
  distinct: ({ query }) => [{ filter: query }],
  aggregate: ({ pipeline }) => [{ filter: pipeline[0]?.$match }],
  findAndModify: ({ query, update }) => [{ filter: query, one: true, ...replacement(update) }],
  update: ({ updates }) =>
    updates.map(({ q, u, multi, upsert }: Document) => ({ filter: q, one: !multi || upsert, ...replacement(u) })),
  delete: ({ deletes }) => deletes.map(({ q, limit }: Document) => ({ filter: q, one: limit === 1 })),
};

/** Commands that have no filter: they go on with a cursor whose beginning was judged, or are about indexes. */
const WITHOUT_FILTER = new Set(['getMore', 'killCursors', 'createIndexes', 'listIndexes']);

/** An update that is neither a pipeline nor made of operators is a row. */
function replacement(update: unknown): { row?: Document } {
  const isRow = typeof update === 'object' && update !== null && !Array.isArray(update);
  return isRow && !Object.keys(update).some((name) => name.startsWith('$')) ? { row: update } : {};
}

/** @returns nothing where no collection that may be sharded is concerned */
export function judge(command: Document): Verdict | undefined {
  if (command.explain !== undefined) return judge(command.explain);
  const [name = '', target] = Object.entries(command)[0] ?? [];
  const foreign = foreignIn(command.pipeline);
  if (foreign !== undefined) return { collection: foreign, command: name, fields: [], problem: 'a stage reads it' };
  const collection = shardable(name === 'getMore' ? command.collection : target);
  if (collection === undefined) return ofSeveral(name, command.nsInfo);
  if (WITHOUT_FILTER.has(name)) return { collection, command: name, fields: [] };
  if (name === 'insert') return inserted(collection, command.documents);
  const parts = partsOf[name]?.(command).map((part) => ({ ...part, filter: part.filter ?? {} }));
  if (parts === undefined) return { collection, command: name, fields: [], problem: 'nobody has thought about it' };
  const fields = [...new Set(parts.flatMap(({ filter }) => Object.keys(filter)))].sort();
  const poll = name === 'find' && command.limit > 0 ? pollOf(collection, fields) : undefined;
  if (poll !== undefined) return { collection, command: name, fields, poll };
  const problem = parts.map(problemOf).find((one) => one !== undefined);
  return { collection, command: name, fields, ...(problem && { problem }) };
}

function shardable(name: unknown): Shardable | undefined {
  return SHARDABLE.find((one) => one === name);
}

function inserted(collection: Shardable, documents: readonly Document[]): Verdict {
  const problem = documents.every(({ tenant_id }) => isOne(tenant_id)) ? undefined : NO_TENANT_IN_ROW;
  return { collection, command: 'insert', fields: [], ...(problem && { problem }) };
}

/** The command `bulkWrite` of MongoDB 8 writes to several collections; older versions do not have it. */
function ofSeveral(command: string, namespaces: readonly Document[] = []): Verdict | undefined {
  const names = namespaces.map(({ ns }) => shardable(String(ns).split('.').slice(1).join('.')));
  const collection = names.find((one) => one !== undefined);
  return collection && { collection, command, fields: [], problem: 'MongoDB 6 does not have this command' };
}

function problemOf({ filter, one, row }: Part): string | undefined {
  if (row !== undefined && !isOne(row.tenant_id)) return NO_TENANT_IN_ROW;
  if (one) return isPinned(filter, 'tenant_id') && isPinned(filter, '_id') ? undefined : NO_KEY;
  return namesTenant(filter) ? undefined : NO_TENANT;
}

/** Whether the condition on a field, or the field of a row, is one value. */
function isOne(condition: unknown): boolean {
  const value = typeof condition === 'object' ? (condition as Document | null)?.$eq : condition;
  return typeof value === 'string' && value !== '';
}

function isFew(condition: unknown): boolean {
  const among = (condition as Document | null | undefined)?.$in;
  return Array.isArray(among) && among.length > 0 && among.length <= FEW_TENANTS && among.every(isOne);
}

const branches = (value: unknown): readonly Document[] => (Array.isArray(value) ? value : []);

/** Whether every row that the filter finds is one of few tenants that it names. */
function namesTenant(filter: Document): boolean {
  const { tenant_id } = filter;
  const any = branches(filter.$or);
  return (
    isOne(tenant_id) ||
    isFew(tenant_id) ||
    branches(filter.$and).some(namesTenant) ||
    (any.length > 0 && any.every(namesTenant))
  );
}

/** Whether the filter demands one value of the field, in a form that a router takes for a part of the key. */
function isPinned(filter: Document, field: string): boolean {
  return isOne(filter[field]) || branches(filter.$and).some((branch) => isPinned(branch, field));
}

function pollOf(collection: Shardable, fields: readonly string[]): string | undefined {
  const poll = POLLS.find((one) => {
    const named = fields.filter((field) => field !== one.sometimes);
    return one.collection === collection && named.join() === one.filter.toSorted().join();
  });
  return poll?.name;
}

/** Stages that read or write another collection. */
const FOREIGN = new Set(['$lookup', '$graphLookup', '$unionWith', '$merge', '$out']);

/** A collection that may be sharded and that a stage of the pipeline, at any depth, reads or writes. */
function foreignIn(pipeline: unknown): Shardable | undefined {
  if (typeof pipeline !== 'object' || pipeline === null) return undefined;
  for (const [name, inner] of Object.entries(pipeline)) {
    const found = (FOREIGN.has(name) ? foreignOf(inner) : undefined) ?? foreignIn(inner);
    if (found !== undefined) return found;
  }
  return undefined;
}

function foreignOf(stage: Document | string): Shardable | undefined {
  if (typeof stage === 'string') return shardable(stage);
  const { from, coll, into } = stage;
  return shardable(from ?? coll ?? into?.coll ?? into);
}
