import { describe, expect, test } from '@jest/globals';
import type { Document } from 'mongodb';
import { declarationOf, SHARDABLE } from '../../../../handlers/data/store.ts';
import { judge } from './judge.ts';

const one = { tenant_id: 'a', _id: '1' };
const isRight = (command: Document) => judge(command)?.problem === undefined;

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
  test.each<[boolean, Document]>([
    [true, { find: 'documents', filter: { tenant_id: 'a' } }],
    [true, { find: 'documents', filter: { tenant_id: { $eq: 'a' }, _id: { $in: ['1'] } } }],
    [true, { find: 'documents', filter: { tenant_id: { $in: ['a', 'b'] } } }],
    [true, { find: 'documents', filter: { $and: [{ status: 'x' }, { tenant_id: 'a' }] } }],
    [true, { find: 'documents', filter: { $or: [{ tenant_id: 'a' }, { $and: [{ tenant_id: 'b' }] }] } }],
    [true, { find: 'documents', filter: { tenant_id: 'a', $or: [{ actors: 'x' }, { type_id: 'y' }] } }],
    [false, { find: 'documents' }],
    [false, { find: 'documents', filter: { _id: '1' }, limit: 1 }],
    [false, { find: 'documents', filter: { tenant_id: { $ne: 'a' } } }],
    [false, { find: 'documents', filter: { tenant_id: { $gt: '' } } }],
    [false, { find: 'documents', filter: { tenant_id: { $in: [] } } }],
    [false, { find: 'documents', filter: { tenant_id: { $in: Array(101).fill('a') } } }],
    [false, { find: 'documents', filter: { tenant_id: null } }],
    [false, { find: 'documents', filter: { tenant_id: '' } }],
    [false, { find: 'documents', filter: { $or: [{ tenant_id: 'a' }, { actors: 'x' }] } }],
    [false, { find: 'documents', filter: { $nor: [{ tenant_id: 'a' }] } }],
    [true, { count: 'persons', query: { tenant_id: 'a' } }],
    [false, { count: 'persons' }],
    [false, { count: 'persons', query: { iin: 'x' } }],
    [true, { distinct: 'employees', key: 'status', query: { tenant_id: 'a' } }],
    [false, { distinct: 'employees', key: 'status' }],
    [true, { aggregate: 'files', pipeline: [{ $match: { tenant_id: 'a' } }, { $group: { _id: 1 } }] }],
    [false, { aggregate: 'files', pipeline: [{ $group: { _id: 1 } }, { $match: { tenant_id: 'a' } }] }],
    [false, { aggregate: 'files', pipeline: [] }],
    [true, { explain: { find: 'files', filter: { tenant_id: 'a' } } }],
    [false, { explain: { find: 'files', filter: {} } }],
  ])('%s: %j', (expected, command) => expect(isRight(command)).toBe(expected));
});

