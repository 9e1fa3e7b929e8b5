/**
 * Judges a database command: would a cluster that is sharded by tenant accept it, and send it only to the shards of one
 * tenant? See `shardKey` in `handlers/data/collection.ts`. This code knows the documents of commands and not where they
 * come from.
 */
import type { Document } from 'mongodb';
import { type CollectionName, declarationOf, SHARDABLE } from '../../../../handlers/data/store.ts';

/** The judgement of a command on a collection that may be sharded. It holds names only, never a value. */
export interface Verdict {
  readonly collection: CollectionName;
  readonly command: string;
  /** The fields that the filters of the command name. */
  readonly fields: readonly string[];
  /** Which of the listed polls this is. */
  readonly poll?: string;
  /** Why a sharded cluster would refuse the command or ask every shard; absent if all is well. */
  readonly problem?: string;
}

/** At most this many tenants in one command count as few: each may be on a shard of its own. */
const FEW_TENANTS = 100;

const NO_TENANT = 'it does not name its tenant_id';
const NO_KEY = 'it writes one row and does not say which by tenant_id and _id';
const NO_TENANT_IN_ROW = 'it writes a row without tenant_id';

/** One filter of a command. */
interface Part {
  readonly filter: Document;
  /** Whether the filter must name one row by the whole key, as is required of writes to one row. */
  readonly one?: boolean;
  /** A whole row that replaces another. */
  readonly row?: Document;
}

/** The filters of each command that can have filters. */
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

/**
 * Commands without a filter: they continue a cursor whose first command was judged, or they are about indexes, or about the
 * file of the embedded database.
 */
const WITHOUT_FILTER = new Set(['getMore', 'killCursors', 'createIndexes', 'listIndexes', 'compact']);

/** An update that is neither a pipeline nor made of operators is a whole row. */
function replacement(update: unknown): { row?: Document } {
  const isRow = typeof update === 'object' && update !== null && !Array.isArray(update);
  return isRow && !Object.keys(update).some((name) => name.startsWith('$')) ? { row: update } : {};
}

/** @returns undefined if the command concerns no collection that may be sharded */
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
  if (parts === undefined)
    return { collection, command: name, fields: [], problem: 'judge.ts has no entry for this command' };
  const fields = [...new Set(parts.flatMap(({ filter }) => Object.keys(filter)))].sort();
  const isBounded = (name === 'find' || name === 'count') && command.limit > 0;
  const poll = isBounded ? pollOf(collection, fields) : undefined;
  if (poll !== undefined) return { collection, command: name, fields, poll };
  const problem = parts.map(problemOf).find((one) => one !== undefined);
  return { collection, command: name, fields, ...(problem && { problem }) };
}

function shardable(name: unknown): CollectionName | undefined {
  return SHARDABLE.find((one) => one === name);
}

function inserted(collection: CollectionName, documents: readonly Document[]): Verdict {
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

/** Whether the condition on a field, or the field of a row, is exactly one value. */
function isOne(condition: unknown): boolean {
  const value = typeof condition === 'object' ? (condition as Document | null)?.$eq : condition;
  return typeof value === 'string' && value !== '';
}

function isFew(condition: unknown): boolean {
  const among = (condition as Document | null | undefined)?.$in;
  return Array.isArray(among) && among.length > 0 && among.length <= FEW_TENANTS && among.every(isOne);
}

const branches = (value: unknown): readonly Document[] => (Array.isArray(value) ? value : []);

/** Whether the filter names few tenants, and every row that it finds belongs to one of them. */
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

/** Whether the filter requires one value of the field, in a form that a router recognises as part of the key. */
function isPinned(filter: Document, field: string): boolean {
  return isOne(filter[field]) || branches(filter.$and).some((branch) => isPinned(branch, field));
}

function pollOf(collection: CollectionName, fields: readonly string[]): string | undefined {
  const poll = declarationOf(collection).polls?.find((one) => {
    const named = fields.filter((field) => field !== one.sometimes);
    return named.join() === one.filter.toSorted().join();
  });
  return poll?.name;
}

/** Stages that read or write another collection. */
const FOREIGN = new Set(['$lookup', '$graphLookup', '$unionWith', '$merge', '$out']);

/** A collection that may be sharded and that a stage of the pipeline, at any depth, reads or writes. */
function foreignIn(pipeline: unknown): CollectionName | undefined {
  if (typeof pipeline !== 'object' || pipeline === null) return undefined;
  for (const [name, inner] of Object.entries(pipeline)) {
    const found = (FOREIGN.has(name) ? foreignOf(inner) : undefined) ?? foreignIn(inner);
    if (found !== undefined) return found;
  }
  return undefined;
}

function foreignOf(stage: Document | string): CollectionName | undefined {
  if (typeof stage === 'string') return shardable(stage);
  const { from, coll, into } = stage;
  return shardable(from ?? coll ?? into?.coll ?? into);
}
