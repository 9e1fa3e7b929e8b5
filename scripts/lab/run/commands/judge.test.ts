import { describe, expect, test } from '@jest/globals';
import type { Document } from 'mongodb';
import { declarationOf, SHARDABLE } from '../../../../handlers/data/store.ts';
import { judge } from './judge.ts';

const one = { tenant_id: 'a', _id: '1' };
const isRight = (command: Document) => judge(command)?.problem === undefined;
const right = (command: Document) => expect(isRight(command)).toBe(true);
const wrong = (command: Document) => expect(isRight(command)).toBe(false);

describe('commands on collections that are never sharded are not judged', () => {
  test.each<Document>([
    { find: 'tenants', filter: {} },
    { findAndModify: 'alarms', query: {} },
    { insert: 'users', documents: [{}] },
    { aggregate: 'api_keys', pipeline: [{ $lookup: { from: 'users', as: 'owner' } }] },
    { getMore: 7, collection: 'tenants' },
    { bulkWrite: 1, nsInfo: [{ ns: 'db.tenants' }] },
    { hello: 1 },
    {},
  ])('%j', (command) => expect(judge(command)).toBeUndefined());
});

describe('reads name their tenant', () => {
  const find = (filter: Document) => ({ find: 'documents', filter });
  test.each<Document>([
    find({ tenant_id: { $eq: 'a' }, _id: { $in: ['1'] } }),
    find({ tenant_id: { $in: ['a', 'b'] } }),
    find({ $or: [{ tenant_id: 'a' }, { $and: [{ tenant_id: 'b' }] }] }),
  ])('right: %j', right);

  test.each<Document>([
    ...[
      { tenant_id: { $ne: 'a' } },
      { tenant_id: { $gt: '' } },
      { tenant_id: { $in: [] } },
      { tenant_id: { $in: Array(101).fill('a') } },
      { tenant_id: null },
      { tenant_id: '' },
      { $or: [{ tenant_id: 'a' }, { actors: 'x' }] },
      { $nor: [{ tenant_id: 'a' }] },
    ].map(find),
    { find: 'documents' },
    { find: 'documents', filter: { _id: '1' }, limit: 1 },
    { count: 'persons' },
    { count: 'persons', query: { iin: 'x' } },
    { distinct: 'employees', key: 'status' },
    { aggregate: 'files', pipeline: [{ $group: { _id: 1 } }, { $match: { tenant_id: 'a' } }] },
    { aggregate: 'files', pipeline: [] },
    { explain: { find: 'files', filter: {} } },
  ])('wrong: %j', wrong);
});

describe('writes of one row name its key, and writes of several rows their tenant', () => {
  const $set = { status: 'x' };
  const update = (...updates: Document[]) => ({
    update: 'deliveries',
    updates: updates.map((each) => ({ u: { $set }, ...each })),
  });
  const remove = (...deletes: Document[]) => ({ delete: 'deliveries', deletes });
  test('right: the key may be said in several parts', () => {
    right(update({ q: { $and: [{ tenant_id: 'a' }, { _id: { $eq: '1' } }] }, u: [{ $set }] }));
  });

  test.each<Document>([
    update({ q: { _id: '1' } }),
    update({ q: { tenant_id: 'a', status: 'y' } }),
    update({ q: { tenant_id: 'a', _id: { $in: ['1'] } } }),
    update({ q: { tenant_id: { $in: ['a'] }, _id: '1' } }),
    update({ q: { $or: [one] } }),
    update({ q: { status: 'y' }, multi: true }),
    update({ q: { tenant_id: 'a' }, multi: true, upsert: true }),
    update({ q: one }, { q: { _id: '2' } }),
    update({ q: one, u: { status: 'a row without its tenant' } }),
    remove({ q: { _id: '1' }, limit: 1 }),
    remove({ q: { tenant_id: 'a' }, limit: 1 }),
    remove({ q: { ended_at: 0 }, limit: 0 }),
    remove({ q: one, limit: 1 }, { q: {}, limit: 0 }),
    { findAndModify: 'deliveries', query: { tenant_id: 'a', status: 'PENDING' }, update: { $set } },
    { findAndModify: 'deliveries', query: { _id: '1' }, update: { $set } },
    { findAndModify: 'deliveries', query: one, update: { status: 'a row without its tenant' } },
    { insert: 'deliveries', documents: [one, { _id: '2' }] },
    { insert: 'deliveries', documents: [{ _id: '2', tenant_id: '' }] },
    { bulkWrite: 1, nsInfo: [{ ns: 'db.tenants' }, { ns: 'db.deliveries' }] },
  ])('wrong: %j', wrong);
});

describe('other commands', () => {
  test.each<Document>([
    { mapReduce: 'documents' },
    { aggregate: 'users', pipeline: [{ $lookup: { from: 'employees', as: 'employee' } }] },
    { aggregate: 'users', pipeline: [{ $facet: { a: [{ $graphLookup: { from: 'persons' } }] } }] },
    { aggregate: 'users', pipeline: [{ $unionWith: 'persons' }] },
    { aggregate: 'users', pipeline: [{ $unionWith: { coll: 'persons', pipeline: [] } }] },
    { aggregate: 'users', pipeline: [{ $merge: 'files' }] },
    { aggregate: 'users', pipeline: [{ $merge: { into: { db: 'x', coll: 'files' } } }] },
    { aggregate: 'users', pipeline: [{ $out: 'files' }] },
  ])('wrong: %j', wrong);
});

describe('polls', () => {
  const filterOf = (fields: readonly string[]) => Object.fromEntries(fields.map((field) => [field, { $gt: 0 }]));

  const polls = SHARDABLE.flatMap((collection) =>
    (declarationOf(collection).polls ?? []).map((poll) => ({ ...poll, collection })),
  );

  test.each(polls)('$name: bounded, and with no other field', ({ name, collection, filter, sometimes }) => {
    const find = { find: collection, filter: filterOf(filter), limit: 5 };
    expect(judge(find)).toMatchObject({ collection, poll: name });
    wrong({ ...find, limit: undefined });
    wrong({ ...find, filter: filterOf([...filter, 'email']) });
    wrong({ ...find, filter: filterOf(filter.slice(1)) });
    if (sometimes) expect(judge({ ...find, filter: filterOf([...filter, sometimes]) })).toMatchObject({ poll: name });
    wrong({ findAndModify: collection, query: find.filter, update: {} });
    wrong({ delete: collection, deletes: [{ q: find.filter, limit: 0 }] });
  });
});

test('a verdict names fields, never values', () => {
  const filter = { iin: 'a value', $or: [{ phone: 'another' }] };
  expect(judge({ find: 'persons', filter })).toEqual({
    collection: 'persons',
    command: 'find',
    fields: ['$or', 'iin'],
    problem: 'it does not name its tenant_id',
  });
});