describe('writes of one row name its key, and writes of several rows their tenant', () => {
  const $set = { status: 'x' };
  const update = (...updates: Document[]) => ({ update: 'deliveries', updates });
  const remove = (...deletes: Document[]) => ({ delete: 'deliveries', deletes });
  test.each<[boolean, Document]>([
    [true, update({ q: one, u: { $set } })],
    [true, update({ q: { $and: [{ tenant_id: 'a' }, { _id: { $eq: '1' } }] }, u: [{ $set }] })],
    [true, update({ q: { tenant_id: 'a' }, u: { $set }, multi: true })],
    [true, update({ q: one, u: { ...one, status: 'x' }, upsert: true })],
    [true, update({ q: one, u: { $set } }, { q: { ...one, tenant_id: 'b' }, u: { $set } })],
    [false, update({ q: { _id: '1' }, u: { $set } })],
    [false, update({ q: { tenant_id: 'a', status: 'y' }, u: { $set } })],
    [false, update({ q: { tenant_id: 'a', _id: { $in: ['1'] } }, u: { $set } })],
    [false, update({ q: { tenant_id: { $in: ['a'] }, _id: '1' }, u: { $set } })],
    [false, update({ q: { $or: [one] }, u: { $set } })],
    [false, update({ q: { status: 'y' }, u: { $set }, multi: true })],
    [false, update({ q: { tenant_id: 'a' }, u: { $set }, multi: true, upsert: true })],
    [false, update({ q: one, u: { $set } }, { q: { _id: '2' }, u: { $set } })],
    [false, update({ q: one, u: { status: 'a row without its tenant' } })],
    [true, remove({ q: one, limit: 1 })],
    [true, remove({ q: { tenant_id: 'a', _id: { $in: ['1', '2'] } }, limit: 0 })],
    [false, remove({ q: { _id: '1' }, limit: 1 })],
    [false, remove({ q: { tenant_id: 'a' }, limit: 1 })],
    [false, remove({ q: { ended_at: 0 }, limit: 0 })],
    [false, remove({ q: one, limit: 1 }, { q: {}, limit: 0 })],
    [true, { findAndModify: 'deliveries', query: { ...one, status: 'PENDING' }, update: [{ $set }] }],
    [true, { findAndModify: 'deliveries', query: one, remove: true }],
    [false, { findAndModify: 'deliveries', query: { tenant_id: 'a', status: 'PENDING' }, update: { $set } }],
    [false, { findAndModify: 'deliveries', query: { _id: '1' }, update: { $set } }],
    [false, { findAndModify: 'deliveries', query: one, update: { status: 'a row without its tenant' } }],
    [true, { insert: 'deliveries', documents: [one, { tenant_id: 'b', _id: '2' }] }],
    [false, { insert: 'deliveries', documents: [one, { _id: '2' }] }],
    [false, { insert: 'deliveries', documents: [{ _id: '2', tenant_id: '' }] }],
    [false, { bulkWrite: 1, nsInfo: [{ ns: 'db.tenants' }, { ns: 'db.deliveries' }] }],
  ])('%s: %j', (expected, command) => expect(isRight(command)).toBe(expected));
});

describe('other commands', () => {
  test.each<Document>([
    { getMore: 7, collection: 'documents' },
    { killCursors: 'documents', cursors: [7] },
    { createIndexes: 'documents', indexes: [] },
    { listIndexes: 'documents' },
  ])('right: %j', (command) => expect(isRight(command)).toBe(true));

  test.each<Document>([
    { mapReduce: 'documents' },
    { aggregate: 'users', pipeline: [{ $lookup: { from: 'employees', as: 'employee' } }] },
    { aggregate: 'users', pipeline: [{ $facet: { a: [{ $graphLookup: { from: 'persons' } }] } }] },
    { aggregate: 'users', pipeline: [{ $unionWith: 'persons' }] },
    { aggregate: 'users', pipeline: [{ $unionWith: { coll: 'persons', pipeline: [] } }] },
    { aggregate: 'users', pipeline: [{ $merge: 'files' }] },
    { aggregate: 'users', pipeline: [{ $merge: { into: { db: 'x', coll: 'files' } } }] },
    { aggregate: 'users', pipeline: [{ $out: 'files' }] },
  ])('wrong: %j', (command) => expect(isRight(command)).toBe(false));
});

describe('polls', () => {
  const filterOf = (fields: readonly string[]) => Object.fromEntries(fields.map((field) => [field, { $gt: 0 }]));

  const polls = SHARDABLE.flatMap((collection) =>
    (declarationOf(collection).polls ?? []).map((poll) => ({ ...poll, collection })),
  );

  test.each(polls)('$name: bounded, and with no other field', ({ name, collection, filter, sometimes }) => {
    const find = { find: collection, filter: filterOf(filter), limit: 5 };
    expect(judge(find)).toMatchObject({ collection, poll: name });
    expect(isRight({ ...find, limit: undefined })).toBe(false);
    expect(isRight({ ...find, filter: filterOf([...filter, 'email']) })).toBe(false);
    expect(isRight({ ...find, filter: filterOf(filter.slice(1)) })).toBe(false);
    if (sometimes) expect(judge({ ...find, filter: filterOf([...filter, sometimes]) })).toMatchObject({ poll: name });
    expect(isRight({ findAndModify: collection, query: find.filter, update: {} })).toBe(false);
    expect(isRight({ delete: collection, deletes: [{ q: find.filter, limit: 0 }] })).toBe(false);
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
